/** The conversation's files: uploaded from the dialog or by dropping them on the page, mentioned in a message. */

import { closeOverlay, listen, showPart } from "./page.js";

/** @param {import("./composer.js").Composer} composer */
export function startFiles(composer) {
  listen({
    mention(target) {
      const { text } = composer;
      const before = text.value && !/\s$/.test(text.value) ? `${text.value} ` : text.value;
      composer.setText(`${before}${target.dataset.path} `);
      /** @type {HTMLDialogElement} */ (document.getElementById("dialog")).close();
      text.focus();
    },
  });
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!("upload" in form.dataset)) return;
    event.preventDefault();
    upload(form, new FormData(form));
  });
  followDrops();
}

/** @param {HTMLFormElement} form @param {FormData} data */
async function upload(form, data) {
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  await showPart(form.getAttribute("action"), "files", { method: "POST", body: data });
}

function followDrops() {
  const main = document.getElementById("main");
  const link = document.getElementById("files-link");
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  main.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    main.classList.add("dropping");
  });
  main.addEventListener("dragleave", (event) => {
    if (!main.contains(/** @type {Node} */ (event.relatedTarget))) main.classList.remove("dropping");
  });
  main.addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    main.classList.remove("dropping");
    const files = [...event.dataTransfer.files];
    if (!closeOverlay()) await showPart(link.getAttribute("href"), "files");
    const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-upload]"));
    const data = new FormData(form);
    data.delete("files");
    for (const file of files) data.append("files", file);
    await upload(form, data);
  });
}
