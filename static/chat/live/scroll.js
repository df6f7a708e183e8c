/** Keeps the newest in sight as long as the person has not scrolled away from it. */

const NEAR = 80;

export class Scroll {
  constructor() {
    this.box = document.getElementById("scroller");
    this.jump = document.getElementById("jump");
    this.sticks = true;
    this.box.addEventListener("scroll", () => this.#look(), { passive: true });
    // Formulas, colours and opened cards change heights later.
    new ResizeObserver(() => this.keep()).observe(document.getElementById("conversation"));
    new ResizeObserver(() => this.keep()).observe(this.box);
    this.keep();
  }

  #look() {
    const distance = this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight;
    this.sticks = distance < NEAR;
    this.jump.hidden = this.sticks;
  }

  keep() {
    if (this.sticks && !location.hash.startsWith("#m")) this.box.scrollTop = this.box.scrollHeight;
    else this.#look();
  }

  toEnd() {
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    this.sticks = true;
    this.keep();
  }
}
