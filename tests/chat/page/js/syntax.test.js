// Markdown as it streams: the same addresses are links as in stored answers (tests/chat/page/test_markdown.py).

import assert from "node:assert/strict";
import { test } from "node:test";

import { marked } from "../../../../static/chat/prose/syntax.js";

const linked = (text) => [...marked.parse(text).matchAll(/href="([^"]+)"/g)].map((found) => found[1]);

test("a quote or Chinese punctuation around a bare address is no part of it", () => {
  assert.deepEqual(linked("Try “fetch https://x.org”, ‘https://y.org/a’ or «https://z.org»."), [
    "https://x.org",
    "https://y.org/a",
    "https://z.org",
  ]);
  assert.deepEqual(linked("请看 https://x.org/a，或者（https://y.org）。"), ["https://x.org/a", "https://y.org"]);
});

test("other bare addresses are links as before", () => {
  assert.deepEqual(linked("See https://x.org/a_(b), or (https://y.org/c)."), ["https://x.org/a_(b)", "https://y.org/c"]);
  assert.deepEqual(linked("`https://x.org` and [“a”](https://y.org)"), ["https://y.org"]);
});
