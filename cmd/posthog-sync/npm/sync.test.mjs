// Tests of the package as it is installed, beside that of the test server; make example-app runs them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { start } from "@surveys-as-code/posthog-testserver";

const begin = (server, ...args) => spawn("npx", ["posthog-sync", ...args], {
  env: { ...process.env, POSTHOG_BASE_URL: server.url, POSTHOG_API_KEY: server.apiKey, POSTHOG_PROJECT_ID: server.projectId },
  stdio: ["ignore", "pipe", "inherit"],
  detached: true,
});
const codeOf = async (run) => (await once(run, "exit"))[0];
const names = async (server) => (await server.surveys.list()).map(({ name }) => name);

test("surveys of a file are written, and found again", async () => {
  const server = await start();
  await writeFile("one.yaml", "surveys: [{name: NPS, type: popover, questions: [{type: open, question: Why?}]}]");
  assert.equal(await codeOf(begin(server, "diff", "file:one.yaml", "live")), 2);
  assert.equal(await codeOf(begin(server, "sync", "file:one.yaml", "live", "--yes")), 0);
  assert.deepEqual(await names(server), ["NPS"]);
  assert.equal(await codeOf(begin(server, "diff", "file:one.yaml", "live")), 0);
  await server.close();
});

test("Ctrl-C in a terminal finishes the request in flight", { timeout: 60_000 }, async () => {
  const server = await start();
  await writeFile("two.yaml", "surveys: [{name: CSAT, type: popover, questions: [{type: open, question: Why?}]}]");
  await server.faults.set({ operation: "surveys_create", delay_ms: 3000 });
  const run = begin(server, "sync", "file:two.yaml", "live", "--yes");
  const creates = async () => (await server.journal()).filter(({ operation }) => operation === "surveys_create").map(({ status }) => status);
  while ((await creates()).length === 0);
  // A terminal sends it to npx, to the launcher and to the program.
  process.kill(-run.pid, "SIGINT");
  assert.match(await text(run.stdout), /create survey "CSAT" as a draft: done/);
  assert.deepEqual(await creates(), [201]);
  await server.close();
});
