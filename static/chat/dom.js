/** Small helpers for nodes. */

/** A copy of a template's first element. @param {string} id @returns {HTMLElement} */
export function copyOf(id) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  return /** @type {HTMLElement} */ (template.content.firstElementChild.cloneNode(true));
}

/** Set a text only where it differs, so that selections and readers are left alone. @param {Element} node */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Point an icon at another symbol. @param {Element} svg @param {string} symbol */
export function setIcon(svg, symbol) {
  const use = svg.querySelector("use");
  if (use?.getAttribute("href") !== `#${symbol}`) use?.setAttribute("href", `#${symbol}`);
}

/** A paragraph. @param {string} className @param {...(string | Node)} parts */
export function paragraph(className, ...parts) {
  const node = document.createElement("p");
  node.className = className;
  node.append(...parts);
  return node;
}

/** A button that looks like a link. @param {string} action @param {string} text */
export function linkButton(action, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "link";
  button.dataset.action = action;
  button.textContent = text;
  return button;
}

/** A link. @param {string} href @param {string} text */
export function link(href, text) {
  const node = document.createElement("a");
  node.href = href;
  node.textContent = text;
  return node;
}

/**
 * Give a parent exactly these children in this order, and move none that stands right: a moved node loses its focus
 * and its selection.
 * @param {Element} parent
 * @param {Element[]} wanted
 */
export function arrange(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  wanted.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
}
