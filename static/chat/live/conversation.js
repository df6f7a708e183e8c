/** A conversation on the page: frames in, state, DOM out. */

import { Announcer } from "./announce.js";
import { usageOf } from "./layout.js";
import { Focus } from "./focus.js";
import { Outbox } from "./outbox.js";
import { OutboxView } from "./outbox_view.js";
import { initial, reduce, running } from "./reducer.js";
import { tickCards } from "./cards.js";
import { tickRequests } from "./requests.js";
import { Scroll } from "./scroll.js";
import { Connection } from "./socket.js";
import { showTodos } from "./todos.js";
import { usageWords } from "./turn.js";
import { TranscriptView } from "./view.js";
import { fetchTranscript } from "./fragment.js";
import { refreshList } from "../page.js";
import { setText } from "../dom.js";
import { t } from "../texts.js";

const SHORTEST_PAUSE = 100;

export class Conversation {
  /** @param {HTMLElement} element @param {import("../composer.js").Composer} composer */
  constructor(element, composer) {
    this.element = element;
    this.composer = composer;
    const { conversation, socket, fragment, login, start } = element.dataset;
    this.addresses = { login, start };
    this.announcer = new Announcer();
    this.outbox = new Outbox(conversation);
    this.outboxView = new OutboxView(document.getElementById("outbox"));
    this.view = new TranscriptView({ callUrl: element.dataset.call, send: (frame) => this.send(frame) });
    this.scroll = new Scroll();
    this.focus = new Focus(composer.text);
    /** Everything numbered that came since the stored part, to begin anew from another stored part. */
    this.log = [];
    this.lastEnd = 0;
    this.adopt();
    this.fragment = fetchTranscript(fragment, {
      loaded: (transcript) => this.#replace(transcript),
      trouble: (state) => (state === "later" ? this.composer.showProblem(t("not_loaded")) : this.connection.end(state)),
    });
    this.connection = new Connection({
      url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${socket}`,
      after: () => this.state.seq,
      onFrame: (frame) => this.#receive(frame),
      onState: (state) => this.#connected(state),
    });
    setInterval(() => this.#tick(), 1000);
  }

  open() {
    this.render();
    this.connection.open();
  }

  /** Begin from the stored part as it stands on the page. */
  adopt() {
    const { seq, element } = this.view;
    this.skew = Date.parse(element.dataset.now) - Date.now();
    this.log = this.log.filter((event) => event.seq > seq);
    this.state = this.log.reduce(reduce, initial(seq));
    for (const message of element.querySelectorAll(".message[data-client]")) {
      this.outbox.take(/** @type {HTMLElement} */ (message).dataset.client);
    }
  }

  /** The server's time. */
  get now() {
    return Date.now() + this.skew;
  }

  /** Send a frame; says so when it can't. @param {object} frame */
  send(frame) {
    const sent = this.connection.send(frame);
    if (!sent) this.composer.showProblem(t("lost"));
    return sent;
  }

  /** Send a text that must arrive. @param {import("./outbox.js").Sending} sending */
  post(sending) {
    this.outbox.add(sending);
    this.connection.send(sending);
    this.scroll.toEnd();
    this.render();
  }

  /** End what runs, or what is about to. */
  stop() {
    const turn = running(this.state)?.id ?? this.state.messages.find((message) => message.place === "waiting")?.turn;
    const waiting = /** @type {HTMLElement | null} */ (this.view.element.querySelector("[data-waiting]"));
    const target = turn ?? waiting?.dataset.waiting;
    if (!target || !this.send({ type: "stop", turn: target })) return;
    this.stopping = target;
    this.announcer.say(t("stopping"));
    this.render();
  }

  #connected(state) {
    this.announcer.connection(state, this.addresses);
    this.online = state === "open";
    // Known ids are no second message, so what may have arrived is sent again.
    if (this.online) for (const item of this.outbox.items) this.connection.send(item);
    this.render();
  }

  /** @param {Record<string, any>} frame */
  #receive(frame) {
    if (frame.type === "snapshot") this.fragment.load();
    else if (frame.seq === undefined) this.#refused(frame);
    else if (frame.seq > this.state.seq) this.#take(frame);
  }

  /** @param {Record<string, any>} event */
  #take(event) {
    this.log.push(event);
    if (this.view.changesBranch(event)) this.fragment.load();
    this.state = reduce(this.state, event);
    if (event.type === "message_added") {
      this.outbox.take(event.message.client_id);
      refreshList().catch(() => {});
    }
    if (event.type === "turn_finished") this.#finished(event);
    this.announcer.event(event, this.now);
    if (event.type.endsWith("_delta")) this.#renderSoon();
    else this.render();
  }

  #finished(event) {
    if (this.stopping === event.turn) this.stopping = null;
    // A stored part that is fetched from now on tells all that ended before; one on its way may be older.
    if (!this.fragment.isLoading()) this.log = this.log.filter((each) => each.seq > this.lastEnd);
    this.lastEnd = event.seq;
    const withdrawn = this.state.messages.find((each) => each.turn === event.turn && each.place === "withdrawn");
    if (withdrawn) this.composer.giveBack(withdrawn.text);
    this.#settle();
  }

  /** An answer beside others gets the switch between them from the server, once it is over. */
  #settle() {
    const { order, turns } = this.state;
    const over = order.map((id) => turns[id]).filter((turn) => turn.state === "finished");
    if (over.some((turn) => !this.view.isStored(turn.id) && this.view.hasAnswers(turn.message))) this.fragment.load();
  }

  /** @param {Record<string, any>} error */
  #refused(error) {
    const item = error.client_id ? this.outbox.take(error.client_id) : null;
    if (item) this.composer.giveBack(item.text);
    this.view.freeRequests();
    this.stopping = null;
    this.composer.showProblem(String(error.message ?? t("failed")));
    this.render();
  }

  /** @param {HTMLElement} transcript */
  #replace(transcript) {
    this.view.element.replaceWith(transcript);
    this.view.adopt(transcript);
    this.adopt();
    if (this.composer.problem.textContent === t("not_loaded")) this.composer.showProblem("");
    this.render();
    this.#settle();
  }

  #renderSoon() {
    this.timer ??= setTimeout(() => this.render(), this.pause ?? SHORTEST_PAUSE);
  }

  render() {
    clearTimeout(this.timer);
    this.timer = null;
    const began = performance.now();
    this.view.update(this.state);
    this.outboxView.update(this.outbox.items, this.online);
    if (this.state.todos) showTodos(this.state.todos);
    const turns = this.state.order.filter((id) => !this.view.isStored(id)).map((id) => this.state.turns[id]);
    setText(document.getElementById("usage"), usageWords(usageOf(this.view.storedUsage, turns)));
    this.#showStop();
    this.#showTitle();
    this.scroll.keep();
    this.focus.follow();
    this.#tick();
    // A long block takes longer: the page must stay free most of the time.
    this.pause = Math.max(SHORTEST_PAUSE, 4 * (performance.now() - began));
  }

  #showStop() {
    const busy = running(this.state) || this.view.element.querySelector("[data-waiting]") || this.outbox.items.length;
    const stop = /** @type {HTMLButtonElement} */ (document.getElementById("stop"));
    stop.hidden = !busy;
    stop.classList.toggle("stopping", Boolean(this.stopping));
    for (const button of this.view.element.querySelectorAll(".branches button[value]:not([value=''])")) {
      /** @type {HTMLButtonElement} */ (button).disabled = Boolean(busy);
    }
  }

  /** What waits for the person shows in the browser's tab too. */
  #showTitle() {
    const waits = Object.values(this.state.requests).some((request) => request.state === "pending");
    const title = `${document.getElementById("title").textContent} · Agent Tools`;
    document.title = waits ? `● ${title}` : title;
  }

  #tick() {
    tickCards(this.view.element, this.now);
    tickRequests(this.view.element, this.now);
  }
}
