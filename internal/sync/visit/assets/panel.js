// Renews what this person is offered and what arrived, while the panel is looked at. Without
// it, a reload does.
"use strict";
const renewed = ["offers-list", "seen"];
const interval = 1000; // milliseconds
let version = null;

async function renew() {
  if (document.visibilityState === "visible") {
    try {
      const now = await (await fetch("version", { cache: "no-store" })).text();
      if (now !== version) {
        version = now; // before the page is asked for: what arrives meanwhile is another version
        await reload();
      }
    } catch {
      // The server has ended, or is about to answer again.
    }
  }
  setTimeout(renew, interval);
}

async function reload() {
  const response = await fetch(location.href, { cache: "no-store" });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const id of renewed) {
    document.getElementById(id).replaceWith(page.getElementById(id));
  }
}

renew();
