/** Fetches the stored part of the conversation anew, again and again until it is there. */

import { delayOf } from "./socket.js";

/**
 * @param {string} url
 * @param {{ loaded: (transcript: HTMLElement) => void,
 *   trouble: (state: "later" | "signed_out" | "gone") => void }} told
 */
export function fetchTranscript(url, told) {
  let [loading, again, tries] = [false, false, 0];

  async function once() {
    const response = await fetch(url);
    if (response.redirected) return told.trouble("signed_out");
    if (response.status === 404) return told.trouble("gone");
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    tries = 0;
    return told.loaded(document.importNode(page.getElementById("transcript"), true));
  }

  async function load() {
    if (loading) {
      again = true;
      return;
    }
    loading = true;
    try {
      do {
        again = false;
        await once();
      } while (again);
    } catch {
      told.trouble("later");
      setTimeout(load, delayOf((tries += 1)));
    } finally {
      loading = false;
    }
  }

  return { load, isLoading: () => loading };
}
