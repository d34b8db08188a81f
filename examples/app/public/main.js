import posthog from "posthog-js";

document.getElementById("pay").addEventListener("click", () => {
  document.getElementById("paid").textContent = "Paid, thank you.";
});

// An app gets these from its build, and its customer from the session. This one has the customer in
// its address: /?customer=ada&plan=pro
const { host, token, underTest } = window.settings;
const address = new URLSearchParams(location.search);

posthog.init(token, {
  api_host: host,
  // posthog-js takes a browser that a test drives for a bot, and would send nothing.
  opt_out_useragent_filter: underTest,
  loaded: () => {
    if (address.has("customer")) {
      posthog.identify(address.get("customer"), { plan: address.get("plan") ?? "free" });
    }
  },
});
window.posthog = posthog; // for the console, and for tests
