/** The conversation's socket: opened again whenever it is lost, from the last number known. */

const FIRST_DELAY = 500;
const LONGEST_DELAY = 30_000;
const SIGNED_OUT = 4401;
const GONE = 4404;
const RESTARTING = 4012;

/** @typedef {"connecting" | "open" | "lost" | "offline" | "restarting" | "signed_out" | "gone"} ConnectionState */

/** Milliseconds before try number `tries`, half of them by chance. @param {number} tries @param {number} chance */
export function delayOf(tries, chance = Math.random()) {
  const longest = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** tries);
  return longest / 2 + (longest / 2) * chance;
}

export class Connection {
  /**
   * @param {{ url: string, after: () => number, onFrame: (frame: Record<string, any>) => void,
   *   onState: (state: ConnectionState) => void }} options
   */
  constructor(options) {
    this.options = options;
    this.tries = 0;
    this.ended = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    addEventListener("online", () => this.retry());
    addEventListener("offline", () => this.#offline());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retry());
    // A page that comes back from the browser's cache has a dead socket.
    addEventListener("pageshow", (event) => event.persisted && this.retry());
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    clearTimeout(this.timer);
    if (!this.tries) this.options.onState("connecting");
    const socket = new WebSocket(this.options.url);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.send({ type: "sync", after: this.options.after() });
      this.options.onState("open");
    };
    socket.onmessage = (message) => {
      if (socket === this.socket) this.options.onFrame(JSON.parse(message.data));
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.#closed(event.code);
    };
  }

  /** Try now, unless the socket stands or there is nothing to try. */
  retry() {
    if (this.ended || this.isOpen || this.socket?.readyState === WebSocket.CONNECTING) return;
    this.open();
  }

  /** Send a frame; tells whether it went out. @param {object} frame */
  send(frame) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Stop for good. @param {ConnectionState} state */
  end(state) {
    this.ended = true;
    clearTimeout(this.timer);
    this.options.onState(state);
    this.socket?.close();
  }

  /** @param {number} code */
  #closed(code) {
    this.socket = null;
    if (this.ended) return;
    if (code === SIGNED_OUT) return this.end("signed_out");
    if (code === GONE) return this.end("gone");
    this.options.onState(code === RESTARTING ? "restarting" : navigator.onLine ? "lost" : "offline");
    // The first try after a restart is made at once; if it fails, the usual waits follow.
    const delay = code === RESTARTING && !this.tries ? 50 : delayOf(this.tries);
    this.tries += 1;
    this.timer = setTimeout(() => this.open(), delay);
  }

  #offline() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    if (this.ended) return;
    clearTimeout(this.timer);
    this.options.onState("offline");
    this.timer = setTimeout(() => this.retry(), LONGEST_DELAY);
  }
}
