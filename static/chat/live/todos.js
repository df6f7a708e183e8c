/** The plan of the conversation. */

import { copyOf, setText } from "../dom.js";

/** @param {{ content?: string, status?: string }[]} todos */
export function showTodos(todos) {
  const place = document.getElementById("todos");
  if (!todos.length) {
    place.replaceChildren();
    return;
  }
  let panel = place.querySelector(".todos");
  if (!panel) {
    panel = copyOf("todos-template");
    place.replaceChildren(panel);
  }
  const list = panel.querySelector("ol");
  const items = todos.map((todo) => {
    const item = document.createElement("li");
    item.dataset.status = String(todo.status ?? "pending");
    item.textContent = String(todo.content ?? "");
    return item;
  });
  const same = items.length === list.children.length && items.every((item, at) => item.isEqualNode(list.children[at]));
  if (!same) list.replaceChildren(...items);
  const done = todos.filter((todo) => todo.status === "completed").length;
  setText(panel.querySelector(".todos-count"), `${done}/${todos.length}`);
  const now = todos.find((todo) => todo.status === "in_progress");
  setText(panel.querySelector(".todos-now"), String(now?.content ?? ""));
}
