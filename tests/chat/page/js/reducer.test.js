import assert from "node:assert/strict";
import { test } from "node:test";

import { answerOf, failures, segments, usageOf } from "../../../../static/chat/live/layout.js";
import { initial, reduce, running } from "../../../../static/chat/live/reducer.js";

const AT = "2030-01-01T00:00:00+00:00";

/** Number events and reduce them. */
function after(events, state = initial(0)) {
  return events.reduce((now, event, at) => reduce(now, { turn: "t", at: AT, seq: state.seq + at + 1, ...event }), state);
}

const started = { type: "turn_started", message: 1, model: "M", tools: true, thinking: false, epoch: 1 };
const text = (words, step = 1) => ({ type: "text_delta", step, text: words });
const called = (id, step = 1) => ({ type: "tool_call", id, name: "fetch", arguments: { url: "u" }, step });
const ended = (id, status = "success", step = 1) => ({
  type: "tool_result", tool_call_id: id, name: "fetch", output: "o", is_error: status !== "success", step,
  metadata: { status, duration_ms: 12 },
});

test("an event is counted once, and an older or unnumbered one not at all", () => {
  const state = after([started, text("Hel"), text("lo")]);
  assert.equal(answerOf(state.turns.t), "Hello");
  assert.equal(reduce(state, { ...text("lo"), turn: "t", seq: 3 }), state);
  assert.equal(reduce(state, { type: "snapshot", upto: 9 }), state);
});

test("a state is never changed in place", () => {
  const before = after([started, text("Hel")]);
  const copy = structuredClone(before);
  after([text("lo"), called("a"), ended("a"), { type: "turn_finished", reason: "completed", message: 2 }], before);
  assert.deepEqual(before, copy);
});

test("events of kinds that this page does not know are passed over", () => {
  const state = after([started, { type: "constructor" }, { type: "news_of_tomorrow" }, text("x")]);
  assert.equal(state.seq, 4);
  assert.equal(answerOf(state.turns.t), "x");
});

test("a further attempt replaces what its step had shown and leaves the other steps", () => {
  const state = after([
    started, { type: "step_started", step: 1, attempt: 1 }, text("One."), called("a"), ended("a"),
    { type: "step_started", step: 2, attempt: 1 }, text("Hal", 2), called("b", 2),
    { type: "step_started", step: 2, attempt: 2 }, text("Two.", 2),
  ]);
  assert.equal(answerOf(state.turns.t), "One.\n\nTwo.");
  assert.deepEqual(Object.keys(state.turns.t.calls), ["a"]);
  assert.equal(state.turns.t.steps[1].attempt, 2);
});

test("a turn that another process took over goes on where it was", () => {
  const state = after([started, text("One."), { ...started, epoch: 2 }, { type: "step_started", step: 2, attempt: 1 }, text("Two.", 2)]);
  assert.deepEqual(state.order, ["t"]);
  assert.equal(answerOf(state.turns.t), "One.\n\nTwo.");
});

test("calls with nothing said between them stand together, over steps too", () => {
  const state = after([started, text("I look."), called("a"), called("b"), called("c", 2), text("Found.", 3), called("d", 3)]);
  assert.deepEqual(
    segments(state.turns.t).map((each) => each.calls ?? each.text),
    ["I look.", ["a", "b", "c"], "Found.", ["d"]],
  );
});

test("only the last stretch of a running turn is open", () => {
  const state = after([started, { type: "thinking_delta", step: 1, text: "Hm." }, text("A")]);
  assert.deepEqual(segments(state.turns.t).map((each) => each.open), [false, true]);
  const over = after([{ type: "turn_finished", reason: "completed", message: 2 }], state);
  assert.deepEqual(segments(over.turns.t).map((each) => each.open), [false, false]);
});

test("a call has its progress, its end and its duration", () => {
  const begun = after([started, called("a"), { type: "tool_progress", id: "a", progress: { fraction: 0.5, message: "half" } }]);
  assert.deepEqual(begun.turns.t.calls.a.progress, { fraction: 0.5, message: "half" });
  const state = after([ended("a", "timeout"), { type: "tool_progress", id: "a", progress: { fraction: 0.9, message: "" } }], begun);
  const call = state.turns.t.calls.a;
  assert.deepEqual([call.status, call.duration, call.progress], ["timeout", 12, null]);
  assert.equal(failures(state.turns.t, ["a"]), 1);
});

test("a result whose call was never told still gets a card", () => {
  const state = after([started, ended("a", "denied")]);
  assert.equal(segments(state.turns.t)[0].calls[0], "a");
  assert.equal(state.turns.t.calls.a.status, "denied");
});

test("a turn that is over has no running call", () => {
  const state = after([started, called("a"), { type: "turn_finished", reason: "stopped", message: null }]);
  assert.equal(state.turns.t.calls.a.status, "cancelled");
  assert.equal(running(state), undefined);
});

test("a message waits, begins with its turn, and is withdrawn by a turn that ends before", () => {
  const added = (id, queued) => ({
    type: "message_added", queued, turn: `t${id}`, message: { id, content: `m${id}`, parent: null, client_id: `c${id}` },
  });
  const state = after([added(1, false), added(2, true), { ...started, turn: "t1" }]);
  assert.deepEqual(state.messages.map((each) => each.place), ["begun", "waiting"]);
  const over = after([{ type: "turn_finished", turn: "t2", reason: "stopped", message: null }], state);
  assert.deepEqual(over.messages.map((each) => each.place), ["begun", "withdrawn"]);
  assert.deepEqual(over.order, ["t1"]);
});

test("a permission is pending until it is resolved, whichever tab decided", () => {
  const asked = {
    type: "permission_request", id: "r", call: "a", name: "fetch", arguments: {}, arguments_hash: "h", reasons: ["why"],
    deadline: AT,
  };
  const state = after([started, called("a"), asked, asked]);
  assert.deepEqual(state.turns.t.requests, ["r"]);
  assert.equal(state.requests.r.state, "pending");
  const decided = after([{ type: "resolved", id: "r", state: "answered", decision: "deny" }], state);
  assert.deepEqual([decided.requests.r.state, decided.requests.r.decision], ["answered", "deny"]);
});

test("a retry's note goes with the next thing told, other notes stay", () => {
  const note = (message, code) => ({ type: "notification", level: "warning", message, details: { code } });
  const state = after([started, note("Again in 1 s", "retrying"), note("Again in 2 s", "retrying"), note("Half used", "budget")]);
  assert.deepEqual(state.turns.t.notes.map((each) => each.message), ["Half used"]);
});

test("usage is summed, and marked where one part is estimated", () => {
  const used = (cost, estimated) => ({ type: "usage", step: 1, input_tokens: 10, output_tokens: 5, cost, estimated });
  const { turns } = after([started, used("0.25", false), used(null, true)]);
  assert.deepEqual(usageOf({ tokens: 100, cost: null, estimated: false }, [turns.t]), { tokens: 130, cost: 0.25, estimated: true });
  assert.deepEqual(usageOf({ tokens: 0, cost: null, estimated: false }, []), { tokens: 0, cost: null, estimated: false });
});
