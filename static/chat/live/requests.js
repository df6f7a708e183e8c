/** The cards with which a turn asks the person: a permission or a question. */

import { copyOf, paragraph, setText } from "../dom.js";
import { clock, t } from "../texts.js";
import { fillArguments, visible } from "../visible.js";

// A click or key press meant for what stood here before must not decide anything.
const GUARD_MILLISECONDS = 400;
let ids = 0;

export class RequestView {
  /**
   * @param {import("./reducer.js").Request} request
   * @param {(frame: object) => boolean} send
   */
  constructor(request, send) {
    this.request = request;
    this.send = send;
    this.since = performance.now();
    this.element = copyOf(`${request.kind}-template`);
    this.element.dataset.request = request.id;
    this.element.dataset.deadline = request.deadline;
    const title = this.element.querySelector(".request-title");
    title.id = `request-${(ids += 1)}`;
    this.element.setAttribute("aria-labelledby", title.id);
    if (request.kind === "permission") this.#permission(title);
    else this.#question(title);
  }

  /** @param {Element} title */
  #permission(title) {
    const { request } = this;
    title.querySelector("span").append(...visible(t("permission", { name: request.name })));
    const reasons = this.element.querySelector(".request-reasons");
    for (const reason of request.reasons) {
      const item = document.createElement("li");
      item.append(...visible(reason));
      reasons.append(item);
    }
    reasons.id = `${title.id}-why`;
    this.element.setAttribute("aria-describedby", reasons.id);
    fillArguments(this.element.querySelector(".arguments"), request.arguments);
    this.element.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("[data-decision]");
      if (button) this.#decide(/** @type {HTMLElement} */ (button).dataset.decision);
    });
  }

  /** @param {string} decision */
  #decide(decision) {
    const reason = decision === "deny" ? this.element.querySelector("input").value.trim() : "";
    this.#give({ type: "decide", request: this.request.id, decision, arguments_hash: this.request.hash, reason });
  }

  /** @param {Element} title */
  #question(title) {
    const { request } = this;
    setText(title.querySelector("span"), t("question"));
    title.after(paragraph("request-question", ...visible(request.text)));
    const place = this.element.querySelector(".request-choices");
    for (const choice of request.choices) {
      const [label, input] = [document.createElement("label"), document.createElement("input")];
      input.type = request.multiple ? "checkbox" : "radio";
      input.name = "choice";
      input.value = choice;
      label.append(input, ...visible(choice));
      place.append(label);
    }
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = [...this.element.querySelectorAll("input:checked")].map((input) => input.value);
      const text = this.element.querySelector("textarea").value.trim();
      if (!text && !chosen.length) this.element.querySelector("input, textarea").focus();
      else this.#give({ type: "answer", request: request.id, text, chosen });
    });
  }

  /** @param {object} frame */
  #give(frame) {
    if (performance.now() - this.since < GUARD_MILLISECONDS) return;
    if (this.send(frame)) this.setBusy(true);
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    for (const control of this.element.querySelectorAll("button, input, textarea")) control.disabled = busy;
  }
}

/** What became of a request, in one line. @param {import("./reducer.js").Request} request */
export function settledWords(request) {
  const words = { allow_once: "allowed_once", allow_always: "allowed_always", deny: "you_denied" };
  if (request.state === "expired") return t("request_expired");
  if (request.state === "cancelled") return t("request_cancelled");
  return t(words[request.decision] ?? "you_answered", { name: request.name });
}

/** Let the deadlines go on. @param {ParentNode} root @param {number} now the server's time */
export function tickRequests(root, now) {
  for (const card of root.querySelectorAll(".request[data-deadline]")) {
    const left = Date.parse(/** @type {HTMLElement} */ (card).dataset.deadline) - now;
    if (Number.isFinite(left)) setText(card.querySelector(".request-deadline"), t("left", { time: clock(left) }));
  }
}
