/** What the person has sent and the server has not yet shown: kept over a reload, sent again with the same id. */

/** @typedef {{ type: "send" | "edit", client_id: string, text: string, model: string | null, tools: boolean,
 *   thinking: boolean, message?: number }} Sending */

const FIRST = "chat.first";

export class Outbox {
  /** @param {string} conversation @param {Storage} [storage] */
  constructor(conversation, storage = sessionStorage) {
    this.key = `chat.outbox.${conversation}`;
    this.storage = storage;
    /** @type {Sending[]} */
    this.items = read(storage, this.key) ?? [];
    const first = read(storage, FIRST);
    if (first) {
      this.items.push(first);
      storage.removeItem(FIRST);
      this.#save();
    }
  }

  /** @param {Sending} item */
  add(item) {
    this.items.push(item);
    this.#save();
  }

  /** Take an item out and return it. @param {string} clientId */
  take(clientId) {
    const found = this.items.find((item) => item.client_id === clientId);
    if (found) {
      this.items = this.items.filter((item) => item !== found);
      this.#save();
    }
    return found;
  }

  #save() {
    try {
      this.storage.setItem(this.key, JSON.stringify(this.items));
    } catch {
      // A full or forbidden storage: the items live as long as the page.
    }
  }
}

/** Keep the message with which a conversation begins until its page is there. @param {Sending} item */
export function keepFirst(item, storage = sessionStorage) {
  storage.setItem(FIRST, JSON.stringify(item));
}

export function newClientId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
