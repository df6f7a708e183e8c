/** A growing Markdown text on the page: what is finished stays as it is, only the last blocks are made anew. */

import { enhance } from "./enhance.js";
import { markdown } from "./markdown.js";
import { blocksOf } from "./syntax.js";

// A list may go on after a blank line and what looks like a paragraph, so the last two blocks stay open.
const OPEN = 2;
const REFERENCE = /^ {0,3}\[[^\]]+\]:\s/m;

export class Stream {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.clear();
  }

  clear() {
    this.element.replaceChildren();
    this.text = "";
    this.closed = 0;
    /** @type {{ type: string, raw: string, nodes: ChildNode[] }[]} */
    this.open = [];
    this.final = false;
  }

  /**
   * Show the text as it is now.
   * @param {string} text
   * @param {boolean} final no more will come
   */
  update(text, final) {
    if (text === this.text && final === this.final) return;
    if (!text.startsWith(this.text)) this.clear();
    [this.text, this.final] = [text, final];
    // A reference may be defined after its use: then only the whole text gives the right links.
    if (final && REFERENCE.test(text)) return this.#whole(text);
    const blocks = blocksOf(text.slice(this.closed));
    this.#showOpen(blocks);
    this.#close(final ? this.open.length : this.open.length - OPEN);
  }

  /** @param {string} text */
  #whole(text) {
    const nodes = markdown(text);
    this.element.replaceChildren(nodes);
    [this.closed, this.open] = [text.length, []];
    enhance(this.element);
  }

  /** @param {{ type: string, raw: string }[]} blocks */
  #showOpen(blocks) {
    let same = 0;
    while (same < this.open.length && same < blocks.length && this.open[same].raw === blocks[same].raw) same += 1;
    if (same < this.open.length && same < blocks.length && growCode(this.open[same], blocks[same])) same += 1;
    for (const old of this.open.slice(same)) old.nodes.forEach((node) => node.remove());
    this.open.length = Math.min(this.open.length, same);
    for (const block of blocks.slice(same)) {
      const fragment = markdown(block.raw);
      const nodes = [...fragment.childNodes];
      this.element.append(fragment);
      this.open.push({ ...block, nodes });
    }
  }

  /** @param {number} count how many of the open blocks are finished */
  #close(count) {
    for (const block of this.open.splice(0, Math.max(0, count))) {
      this.closed += block.raw.length;
      for (const node of block.nodes) if (node instanceof HTMLElement) enhance(node);
    }
  }
}

/** A fenced block that only grew keeps its node: long code costs no parsing. */
function growCode(old, block) {
  if (old.type !== "code" || block.type !== "code" || !block.raw.startsWith(old.raw)) return false;
  const code = old.nodes.map((node) => node instanceof Element && node.querySelector("code")).find(Boolean);
  const lines = block.raw.split("\n");
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[0])?.[1];
  if (!code || !fence || old.raw.split("\n").length < 2) return false;
  if (lines.slice(1).some((line) => line.trimStart().startsWith(fence[0].repeat(3)))) return false;
  code.textContent = `${lines.slice(1).join("\n")}\n`;
  old.raw = block.raw;
  return true;
}
