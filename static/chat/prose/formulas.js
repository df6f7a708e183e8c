/** Shows formulas with KaTeX, which is fetched when the first one appears. */

import { t } from "../texts.js";

const VENDOR = new URL("../../vendor/katex/", import.meta.url);
const OPTIONS = { throwOnError: true, strict: "ignore", trust: false, maxExpand: 300, maxSize: 40 };
let library;

/** @param {Element[]} codes elements with the class `math` */
export async function showFormulas(codes) {
  library ??= load();
  let katex;
  try {
    katex = await library;
  } catch {
    library = undefined;
    return;
  }
  for (const code of codes) show(katex, code);
}

function show(katex, code) {
  const place = document.createElement("span");
  const display = code.classList.contains("display");
  place.className = display ? "formula display" : "formula";
  if (display) place.tabIndex = 0;
  try {
    // Rendered as nodes, so that the policy's ban on style attributes in markup does not touch it.
    katex.render(code.textContent, place, { ...OPTIONS, displayMode: display });
    code.replaceWith(place);
  } catch {
    code.setAttribute("title", t("formula"));
  }
}

function load() {
  return new Promise((resolve, reject) => {
    const [sheet, script] = [document.createElement("link"), document.createElement("script")];
    sheet.rel = "stylesheet";
    sheet.href = new URL("katex.min.css", VENDOR).href;
    script.src = new URL("katex.min.js", VENDOR).href;
    script.onload = () => resolve(globalThis.katex);
    script.onerror = () => reject(new Error("katex"));
    document.head.append(sheet, script);
  });
}
