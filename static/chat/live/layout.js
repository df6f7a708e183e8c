/** In which stretches a turn is shown: the same rule as the server's for stored turns. Pure. */

import { FAILED } from "./calls.js";

/**
 * @typedef {{ key: string, kind: "text" | "thinking", text: string, open: boolean }} Passage
 * @typedef {{ key: string, kind: "tools", calls: string[], open: boolean }} Tools
 * @param {import("./reducer.js").Turn} turn
 * @returns {(Passage | Tools)[]} calls with nothing said between them stand together; only the last one is open
 */
export function segments(turn) {
  const found = [];
  for (const step of turn.steps) {
    step.parts.forEach((part, index) => {
      const last = found.at(-1);
      if (part.kind !== "call") {
        if (part.text.trim()) {
          found.push({ key: `${step.number}.${index}.${part.kind}`, kind: part.kind, text: part.text, open: false });
        }
      } else if (last?.kind === "tools") {
        last.calls.push(part.id);
      } else {
        found.push({ key: `tools.${part.id}`, kind: "tools", calls: [part.id], open: false });
      }
    });
  }
  if (found.length && turn.state === "running") found.at(-1).open = true;
  return found;
}

/** How many of these calls failed. @param {import("./reducer.js").Turn} turn @param {string[]} calls */
export function failures(turn, calls) {
  return calls.filter((id) => FAILED.has(turn.calls[id]?.status)).length;
}

/** The answer's Markdown, for copying. @param {import("./reducer.js").Turn} turn */
export function answerOf(turn) {
  return segments(turn)
    .flatMap((segment) => (segment.kind === "text" ? [segment.text] : []))
    .join("\n\n");
}

/**
 * The sum of some turns and what the stored part brings along.
 * @param {{ tokens: number, cost: number | null, estimated: boolean }} stored
 * @param {import("./reducer.js").Turn[]} turns
 */
export function usageOf(stored, turns) {
  const costs = [stored, ...turns].flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    tokens: turns.reduce((sum, turn) => sum + turn.tokens, stored.tokens),
    cost: costs.length ? costs.reduce((sum, cost) => sum + cost, 0) : null,
    estimated: stored.estimated || turns.some((turn) => turn.estimated),
  };
}
