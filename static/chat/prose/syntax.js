/** Markdown as answers use it: marked with formulas, and images as links. No DOM here. */

import { Marked, Tokenizer } from "../../vendor/marked/marked.esm.js";

const INLINE = [
  [/^\$\$((?:\\[\s\S]|[^\\$])+)\$\$/, " display"],
  [/^\$(?!\s)((?:\\.|[^\\$\n])+)(?<!\s)\$(?!\d)/, ""],
  [/^\\\[([\s\S]{1,4000}?)\\\]/, " display"],
  [/^\\\(([\s\S]{1,4000}?)\\\)/, ""],
];
const BLOCK = /^ {0,3}(?:\$\$([\s\S]{1,8000}?)\$\$|\\\[([\s\S]{1,8000}?)\\\])[ \t]*(?:\n|$)/;

/** @param {string} text */
export function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render({ tex, mode }) {
  const code = `<code class="math${mode}">${escape(tex.trim())}</code>`;
  return mode === " display block" ? `<p>${code}</p>\n` : code;
}

const blockMath = {
  name: "blockMath",
  level: "block",
  start: (text) => text.match(/(?:^|\n) {0,3}(?:\$\$|\\\[)/)?.index,
  tokenizer(text) {
    const found = BLOCK.exec(text);
    return found ? { type: "blockMath", raw: found[0], tex: found[1] ?? found[2], mode: " display block" } : undefined;
  },
  renderer: render,
};

const inlineMath = {
  name: "inlineMath",
  level: "inline",
  start: (text) => text.match(/\$|\\[([]/)?.index,
  tokenizer(text) {
    for (const [pattern, mode] of INLINE) {
      const found = pattern.exec(text);
      if (found?.[1].trim()) return { type: "inlineMath", raw: found[0], tex: found[1], mode };
    }
    return undefined;
  },
  renderer: render,
};

const BARE_TAG = /^<\/?(?:br|del|details|em|kbd|s|strong|sub|summary|sup)\s*\/?>$/i;

/** Raw HTML: simple tags without attributes stay, others go before anything parses them; the sanitiser comes after. */
function onlyBareTags(html) {
  return html
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(/<!--[\s\S]*?(?:-->|$)|<[!/?a-z](?:"[^"]*"|'[^']*'|[^"'>])*(?:>|$)/gi, (tag) =>
      BARE_TAG.test(tag) ? tag : "",
    );
}

// The same signs as in chat/templatetags/markdown_rules.py: they belong to the sentence around a bare address.
const AROUND = /[“”„‟‘’‚‛«»‹›，。；：！？、（）【】《》〈〉「」『』]/;

/** A bare address up to such a sign; without one marked's own rule applies. */
function bareAddress(text) {
  const end = text.search(AROUND);
  return end === -1 ? false : Tokenizer.prototype.url.call(this, text.slice(0, end));
}

export const marked = new Marked({
  gfm: true,
  tokenizer: { url: bareAddress },
  extensions: [blockMath, inlineMath],
  renderer: {
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || "image")}</a>`,
    html: ({ text }) => onlyBareTags(text),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

/**
 * The top-level blocks of a text. Their `raw` parts are together the text itself.
 * @param {string} text
 * @returns {{ type: string, raw: string }[]}
 */
export function blocksOf(text) {
  const found = [];
  for (const { type, raw } of marked.lexer(text)) {
    if (type === "space" && found.length) found.at(-1).raw += raw;
    else found.push({ type, raw });
  }
  // The lexer tidies line ends: what it gives back must still add up, else the text counts as one block.
  const whole = found.reduce((sum, block) => sum + block.raw.length, 0) === text.length;
  return whole ? found : [{ type: "text", raw: text }];
}
