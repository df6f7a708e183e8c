/** The live part of the transcript: messages and turns put where they belong among the stored ones. */

import { copyOf, paragraph, setText } from "../dom.js";
import { enhance } from "../prose/enhance.js";
import { t } from "../texts.js";
import { TurnView } from "./turn.js";

export class TranscriptView {
  /** @param {{ callUrl: string, send: (frame: object) => boolean }} page */
  constructor(page) {
    this.page = page;
    this.adopt(document.getElementById("transcript"));
  }

  /** Take over a transcript as the server rendered it. @param {HTMLElement} element */
  adopt(element) {
    this.element = element;
    /** @type {Map<string, TurnView>} */
    this.turns = new Map();
    this.notesShown = 0;
    for (const prose of element.querySelectorAll(".prose")) enhance(/** @type {HTMLElement} */ (prose));
  }

  get seq() {
    return Number(this.element.dataset.seq);
  }

  /** What the stored turns used. */
  get storedUsage() {
    const { tokens, cost, estimated } = this.element.dataset;
    return { tokens: Number(tokens), cost: cost ? Number(cost) : null, estimated: estimated !== undefined };
  }

  /** @param {string} selector */
  #find(selector) {
    return /** @type {HTMLElement | null} */ (this.element.querySelector(selector));
  }

  /** Tell whether a turn is among the stored ones. @param {string} turn */
  isStored(turn) {
    return this.#find(`.turn[data-stored][data-turn="${turn}"]`) !== null;
  }

  /**
   * Tell whether an event changes the branch on view, so that the stored part has to be fetched anew.
   * @param {Record<string, any>} event
   */
  changesBranch(event) {
    if (event.type === "message_added") {
      const { id, parent } = event.message;
      if (event.queued || this.#find(`[data-message="${id}"].message`)) return false;
      if (parent === null) return this.#find('.message:not(.queued)[data-parent=""]') !== null;
      return !this.#knows(parent) || this.#find(`.message[data-parent="${parent}"]`) !== null;
    }
    if (event.type === "turn_started") {
      if (this.turns.has(event.turn) || this.isStored(event.turn)) return false;
      const message = this.#find(`.message[data-message="${event.message}"]`);
      const answered = this.#find(`.turn[data-message="${event.message}"]`);
      return !message || answered !== null || (message.classList.contains("queued") && "parent" in message.dataset);
    }
    return false;
  }

  /** Tell whether a message has stored answers, between which a person can switch. @param {number} message */
  hasAnswers(message) {
    return this.#find(`.message[data-message="${message}"][data-answers]`) !== null;
  }

  /** @param {number} message */
  #knows(message) {
    return this.#find(`.message[data-message="${message}"], .turn[data-last="${message}"]`) !== null;
  }

  /** @param {import("./reducer.js").State} state */
  update(state) {
    for (const message of state.messages) this.#message(message);
    for (const id of state.order) {
      if (!this.isStored(id)) this.#turn(state.turns[id], state.requests);
    }
    for (const note of state.notes.slice(this.notesShown)) {
      this.element.append(paragraph(`note ${note.level ?? ""}`, String(note.message)));
    }
    this.notesShown = state.notes.length;
    for (const waiting of this.element.querySelectorAll(".message[data-waiting]")) {
      const turn = state.turns[/** @type {HTMLElement} */ (waiting).dataset.waiting];
      if (turn) this.#begun(/** @type {HTMLElement} */ (waiting));
    }
    this.element.setAttribute("aria-busy", String(state.order.some((id) => state.turns[id].state === "running")));
  }

  /** @param {import("./reducer.js").Message} message */
  #message(message) {
    let element = this.#find(`.message[data-message="${message.id}"]`);
    if (message.place === "withdrawn") {
      element?.remove();
      return;
    }
    if (!element) {
      element = copyOf("message-template");
      element.id = `m${message.id}`;
      element.dataset.message = String(message.id);
      element.dataset.client = message.client;
      if (message.queued && message.parent === null) delete element.dataset.parent;
      else element.dataset.parent = message.parent === null ? "" : String(message.parent);
      element.querySelector(".message-text").textContent = message.text;
      this.element.append(element);
    }
    if (message.place === "waiting") {
      element.dataset.waiting = message.turn;
      element.classList.toggle("queued", message.queued);
      setText(element.querySelector(".badge"), message.queued ? t("queued") : "");
    } else if (element.dataset.waiting) {
      this.#begun(element);
    }
  }

  /** @param {HTMLElement} message */
  #begun(message) {
    delete message.dataset.waiting;
    message.classList.remove("queued");
    setText(message.querySelector(".badge"), "");
  }

  /** @param {import("./reducer.js").Turn} turn @param {Record<string, import("./reducer.js").Request>} requests */
  #turn(turn, requests) {
    let view = this.turns.get(turn.id);
    if (!view) {
      view = new TurnView(turn.id, this.page);
      this.turns.set(turn.id, view);
      const message = this.#find(`.message[data-message="${turn.message}"]`);
      if (message) message.after(view.element);
      else this.element.append(view.element);
    }
    view.update(turn, requests);
  }

  /** Let a request be answered again after its answer was refused. */
  freeRequests() {
    for (const view of this.turns.values()) for (const request of view.requests.values()) request.setBusy?.(false);
  }
}
