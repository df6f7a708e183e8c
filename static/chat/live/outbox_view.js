/** Shows what was sent and is not in the conversation yet. */

import { arrange, setText } from "../dom.js";
import { t } from "../texts.js";

export class OutboxView {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Map<string, HTMLElement>} */
    this.nodes = new Map();
  }

  /** @param {import("./outbox.js").Sending[]} items @param {boolean} online */
  update(items, online) {
    for (const item of items) {
      if (!this.nodes.has(item.client_id)) this.nodes.set(item.client_id, messageNode(item.text));
      setText(this.nodes.get(item.client_id).querySelector(".badge"), t(online ? "sending" : "unsent"));
    }
    arrange(this.element, items.map((item) => this.nodes.get(item.client_id)));
    for (const id of [...this.nodes.keys()]) if (!items.some((item) => item.client_id === id)) this.nodes.delete(id);
  }
}

/** @param {string} text */
function messageNode(text) {
  const [message, body, foot, badge] = ["article", "div", "footer", "span"].map((name) => document.createElement(name));
  message.className = "message sending";
  body.className = "message-text";
  foot.className = "actions";
  badge.className = "badge";
  body.dir = "auto";
  body.textContent = text;
  foot.append(badge);
  message.append(body, foot);
  return message;
}
