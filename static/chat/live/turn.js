/** A live turn on the page, made from its state. */

import { arrange, copyOf, linkButton, paragraph, setText } from "../dom.js";
import { Stream } from "../prose/stream.js";
import { t, tokens } from "../texts.js";
import { ToolsView } from "./cards.js";
import { answerOf, segments } from "./layout.js";
import { RequestView } from "./requests.js";

export class TurnView {
  /** @param {string} id @param {{ callUrl: string, send: (frame: object) => boolean }} page */
  constructor(id, page) {
    this.page = page;
    this.element = copyOf("turn-template");
    this.element.dataset.turn = id;
    delete this.element.dataset.stored;
    /** @type {Map<string, { element: HTMLElement, show: Function }>} */
    this.parts = new Map();
    /** @type {Map<string, RequestView>} */
    this.requests = new Map();
    this.shown = {};
  }

  /**
   * @param {import("./reducer.js").Turn} turn
   * @param {Record<string, import("./reducer.js").Request>} requests
   */
  update(turn, requests) {
    if (turn === this.shown.turn && requests === this.shown.requests) return;
    this.shown = { turn, requests };
    const mine = turn.requests.map((id) => requests[id]);
    const pending = mine.filter((request) => request.state === "pending");
    const asked = new Map(mine.map((request) => [request.call, request]));
    this.element.dataset.message = String(turn.message);
    this.element.dataset.reason = turn.reason;
    this.element.dataset.last = turn.last === null ? "" : String(turn.last);
    this.element.classList.toggle("running", turn.state === "running");
    const wanted = segments(turn);
    arrange(this.element.querySelector(".segments"), wanted.map((segment) => this.#part(segment, turn, asked)));
    for (const key of [...this.parts.keys()]) if (!wanted.some((each) => each.key === key)) this.parts.delete(key);
    arrange(this.element.querySelector(".requests"), pending.map((request) => this.#request(request)));
    this.#ending(turn, wanted, pending.length > 0);
  }

  #part(segment, turn, asked) {
    if (!this.parts.has(segment.key)) this.parts.set(segment.key, this.#newPart(segment));
    const part = this.parts.get(segment.key);
    part.show(segment, turn, asked);
    return part.element;
  }

  #newPart(segment) {
    if (segment.kind === "tools") {
      const view = new ToolsView(this.page.callUrl);
      return { element: view.element, show: (each, turn, asked) => view.update(turn, each, asked) };
    }
    if (segment.kind === "thinking") return thinkingPart();
    const element = document.createElement("div");
    element.className = "prose";
    element.dir = "auto";
    const stream = new Stream(element);
    return { element, show: (each) => stream.update(each.text, !each.open) };
  }

  /** @param {import("./reducer.js").Request} request */
  #request(request) {
    if (!this.requests.has(request.id)) this.requests.set(request.id, new RequestView(request, this.page.send));
    return this.requests.get(request.id).element;
  }

  #ending(turn, wanted, pending) {
    const ending = this.element.querySelector(".ending");
    const again = () => linkButton("regenerate", t("retry"));
    const notes = turn.notes.map((note) => paragraph(`note ${note.level ?? ""}`, noteWords(note)));
    if (turn.state === "running") {
      const attempt = turn.steps.at(-1)?.attempt ?? 1;
      if (!pending && !wanted.at(-1)?.text && !busyWithTools(turn)) {
        notes.push(paragraph("waiting", attempt > 1 ? t("attempt", { n: attempt }) : t("waiting")));
      }
    } else if (turn.reason === "step_limit" || turn.reason === "stopped") {
      notes.push(paragraph("note", t(turn.reason)));
    } else if (turn.reason !== "completed") {
      const words = turn.error?.message || t(turn.reason === "timeout" ? "timeout" : "failed");
      notes.push(paragraph("note error", `${words} `, again()));
    }
    const same = (note, at) => note.isEqualNode(ending.children[at]);
    if (ending.children.length !== notes.length || !notes.every(same)) ending.replaceChildren(...notes);
    const source = /** @type {HTMLTextAreaElement} */ (this.element.querySelector(".source"));
    if (turn.state === "finished") source.value = answerOf(turn);
    setText(this.element.querySelector(".turn-usage"), turn.state === "finished" ? usageWords(turn) : "");
  }
}

function thinkingPart() {
  const element = copyOf("thinking-template");
  const [title, text] = [element.querySelector(".thinking-title"), element.querySelector(".thinking-text")];
  return {
    element,
    show(segment) {
      element.classList.toggle("open-ended", segment.open);
      setText(title, t(segment.open ? "thinking_now" : "thought"));
      // Appended, so that a selection in what is there stays.
      if (segment.text.startsWith(text.textContent)) text.append(segment.text.slice(text.textContent.length));
      else text.textContent = segment.text;
    },
  };
}

function busyWithTools(turn) {
  return Object.values(turn.calls).some((call) => call.status === "running");
}

function noteWords(note) {
  return note.kind === "compacted" ? t("compacted", note) : String(note.message);
}

/** @param {{ model?: string, tokens: number, cost: number | null, estimated: boolean }} usage */
export function usageWords(usage) {
  if (!usage.tokens) return "";
  const parts = [usage.model, (usage.estimated ? "≈ " : "") + t("tokens", { n: tokens(usage.tokens) })];
  if (usage.cost !== null) parts.push(`$${usage.cost.toFixed(4)}`);
  return parts.filter(Boolean).join(" · ");
}
