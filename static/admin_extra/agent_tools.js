// Comfort only: every page works without it. Words come from the page, in its language.

/** Lays a button over a block of text that copies it. */
function addCopyButton(block) {
  const host = document.createElement("div");
  host.className = "copy-host";
  block.replaceWith(host);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-button";
  button.textContent = block.dataset.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = "✓";
    setTimeout(() => { button.textContent = block.dataset.copy; }, 1500);
  });
  host.append(block, button);
}

/** Puts a button below rows of secrets that adds an empty one. */
function addMoreButton(box) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more-button";
  button.textContent = box.dataset.more;
  button.addEventListener("click", () => {
    const rows = box.querySelectorAll(".secret-row");
    const row = rows[rows.length - 1].cloneNode(true);
    for (const input of row.querySelectorAll("input")) {
      input.name = input.name.replace(/-\d+-(key|new)$/, `-${rows.length}-$1`);
      input.value = "";
    }
    button.before(row);
    row.querySelector("input").focus();
  });
  box.append(button);
}

/** Says that a run is under way, and keeps it from being started twice. */
function showBusy(form) {
  form.addEventListener("submit", () => {
    const submit = form.querySelector("input[type=submit]");
    submit.value = form.dataset.busy;
    setTimeout(() => { submit.disabled = true; });
  });
  addEventListener("pageshow", () => { form.querySelector("input[type=submit]").disabled = false; });
}

if (navigator.clipboard) document.querySelectorAll("[data-copy]").forEach(addCopyButton);
document.querySelectorAll("[data-more]").forEach(addMoreButton);
document.querySelectorAll("form[data-busy]").forEach(showBusy);
