// Sends events as a backend does: node posthog-node.js MODULES HOST, with batches of events as JSON in standard input.
// Each batch is flushed before the next one is captured, so the SDK has sent all, or given up, before the end.
const path = require("node:path");

const [, , modules, host] = process.argv;
const { PostHog } = require(path.join(modules, "posthog-node"));

const client = new PostHog("phc_test", { host, flushAt: 100, fetchRetryDelay: 1 });
client.on("error", (error) => {
  console.error(String(error));
  process.exitCode = 1;
});

// The SDK's own timers don't keep a program alive, so one without a server would end before a retry.
const alive = setInterval(() => {}, 60_000);

let input = "";
process.stdin.on("data", (text) => (input += text));
process.stdin.on("end", async () => {
  for (const batch of JSON.parse(input)) {
    for (const event of batch) client.capture(event);
    await client.flush();
  }
  await client.shutdown();
  clearInterval(alive);
});
