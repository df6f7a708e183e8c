/** Makes characters visible that change a text without being seen. Pure, but for `visible`, which makes nodes. */

const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u034F\u115F\u1160\u2028\u2029\u2800\u3164\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}]/u;

/**
 * Split a text into what can be read and the codes of what can't.
 * @param {string} text
 * @returns {{ text: string, hidden: boolean }[]}
 */
export function stretches(text) {
  const found = [];
  for (const character of text) {
    const hidden = character !== "\n" && character !== "\t" && HIDDEN.test(character);
    if (hidden) {
      found.push({ text: `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`, hidden });
    } else if (found.length && !found.at(-1).hidden) {
      found.at(-1).text += character;
    } else {
      found.push({ text: character, hidden });
    }
  }
  return found;
}

/** @param {string} text @returns {(string | HTMLElement)[]} */
export function visible(text) {
  return stretches(text).map((part) => {
    if (!part.hidden) return part.text;
    const mark = document.createElement("span");
    mark.className = "hidden-character";
    mark.textContent = part.text;
    return mark;
  });
}

/** @param {unknown} value */
export function asText(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
}

/**
 * The arguments of a call by name; what is not an object stands without one.
 * @param {unknown} value
 * @returns {[string, unknown][]}
 */
export function pairs(value) {
  if (value && typeof value === "object" && !Array.isArray(value)) return Object.entries(value);
  return value === null || value === undefined ? [] : [["", value]];
}

/** The first argument in one short line. @param {unknown} value */
export function inShort(value) {
  const [first] = pairs(value);
  const text = first ? asText(first[1]).split(/\s+/).filter(Boolean).join(" ") : "";
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/**
 * Fill a definition list with arguments.
 * @param {Element} list
 * @param {unknown} value
 * @param {number} [longest] characters shown of one value
 */
export function fillArguments(list, value, longest = Infinity) {
  list.replaceChildren(
    ...pairs(value).map(([name, each]) => {
      const row = document.createElement("div");
      const [term, details] = [document.createElement("dt"), document.createElement("dd")];
      const text = asText(each);
      term.append(...visible(name));
      details.append(...visible(text.length <= longest ? text : `${text.slice(0, longest)}…`));
      row.append(term, details);
      return row;
    }),
  );
}
