/** The cards of tool calls, and the group that neighbouring ones stand in. */

import { diffLines } from "../diff.js";
import { arrange, copyOf, setIcon, setText } from "../dom.js";
import { duration, statusWords, t } from "../texts.js";
import { fillArguments, inShort, visible } from "../visible.js";
import { FAILED } from "./calls.js";
import { failures } from "./layout.js";
import { settledWords } from "./requests.js";

const LONGEST = 2000;
const AWAITED = { permission: "i-lock", question: "i-question" };

export class ToolsView {
  /** @param {string} callUrl address of a call's own page, with `ID` in place of its id */
  constructor(callUrl) {
    this.callUrl = callUrl;
    this.element = /** @type {HTMLDetailsElement} */ (copyOf("tools-template"));
    /** @type {Map<string, CardView>} */
    this.cards = new Map();
    this.touched = false;
    this.element.querySelector("summary").addEventListener("click", () => (this.touched = true));
  }

  /**
   * @param {import("./reducer.js").Turn} turn
   * @param {import("./layout.js").Tools} segment
   * @param {Map<string, import("./reducer.js").Request>} asked what calls ask of the person
   */
  update(turn, segment, asked) {
    for (const id of segment.calls) {
      if (!this.cards.has(id)) this.cards.set(id, new CardView(this.callUrl));
      this.cards.get(id).update(turn.calls[id], asked.get(id));
    }
    for (const id of [...this.cards.keys()]) if (!segment.calls.includes(id)) this.cards.delete(id);
    arrange(this.element.querySelector(".tools-cards"), segment.calls.map((id) => this.cards.get(id).element));
    const failed = failures(turn, segment.calls);
    const busy = segment.open || segment.calls.some((id) => turn.calls[id].status === "running");
    setText(this.element.querySelector(".tools-title"), t("tools", { n: segment.calls.length }));
    setText(this.element.querySelector(".tools-failed"), failed ? t("tools_failed", { n: failed }) : "");
    const single = segment.calls.length === 1;
    this.element.classList.toggle("single", single);
    if (single || !this.touched) this.element.open = single || busy || failed > 0;
  }
}

class CardView {
  /** @param {string} callUrl */
  constructor(callUrl) {
    this.callUrl = callUrl;
    this.element = /** @type {HTMLDetailsElement} */ (copyOf("card-template"));
    /** @type {import("./reducer.js").Call | null} */
    this.call = null;
    /** @type {import("./reducer.js").Request | undefined} */
    this.request = undefined;
  }

  /** @param {import("./reducer.js").Call} call @param {import("./reducer.js").Request} [request] */
  update(call, request) {
    if (call === this.call && request === this.request) return;
    const before = this.call;
    [this.call, this.request] = [call, request];
    const awaited = request?.state === "pending";
    const part = (name) => this.element.querySelector(`.card-${name}`);
    this.element.dataset.call = call.id;
    this.element.dataset.status = awaited ? "awaited" : call.status;
    this.element.dataset.started = call.status === "running" && !awaited ? call.started : "";
    setIcon(part("icon"), awaited ? AWAITED[request.kind] : `s-${call.status}`);
    setText(part("name"), call.name);
    setText(part("state"), awaited ? t("needs_you") : statusWords(call.status));
    setText(part("time"), call.duration === null ? "" : duration(call.duration));
    if (before?.arguments !== call.arguments) {
      setText(part("brief"), inShort(call.arguments));
      fillArguments(this.element.querySelector(".arguments"), call.arguments, LONGEST);
    }
    this.#showProgress(call);
    if (before?.output !== call.output) this.#showOutput(call);
    setText(part("decision"), request && !awaited ? settledWords(request) : "");
    part("more").querySelector("a").href = this.callUrl.replace("ID", call.id);
    part("more").hidden = call.status === "running";
    if (FAILED.has(call.status) && before?.status !== call.status) this.element.open = true;
  }

  /** @param {import("./reducer.js").Call} call */
  #showProgress(call) {
    const place = /** @type {HTMLElement} */ (this.element.querySelector(".card-progress"));
    const bar = place.querySelector("progress");
    place.hidden = !call.progress || call.status !== "running";
    if (place.hidden) return;
    if (typeof call.progress.fraction === "number") bar.value = call.progress.fraction;
    else bar.removeAttribute("value");
    bar.setAttribute("aria-label", call.progress.message || call.name);
    setText(place.querySelector("span"), call.progress.message || "");
  }

  /** @param {import("./reducer.js").Call} call */
  #showOutput(call) {
    const output = /** @type {HTMLElement} */ (this.element.querySelector(".card-output"));
    const whole = call.diff ? call.output.split("\n", 1)[0] : call.output;
    const text = whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
    output.replaceChildren(...visible(text));
    output.hidden = !text;
    const diff = /** @type {HTMLElement} */ (this.element.querySelector(".diff"));
    diff.replaceChildren(...(call.diff ? diffLines(call.diff) : []));
    diff.hidden = !call.diff;
  }
}

/**
 * Let the clocks of running calls go on.
 * @param {ParentNode} root
 * @param {number} now the server's time
 */
export function tickCards(root, now) {
  for (const card of root.querySelectorAll('.card[data-status="running"][data-started]')) {
    const elapsed = now - Date.parse(/** @type {HTMLElement} */ (card).dataset.started);
    if (elapsed >= 1000) setText(card.querySelector(".card-time"), duration(Math.floor(elapsed / 1000) * 1000));
  }
}
