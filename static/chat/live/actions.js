/** What a person does with messages and answers: edit, ask again, withdraw, switch the branch. */

import { copyOf } from "../dom.js";
import { newClientId } from "./outbox.js";

/** @param {import("./conversation.js").Conversation} conversation */
export function messageActions(conversation) {
  const switches = () => conversation.composer.switches;
  return {
    stop: () => conversation.stop(),
    jump: () => conversation.scroll.toEnd(),
    reconnect: () => conversation.connection.retry(),
    withdraw: (target) =>
      conversation.send({ type: "stop", turn: target.closest("[data-waiting]")?.dataset.waiting ?? "" }),
    regenerate: (target) =>
      conversation.send({ type: "regenerate", turn: target.closest(".turn").dataset.turn, ...switches() }),
    edit: (target) => beginEdit(target.closest(".message"), conversation),
    "cancel-edit": (target) => endEdit(target.closest(".message")),
  };
}

/** @param {HTMLElement} message @param {import("./conversation.js").Conversation} conversation */
function beginEdit(message, conversation) {
  if (message.querySelector(".edit")) return;
  const form = copyOf("edit-template");
  const text = form.querySelector("textarea");
  text.value = message.querySelector(".message-text").textContent;
  text.id = `edit-${message.dataset.message}`;
  form.querySelector("label").htmlFor = text.id;
  message.classList.add("editing");
  message.querySelector(".message-text").after(form);
  text.focus();
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    endEdit(message);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    const id = Number(message.dataset.message);
    const sending = { type: "edit", client_id: newClientId(), message: id, text: text.value };
    conversation.post({ ...sending, ...conversation.composer.switches });
    endEdit(message);
  });
}

/** @param {HTMLElement} message */
function endEdit(message) {
  message.querySelector(".edit")?.remove();
  message.classList.remove("editing");
  /** @type {HTMLElement | null} */ (message.querySelector('[data-action="edit"]'))?.focus();
}

/**
 * Switch branches without leaving the page.
 * @param {import("./conversation.js").Conversation} conversation
 */
export function followBranches(conversation) {
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.matches(".branches") || !event.submitter) return;
    event.preventDefault();
    const body = new FormData(form, event.submitter);
    const response = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (response.type === "opaqueredirect") conversation.fragment.load();
    else location.reload();
  });
}
