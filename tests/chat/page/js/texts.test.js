import assert from "node:assert/strict";
import { test } from "node:test";

import { delayOf } from "../../../../static/chat/live/socket.js";
import { Outbox, keepFirst } from "../../../../static/chat/live/outbox.js";
import { blocksOf, marked } from "../../../../static/chat/prose/syntax.js";
import { clock, duration, tokens } from "../../../../static/chat/texts.js";
import { inShort, pairs, stretches } from "../../../../static/chat/visible.js";

/** A storage like the browser's. */
function storage(kept = {}) {
  const items = new Map(Object.entries(kept));
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  };
}

test("zero-width, bidi, control and tag characters are shown as codes, ordinary ones of all scripts are not", () => {
  const codes = (text) => stretches(text).filter((part) => part.hidden).map((part) => part.text);
  assert.deepEqual(codes("a\u200bb\u202ec\u0007d\u{E0041}e\u00ad"), ["U+200B", "U+202E", "U+0007", "U+E0041", "U+00AD"]);
  assert.deepEqual(codes("Grüße, 世界! नमस्ते\n\tok"), []);
  assert.equal(stretches("plain").length, 1);
});

test("arguments are shown by name, and the first of them in one short line", () => {
  assert.deepEqual(pairs({ url: "u", n: 1 }), [["url", "u"], ["n", 1]]);
  assert.deepEqual(pairs("cut {"), [["", "cut {"]]);
  assert.deepEqual(pairs(null), []);
  assert.equal(inShort({ command: "ls\n  -l" }), "ls -l");
  assert.equal(inShort({ text: "x".repeat(200) }).length, 80);
});

test("the blocks of a text add up to the text, whatever the text is", () => {
  for (const text of ["", "a", "a\n\nb\n\n", "```py\nx\n\ny\n```\nz", "- a\n\n- b\n\npara", "$$\na\n\nb\n$$\n\nx", "\r\n\r\na\r\n", "\tx\n\n\n# h\n|a|\n|-|\n|b|\n"]) {
    assert.equal(blocksOf(text).map((block) => block.raw).join(""), text);
  }
});

test("a growing text closes its blocks in the same places as the whole one", () => {
  const whole = "# Title\n\nA paragraph\nof two lines.\n\n```js\nlet x;\n\nlet y;\n```\n\n1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.";
  const closed = [];
  let from = 0;
  for (let end = 1; end <= whole.length; end += 1) {
    const blocks = blocksOf(whole.slice(from, end));
    for (const block of blocks.slice(0, Math.max(0, blocks.length - 2))) {
      closed.push(block.raw);
      from += block.raw.length;
    }
  }
  const rest = blocksOf(whole.slice(from)).map((block) => block.raw);
  assert.deepEqual([...closed, ...rest], blocksOf(whole).map((block) => block.raw));
});

test("formulas are kept from Markdown's own signs, and money is no formula", () => {
  assert.equal(marked.parse("$a_1 * b_2$"), '<p><code class="math">a_1 * b_2</code></p>\n');
  assert.equal(marked.parse("\\(a_b\\) and \\[c\\]"), '<p><code class="math">a_b</code> and <code class="math display">c</code></p>\n');
  assert.equal(marked.parse("$$\na\n= b\n$$"), '<p><code class="math display block">a\n= b</code></p>\n');
  assert.equal(marked.parse("from $5 to $10"), "<p>from $5 to $10</p>\n");
  assert.equal(marked.parse("`$x$`"), "<p><code>$x$</code></p>\n");
});

test("an image is a link: nothing is loaded because a text says so", () => {
  assert.equal(marked.parse('![a"b](https://x.org/?q=1)'), '<p><a href="https://x.org/?q=1">a&#34;b</a></p>\n');
});

test("raw HTML keeps simple tags without attributes and loses all others before a parser sees them", () => {
  const made = (text) => marked.parseInline(text);
  assert.equal(made("H<sub>2</sub>O<br/>x"), "H<sub>2</sub>O<br/>x");
  assert.equal(made("a <img src=x onerror=alert(1)> b"), "a  b");
  assert.equal(made('a <b title=">" onclick=x>c</b>'), "a c");
  assert.equal(marked.parse("<script>alert(1)</script>\n\n<div onclick=x\n"), "");
  assert.equal(marked.parse("<details open ontoggle=x>\n<summary>s</summary>\n</details>"), "\n<summary>s</summary>\n</details>");
});

test("waits between tries grow, differ by chance and have a bound", () => {
  assert.equal(delayOf(0, 0), 250);
  assert.equal(delayOf(0, 1), 500);
  assert.equal(delayOf(3, 1), 4000);
  assert.equal(delayOf(60, 1), 30_000);
});

test("what was not acknowledged outlives a reload, and a broken storage harms nothing", () => {
  const kept = storage();
  keepFirst({ type: "send", client_id: "a", text: "first" }, kept);
  const outbox = new Outbox("c", kept);
  outbox.add({ type: "send", client_id: "b", text: "second" });
  assert.deepEqual(new Outbox("c", kept).items.map((item) => item.text), ["first", "second"]);
  assert.equal(outbox.take("a").text, "first");
  assert.equal(outbox.take("a"), undefined);
  assert.deepEqual(new Outbox("c", kept).items.map((item) => item.client_id), ["b"]);
  assert.deepEqual(new Outbox("c", storage({ "chat.outbox.c": "{broken" })).items, []);
});

test("times and amounts are short", () => {
  assert.deepEqual([duration(7), duration(2140), clock(245_000), clock(-5)], ["7 ms", "2.1 s", "4:05", "0:00"]);
  assert.deepEqual([tokens(812), tokens(12_345), tokens(1_200_000)], ["812", "12.3k", "1.2M"]);
});
