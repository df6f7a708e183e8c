/** Markdown → nodes in which nothing loads, sends or covers anything, whatever the text says. */

import "../../vendor/dompurify/purify.min.js";
import { marked } from "./syntax.js";

const purify = globalThis.DOMPurify(window);
const CLASS = /^(?:language-[\w+#.-]{1,40}|math(?: display(?: block)?)?)$/;

// The same tags as in chat/templatetags/chat_text.py.
const CONFIG = {
  ALLOWED_TAGS: [
    "a", "blockquote", "br", "code", "del", "details", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "kbd", "li",
    "ol", "p", "pre", "s", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
  ],
  ALLOWED_ATTR: ["align", "class", "href", "start"],
  ADD_URI_SAFE_ATTR: ["align", "start"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  RETURN_DOM_FRAGMENT: true,
};

purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.hasAttribute("class") && (node.localName !== "code" || !CLASS.test(node.getAttribute("class")))) {
    node.removeAttribute("class");
  }
  if (node.localName !== "a") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow");
  const host = hostOf(node.getAttribute("href") ?? "");
  if (host) node.setAttribute("data-host", host);
});

/** @param {string} href */
function hostOf(href) {
  try {
    const url = new URL(href);
    return url.protocol.startsWith("http") ? url.hostname : "";
  } catch {
    return "";
  }
}

/** @param {string} text @returns {DocumentFragment} */
export function markdown(text) {
  return purify.sanitize(/** @type {string} */ (marked.parse(text)), CONFIG);
}
