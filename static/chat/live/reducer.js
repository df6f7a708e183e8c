/**
 * What the page knows of the live part of a conversation: a pure function of the events. The DOM is made from it
 * elsewhere; `node --test` runs this file as it stands.
 *
 * @typedef {{ kind: "text" | "thinking", text: string } | { kind: "call", id: string }} Part
 * @typedef {{ number: number, attempt: number, parts: Part[] }} Step
 * @typedef {{ id: string, name: string, arguments: unknown, status: string, reason: string, output: string,
 *   started: string, duration: number | null, progress: { fraction: number | null, message: string } | null }} Call
 * @typedef {{ id: string, kind: "permission" | "question", turn: string, call: string, name: string, state: string,
 *   decision: string, deadline: string, arguments: unknown, hash: string, reasons: string[], text: string,
 *   choices: string[], multiple: boolean }} Request
 * @typedef {{ kind: string, [key: string]: unknown }} Note
 * @typedef {{ id: string, message: number, model: string, state: "running" | "finished", reason: string,
 *   last: number | null, steps: Step[], calls: Record<string, Call>, requests: string[], notes: Note[],
 *   error: { code: string, message: string } | null, tokens: number, cost: number | null, estimated: boolean }} Turn
 * @typedef {{ id: number, text: string, parent: number | null, client: string, turn: string,
 *   place: "waiting" | "begun" | "withdrawn", queued: boolean }} Message
 * @typedef {{ seq: number, messages: Message[], turns: Record<string, Turn>, order: string[],
 *   requests: Record<string, Request>, notes: Note[], todos: object[] | null }} State
 */

import { callEnded, callProgressed, callTaken, closeCalls, withStep } from "./calls.js";

/** @param {number} seq the number up to which the stored part tells everything @returns {State} */
export function initial(seq) {
  return { seq, messages: [], turns: {}, order: [], requests: {}, notes: [], todos: null };
}

/** @param {State} state @param {Record<string, any>} event @returns {State} */
export function reduce(state, event) {
  if (!Number.isInteger(event.seq) || event.seq <= state.seq) return state;
  const next = { ...state, seq: event.seq };
  const handle = Object.hasOwn(handlers, event.type) ? handlers[event.type] : null;
  return handle ? handle(next, event) : next;
}

/** The turn that runs, if one does. @param {State} state @returns {Turn | undefined} */
export function running(state) {
  return state.order.map((id) => state.turns[id]).findLast((turn) => turn.state === "running");
}

/** @param {string} id @returns {Turn} */
function newTurn(id) {
  return {
    id, message: 0, model: "", state: "running", reason: "", last: null, steps: [], calls: {}, requests: [], notes: [],
    error: null, tokens: 0, cost: null, estimated: false,
  };
}

/** @param {State} state @param {string | null} id @param {(turn: Turn) => Turn} change @returns {State} */
function withTurn(state, id, change) {
  if (!id) return state;
  const known = Object.hasOwn(state.turns, id);
  const turn = change(known ? state.turns[id] : newTurn(id));
  return { ...state, turns: { ...state.turns, [id]: turn }, order: known ? state.order : [...state.order, id] };
}

/** @param {"text" | "thinking"} kind */
function delta(kind) {
  return (state, event) =>
    withTurn(state, event.turn, (turn) =>
      withStep(withNotes(turn), event.step, (step) => {
        const last = step.parts.at(-1);
        if (last?.kind !== kind) return { ...step, parts: [...step.parts, { kind, text: event.text }] };
        return { ...step, parts: [...step.parts.slice(0, -1), { kind, text: last.text + event.text }] };
      }),
    );
}

/** @param {State} state @param {Record<string, any>} event @param {Partial<Request>} fields @returns {State} */
function asked(state, event, fields) {
  const request = {
    id: event.id, turn: event.turn, call: event.call, deadline: event.deadline, state: "pending", decision: "",
    name: "", arguments: null, hash: "", reasons: [], text: "", choices: [], multiple: false, ...fields,
  };
  const known = Object.hasOwn(state.requests, event.id);
  return withTurn({ ...state, requests: { ...state.requests, [event.id]: request } }, event.turn, (turn) =>
    known ? turn : { ...turn, requests: [...turn.requests, event.id] },
  );
}

/**
 * A retry's note stands only until something else is told.
 * @param {Turn} turn
 * @param {Note[]} [more]
 * @returns {Turn}
 */
