/** What finished Markdown gets beyond its tags, stored and streamed alike: colours, copy buttons, formulas. */

import { showFormulas } from "./formulas.js";

const LONGEST_COLOURED = 50_000;
let highlighter;

/** @param {HTMLElement} root */
export function enhance(root) {
  const found = (selector) => [...(root.matches(selector) ? [root] : []), ...root.querySelectorAll(selector)];
  for (const pre of found("pre")) if (!pre.parentElement?.classList.contains("code")) dress(pre);
  const formulas = found("code.math");
  if (formulas.length) showFormulas(formulas);
}

/** @param {HTMLElement} pre */
function dress(pre) {
  const code = pre.querySelector("code");
  if (!code) return;
  const language = /language-(\S+)/.exec(code.className)?.[1] ?? "";
  const [box, head, name] = ["div", "div", "span"].map((tag) => document.createElement(tag));
  box.className = "code";
  head.className = "code-head";
  name.textContent = language;
  const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("copy-template"));
  head.append(name, template?.content.cloneNode(true) ?? "");
  pre.tabIndex = 0;
  pre.replaceWith(box);
  box.append(head, pre);
  if (language) colour(code, language);
}

/** @param {HTMLElement} code @param {string} language */
async function colour(code, language) {
  const text = code.textContent ?? "";
  if (text.length > LONGEST_COLOURED) return;
  highlighter ??= import("../../vendor/highlight/highlight.min.js").then((module) => module.default);
  try {
    const colours = await highlighter;
    if (!colours.getLanguage(language)) return;
    code.innerHTML = colours.highlight(text, { language, ignoreIllegals: true }).value;
  } catch {
    // Code without colours is still code.
  }
}
