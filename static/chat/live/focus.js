/** Moves the focus to what waits for the person, and back to where it was. */

export class Focus {
  /** @param {HTMLTextAreaElement} home where the focus goes when what had it before is gone */
  constructor(home) {
    this.home = home;
    /** @type {Element | null} */
    this.card = null;
    /** @type {HTMLElement | null} */
    this.before = null;
    this.composing = false;
    home.addEventListener("compositionstart", () => (this.composing = true));
    home.addEventListener("compositionend", () => (this.composing = false));
  }

  /** Look for a request that is new, or one that is settled. */
  follow() {
    if (this.card?.isConnected) return;
    const next = /** @type {HTMLElement | null} */ (document.querySelector(".request"));
    if (this.card) this.#back(next);
    if (next && !this.composing && !document.querySelector("dialog[open]")) {
      this.before ??= /** @type {HTMLElement} */ (document.activeElement);
      this.card = next;
      next.focus({ preventScroll: false });
    }
  }

  /** @param {HTMLElement | null} next */
  #back(next) {
    this.card = null;
    if (next) return;
    const target = this.before?.isConnected && this.before !== document.body ? this.before : this.home;
    this.before = null;
    if (document.activeElement === document.body || !document.activeElement?.isConnected) target.focus();
  }
}
