// Comfort only: every page works without it.

/** Puts a button above a block of text that copies it. */
function addCopyButton(block) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button copy-button";
  const word = document.documentElement.lang.startsWith("zh") ? "复制" : "Copy";
  button.textContent = word;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = "✓";
    setTimeout(() => { button.textContent = word; }, 1500);
  });
  block.before(button);
}

if (navigator.clipboard) document.querySelectorAll("[data-copy]").forEach(addCopyButton);
