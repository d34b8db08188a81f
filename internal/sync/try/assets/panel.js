// Keeps the list of events up to date while the panel is looked at. Without it, a reload does.
"use strict";
const seen = document.getElementById("seen");
const interval = 1000; // milliseconds

async function renew() {
  if (document.visibilityState === "visible") {
    try {
      const response = await fetch("seen", { cache: "no-store" });
      const text = await response.text();
      if (response.ok && text !== renew.last) {
        renew.last = text;
        seen.innerHTML = text; // the server escapes what events hold
      }
    } catch {
      // The server has ended, or is about to answer again.
    }
  }
  setTimeout(renew, interval);
}
renew();
