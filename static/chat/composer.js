/** Where the person writes: the text with its draft, the switches, the models. */

import { keepFirst, newClientId } from "./live/outbox.js";
import { t } from "./texts.js";

export class Composer {
  /** @param {HTMLFormElement} form @param {string} place under which the draft is kept */
  constructor(form, place) {
    this.form = form;
    this.key = `chat.draft.${place}`;
    this.text = /** @type {HTMLTextAreaElement} */ (form.querySelector("#text"));
    this.tools = /** @type {HTMLInputElement} */ (form.elements.namedItem("tools"));
    this.thinking = /** @type {HTMLInputElement} */ (form.elements.namedItem("thinking"));
    this.model = /** @type {HTMLSelectElement} */ (form.elements.namedItem("model"));
    this.problem = /** @type {HTMLElement} */ (form.querySelector("#problem"));
    this.#restore();
    this.#follow();
  }

  #restore() {
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "{}");
    if (kept.text && !this.text.value) this.text.value = kept.text;
    if ("tools" in kept) this.tools.checked = kept.tools;
    if ("thinking" in kept) this.thinking.checked = kept.thinking;
    if ([...this.model.options].some((option) => option.value === kept.model)) this.model.value = kept.model;
    this.#fit();
    this.#showAbilities();
  }

  #follow() {
    this.form.addEventListener("input", () => {
      this.#fit();
      this.keepDraft();
    });
    this.model.addEventListener("change", () => this.#showAbilities());
    this.text.addEventListener("keydown", (event) => {
      // While an input method composes, Enter chooses its word.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
  }

  /** The switches as they stand. */
  get switches() {
    return {
      model: this.model.value || null,
      tools: this.tools.checked && !this.tools.disabled,
      thinking: this.thinking.checked && !this.thinking.disabled,
    };
  }

  /** The message as written, ready to send, or none. @returns {import("./live/outbox.js").Sending | null} */
  message() {
    const text = this.text.value;
    return text.trim() ? { type: "send", client_id: newClientId(), text, ...this.switches } : null;
  }

  clear() {
    this.setText("");
    this.showProblem("");
  }

  /** @param {string} text */
  setText(text) {
    this.text.value = text;
    this.#fit();
    this.keepDraft();
  }

  /** Give a text back that could not be sent, unless something else is written by now. @param {string} text */
  giveBack(text) {
    if (!this.text.value.trim()) this.setText(text);
  }

  /** @param {string} words */
  showProblem(words) {
    this.problem.textContent = words;
    this.problem.hidden = !words;
  }

  keepDraft() {
    const { model, tools, thinking } = this;
    const draft = { text: this.text.value, tools: tools.checked, thinking: thinking.checked, model: model.value };
    try {
      sessionStorage.setItem(this.key, JSON.stringify(draft));
    } catch {
      // Without storage a draft lives as long as the page.
    }
  }

  #fit() {
    this.text.style.height = "auto";
    this.text.style.height = `${this.text.scrollHeight}px`;
  }

  #showAbilities() {
    const chosen = this.model.selectedOptions[0]?.dataset ?? {};
    for (const [box, can, words] of [
      [this.tools, "tools" in chosen, "cannot_use_tools"],
      [this.thinking, "thinks" in chosen, "cannot_think"],
    ]) {
      box.disabled = !can;
      box.closest("label").title = can ? "" : t(words);
    }
  }
}

/** The page on which a conversation begins: its first message waits until the conversation is there. */
export function beginHere(composer) {
  composer.text.required = true;
  composer.form.addEventListener("submit", (event) => {
    const message = composer.message();
    if (!message) {
      event.preventDefault();
      return;
    }
    keepFirst(message);
    composer.setText("");
  });
}
