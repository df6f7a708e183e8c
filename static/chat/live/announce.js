/** Tells what happens: one polite status node for screen readers, one line for the connection. */

import { link, linkButton } from "../dom.js";
import { statusWords, t } from "../texts.js";
import { FAILED } from "./calls.js";

const FRESH_MILLISECONDS = 10_000;

/** What a reader is told of an event; nothing for the flow of text. @param {Record<string, any>} event */
export function wordsOf(event) {
  switch (event.type) {
    case "turn_started":
      return t("answering");
    case "tool_call":
      return t("tool_running", { name: event.name });
    case "tool_result": {
      const status = event.metadata?.status ?? (event.is_error ? "error" : "success");
      if (FAILED.has(status)) return t("tool_failed", { name: event.name, status: statusWords(status) });
      return t("tool_success", { name: event.name });
    }
    case "turn_finished":
      return t(event.reason === "completed" ? "answered" : event.reason);
    case "error":
    case "notification":
      return event.message;
    default:
      return "";
  }
}

export class Announcer {
  constructor() {
    this.node = document.getElementById("announcer");
    this.line = document.getElementById("connection");
    this.wasLost = false;
  }

  /** @param {string} words */
  say(words) {
    if (words) this.node.textContent = words;
  }

  /** @param {Record<string, any>} event @param {number} now the server's time; what is replayed is not announced */
  event(event, now) {
    if (now - Date.parse(event.at) < FRESH_MILLISECONDS) this.say(wordsOf(event));
  }

  /**
   * @param {import("./socket.js").ConnectionState} state
   * @param {{ login: string, start: string }} addresses
   */
  connection(state, addresses) {
    const shown = state !== "open" && state !== "connecting";
    this.line.hidden = !shown;
    this.line.dataset.state = state;
    if (shown) {
      const next = `${addresses.login}?next=${encodeURIComponent(location.pathname)}`;
      const remedy = {
        signed_out: () => link(next, t("sign_in")),
        gone: () => link(addresses.start, t("begin")),
        lost: () => linkButton("reconnect", t("try_now")),
      }[state];
      this.line.replaceChildren(t(state), " ", remedy ? remedy() : "");
      this.say(t(state));
    } else if (state === "open" && this.wasLost) {
      this.say(t("back"));
    }
    if (state !== "connecting") this.wasLost = shown;
  }
}
