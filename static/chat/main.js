/** The entry: puts the parts of the page together. */

import { Composer, beginHere } from "./composer.js";
import { startFiles } from "./files.js";
import { followBranches, messageActions } from "./live/actions.js";
import { Conversation } from "./live/conversation.js";
import { closeOverlay, listen, startPage } from "./page.js";
import { readTexts } from "./texts.js";

readTexts();
startPage();

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("composer"));
const element = document.getElementById("conversation");

if (form && element) startConversation();
else if (form) startFirst();

function startConversation() {
  const composer = new Composer(form, element.dataset.conversation);
  const conversation = new Conversation(element, composer);
  listen(messageActions(conversation));
  followBranches(conversation);
  startFiles(composer);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const message = composer.message();
    if (!message) return;
    composer.clear();
    conversation.post(message);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
    // In the list and in a menu the key has a meaning of its own.
    const elsewhere = /** @type {Element} */ (event.target).closest(".side, select");
    if (!closeOverlay() && !elsewhere && !document.getElementById("stop").hidden) conversation.stop();
  });
  conversation.open();
}

function startFirst() {
  const composer = new Composer(form, "new");
  beginHere(composer);
  listen({
    example(target) {
      composer.setText(target.textContent);
      if ("tools" in target.dataset && !composer.tools.disabled) composer.tools.checked = true;
      composer.text.focus();
    },
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && closeOverlay());
}
