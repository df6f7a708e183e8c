/** Shows a unified diff line by line, as the server's diff_text.py does. */

import { visible } from "./visible.js";

const KINDS = { "+": "added", "-": "removed", "@": "hunk" };
const MOST_LINES = 400;

/** @param {string} text @returns {HTMLElement[]} */
export function diffLines(text) {
  return text.split("\n").slice(0, MOST_LINES).map((line) => {
    const node = document.createElement("span");
    node.className = `diff-line ${KINDS[line[0]] ?? "kept"}`;
    node.append(...visible(line), "\n");
    return node;
  });
}
