/** How a turn's steps and calls change by events. Pure. */

export const FAILED = new Set(["error", "timeout", "denied", "interrupted"]);

/** @typedef {import("./reducer.js").Turn} Turn */
/** @typedef {import("./reducer.js").Step} Step */

/** @param {Turn} turn @param {number} number @param {(step: Step) => Step} change @returns {Turn} */
export function withStep(turn, number, change) {
  const at = turn.steps.findIndex((step) => step.number === number);
  const step = change(at < 0 ? { number, attempt: 1, parts: [] } : turn.steps[at]);
  if (at < 0) return { ...turn, steps: [...turn.steps, step].sort((a, b) => a.number - b.number) };
  return { ...turn, steps: turn.steps.map((each, index) => (index === at ? step : each)) };
}

/** @param {Turn} turn @param {string} id @param {Record<string, unknown>} fields @returns {Turn} */
function withCall(turn, id, fields) {
  return { ...turn, calls: { ...turn.calls, [id]: { ...turn.calls[id], ...fields } } };
}

/** @param {Turn} turn @param {Record<string, any>} event @returns {Turn} */
export function callTaken(turn, event) {
  const placed = turn.steps.some((step) => step.parts.some((part) => part.kind === "call" && part.id === event.id));
  const call = {
    id: event.id, name: event.name, arguments: event.arguments, status: "running", reason: "", output: "",
    started: event.at, duration: null, progress: null, kept: false, diff: "",
  };
  const taken = withCall(turn, event.id, call);
  if (placed) return taken;
  return withStep(taken, event.step, (step) => ({ ...step, parts: [...step.parts, { kind: "call", id: event.id }] }));
}

/** @param {Turn} turn @param {Record<string, any>} event @returns {Turn} */
export function callProgressed(turn, event) {
  return turn.calls[event.id]?.status === "running" ? withCall(turn, event.id, { progress: event.progress }) : turn;
}

/** @param {Turn} turn @param {Record<string, any>} event @returns {Turn} */
export function callEnded(turn, event) {
  const id = event.tool_call_id;
  const known = turn.calls[id] ? turn : callTaken(turn, { ...event, id, arguments: null });
  const facts = event.metadata ?? {};
  const elapsed = Date.parse(event.at) - Date.parse(known.calls[id].started);
  return withCall(known, id, {
    status: facts.status ?? (event.is_error ? "error" : "success"),
    reason: facts.reason ?? "",
    output: event.output ?? "",
    diff: typeof facts.data?.diff === "string" ? facts.data.diff : "",
    duration: facts.duration_ms ?? (Number.isFinite(elapsed) ? elapsed : null),
    progress: null,
  });
}

/** A turn that is over has no running call. @param {Turn} turn @returns {Turn} */
export function closeCalls(turn) {
  const close = (call) => (call.status === "running" ? { ...call, status: "cancelled", progress: null } : call);
  const calls = Object.entries(turn.calls).map(([id, call]) => [id, close(call)]);
  return { ...turn, calls: Object.fromEntries(calls) };
}
