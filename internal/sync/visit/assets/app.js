// Makes the browser the visitor that the panel describes, and starts posthog-js. Runs before it.
"use strict";
const { token, api_host, world, visit, properties } = JSON.parse(document.currentScript.dataset.start);

// What posthog-js tells devices apart by.
const userAgents = {
  Mobile: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
  Tablet: "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
  Console: "Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15",
  Wearable: "Mozilla/5.0 (Apple Watch; CPU Apple Watch OS 10_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)",
  Desktop: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
};
Object.defineProperty(navigator, "userAgent", { get: () => userAgents[visit.device] });
if (visit.referrer) {
  Object.defineProperty(document, "referrer", { get: () => visit.referrer });
}

// Another person sits before another browser: what this one remembers is not theirs, nor of an
// earlier trial at this address.
const visitorKey = "visitor";
const visitor = JSON.stringify([world, visit.distinct_id]);
if (localStorage.getItem(visitorKey) !== visitor) {
  localStorage.clear();
  sessionStorage.clear();
  localStorage.setItem(visitorKey, visitor);
}

window.addEventListener("load", () => {
  posthog.init(token, {
    api_host,
    opt_out_useragent_filter: true, // a browser that a test drives counts, too
    autocapture: false,
    disable_session_recording: true,
    persistence: "memory",
    bootstrap: { distinctID: visit.distinct_id, isIdentifiedID: true },
    override_display_language: visit.language || undefined,
    get_current_url: (real) => visit.url || real,
    loaded: (client) => {
      // They are of this visit alone: the next one may be without.
      client.setPersonPropertiesForFlags(properties, false);
      for (const [type, group] of Object.entries(visit.groups ?? {})) {
        client.group(type, group.key, group.properties);
      }
      client.reloadFeatureFlags();
    },
  });
});