function withNotes(turn, more = []) {
  return { ...turn, notes: [...turn.notes.filter((note) => note.kind !== "retrying"), ...more] };
}

/** @param {State} state @param {string | null} turn @param {Note} note @returns {State} */
function noted(state, turn, note) {
  if (!turn) return { ...state, notes: [...state.notes, note] };
  return withTurn(state, turn, (each) => withNotes(each, [note]));
}

/** @param {State} state @param {string} turn @param {Partial<Message>} fields @returns {State} */
function withMessageOf(state, turn, fields) {
  const change = (each) => (each.turn === turn && each.place === "waiting" ? { ...each, ...fields } : each);
  return { ...state, messages: state.messages.map(change) };
}

/** @type {Record<string, (state: State, event: Record<string, any>) => State>} */
const handlers = {
  message_added(state, { message, queued, turn }) {
    if (state.messages.some((each) => each.id === message.id)) return state;
    const added = {
      id: message.id, text: message.content, parent: message.parent ?? null, client: message.client_id ?? "",
      turn: turn ?? "", place: "waiting", queued: Boolean(queued),
    };
    return { ...state, messages: [...state.messages, added] };
  },
  turn_started(state, event) {
    const begun = withMessageOf(state, event.turn, { place: "begun", queued: false });
    return withTurn(begun, event.turn, (turn) => ({
      ...turn, message: event.message, model: event.model, state: "running", reason: "",
    }));
  },
  step_started: (state, event) =>
    withTurn(state, event.turn, (turn) => {
      const old = turn.steps.find((step) => step.number === event.step);
      const dropped = new Set(old?.parts.flatMap((part) => (part.kind === "call" ? [part.id] : [])));
      const calls = Object.fromEntries(Object.entries(turn.calls).filter(([id]) => !dropped.has(id)));
      return withStep({ ...turn, calls }, event.step, (step) => ({ ...step, attempt: event.attempt, parts: [] }));
    }),
  text_delta: delta("text"),
  thinking_delta: delta("thinking"),
  tool_call: (state, event) => withTurn(state, event.turn, (turn) => callTaken(withNotes(turn), event)),
  tool_progress: (state, event) => withTurn(state, event.turn, (turn) => callProgressed(turn, event)),
  tool_result: (state, event) => withTurn(state, event.turn, (turn) => callEnded(turn, event)),
  permission_request: (state, event) =>
    asked(state, event, {
      kind: "permission", name: event.name, arguments: event.arguments, hash: event.arguments_hash,
      reasons: event.reasons ?? [],
    }),
  question: (state, event) =>
    asked(state, event, {
      kind: "question", text: event.text, choices: event.choices ?? [], multiple: Boolean(event.multiple),
    }),
  resolved(state, event) {
    const request = state.requests[event.id];
    if (!request) return state;
    const settled = { ...request, state: event.state, decision: event.decision ?? "" };
    return { ...state, requests: { ...state.requests, [event.id]: settled } };
  },
  notification: (state, event) =>
    noted(state, event.turn, {
      kind: event.details?.code === "retrying" ? "retrying" : "notification", level: event.level,
      message: event.message,
    }),
  context_compacted: (state, event) =>
    noted(state, event.turn, { kind: "compacted", before: event.before, after: event.after }),
  todo_changed: (state, event) => ({ ...state, todos: event.todos }),
  usage: (state, event) =>
    withTurn(state, event.turn, (turn) => ({
      ...turn,
      tokens: turn.tokens + event.input_tokens + event.output_tokens,
      cost: event.cost === null || event.cost === undefined ? turn.cost : (turn.cost ?? 0) + Number(event.cost),
      estimated: turn.estimated || Boolean(event.estimated),
    })),
  error: (state, event) =>
    withTurn(state, event.turn, (turn) => ({ ...turn, error: { code: event.code, message: event.message } })),
  turn_finished(state, event) {
    const waiting = state.messages.some((each) => each.turn === event.turn && each.place === "waiting");
    if (!Object.hasOwn(state.turns, event.turn)) {
      return waiting ? withMessageOf(state, event.turn, { place: "withdrawn", queued: false }) : state;
    }
    return withTurn(state, event.turn, (turn) =>
      closeCalls({ ...withNotes(turn), state: "finished", reason: event.reason, last: event.message ?? null }),
    );
  },
};
