/** The page's words, rendered by the server in the person's language, and numbers in that language's form. */

const places = new Map();
const plural = new Intl.PluralRules(typeof document === "undefined" ? "en" : document.documentElement.lang || "en");

/** Read the words out of the page once. */
export function readTexts() {
  const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("texts"));
  for (const node of template?.content.querySelectorAll("[data-text]") ?? []) {
    places.set(node.getAttribute("data-text"), node.textContent);
  }
}

/**
 * Return a text with its {places} filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const form = "n" in values && places.has(`${key}.other`) ? `${key}.${plural.select(Number(values.n))}` : key;
  const text = places.get(form) ?? places.get(`${key}.other`) ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** @param {number} milliseconds */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return t("minutes", { m: Math.floor(milliseconds / 60_000), s: Math.floor((milliseconds % 60_000) / 1000) });
}

/** Whole seconds as `4:05`. @param {number} milliseconds */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {number} count */
export function tokens(count) {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M`;
  if (count >= 1000) return `${(count / 1000).toFixed(1)}k`;
  return String(count);
}

/** A call's state in words. @param {string} status */
export function statusWords(status) {
  return t(status === "timeout" ? "timed_out" : status);
}
