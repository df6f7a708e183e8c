/** What every page has: light or dark, the drawer with the conversations, the dialog, copying. */

import { t } from "./texts.js";

const side = document.getElementById("side");
const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("dialog"));
let opener = null;

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("chat.theme", root.dataset.theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** @param {boolean} open @param {HTMLElement} [from] */
function showList(open, from) {
  side.classList.toggle("open", open);
  if (open) {
    opener = from;
    side.querySelector("a, button").focus();
  } else {
    opener?.focus();
    opener = null;
  }
}

/**
 * Show a part of a page in the dialog, below what the page has to say.
 * @param {string} url
 * @param {string} id the part's
 * @param {RequestInit} [request]
 */
export async function showPart(url, id, request) {
  const response = await fetch(url, request);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const part = page.getElementById(id);
  if (!response.ok || !part) {
    location.assign(url);
    return;
  }
  const parts = [page.querySelector(".flashes"), part].filter(Boolean);
  dialog.replaceChildren(...parts.map((each) => document.importNode(each, true)));
  if (!dialog.open) dialog.showModal();
}

/** @param {string} text */
function copyByHand(text) {
  const [area, focused] = [document.createElement("textarea"), document.activeElement];
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}

/** @param {string} text @param {HTMLElement} button */
export async function copyText(text, button) {
  let words = t("copied");
  try {
    // Browsers offer the clipboard on HTTPS and on this machine only; in an intranet the old way serves.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else if (!copyByHand(text)) words = t("copy_failed");
  } catch {
    words = t("copy_failed");
  }
  button.dataset.said = words;
  document.getElementById("announcer")?.replaceChildren(words);
  setTimeout(() => delete button.dataset.said, 1500);
}

/** Fetch the list of conversations anew. */
export async function refreshList() {
  const list = document.getElementById("list");
  const query = new URLSearchParams(location.search);
  query.set("current", document.getElementById("conversation")?.dataset.conversation ?? "");
  const response = await fetch(`${list.dataset.url}?${query}`);
  if (!response.ok || response.redirected || list.contains(document.activeElement)) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  list.replaceChildren(...page.body.childNodes);
  const current = list.querySelector('[aria-current="page"]')?.textContent;
  const title = document.getElementById("title");
  if (current && title) title.textContent = current;
}

/** @type {Record<string, (target: HTMLElement, event: Event) => void>} */
const actions = {
  theme: switchTheme,
  "open-list": (target, event) => (event.preventDefault(), showList(true, target)),
  "close-list": (target, event) => (event.preventDefault(), showList(false)),
  "close-dialog": (target, event) => dialog.open && (event.preventDefault(), dialog.close()),
  manage: (target, event) => (event.preventDefault(), showPart(target.getAttribute("href"), "manage")),
  files: (target, event) => (event.preventDefault(), showPart(target.getAttribute("href"), "files")),
  "copy-code": (target) => copyText(target.closest(".code").querySelector("code").textContent, target),
  "copy-message": (target) => copyText(target.closest(".message").querySelector(".message-text").textContent, target),
  "copy-answer": (target) => copyText(target.closest(".turn").querySelector(".source").value, target),
};

/** Let clicks on `data-action` do what a table says. @param {typeof actions} table */
export function listen(table) {
  document.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest?.("[data-action]"));
    if (target && Object.hasOwn(table, target.dataset.action)) table[target.dataset.action](target, event);
  });
}

/** Close what lies over the page; tells whether something did. */
export function closeOverlay() {
  if (dialog?.open || document.querySelector("[popover]:popover-open")) return true;
  if (!side?.classList.contains("open")) return false;
  showList(false);
  return true;
}

export function startPage() {
  listen(actions);
  dialog?.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
