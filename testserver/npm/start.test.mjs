// Tests of the package as it is installed, which make example-app runs.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { start } from "@surveys-as-code/posthog-testserver";

const everywhere = { name: "Everywhere", status: "running", questions: [{ type: "rating", question: "How?", display: "number", scale: 5, lower_bound_label: "Bad" }] };
const names = async (world) => (await world.surveys.list()).map(({ name }) => name).sort();

// endsWith starts a program that prints the URL of a server, signals the program, and waits until the server has ended.
async function endsWith(command, args, signal, options) {
  const holder = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], ...options });
  let printed = "", url;
  holder.stdout.setEncoding("utf8").on("data", (text) => { printed += text; });
  while (!url) {
    await once(holder.stdout, "data");
    [url] = printed.match(/http:\S+(?=\s)/) ?? [];
  }
  const serves = () => fetch(`${url}/_testserver/health`).then(() => true, () => false);
  assert.equal(await serves(), true);
  holder.kill(signal);
  while (await serves());
}

// inFolder runs work in a new folder inside of this one, whose packages it sees.
async function inFolder(work) {
  const folder = mkdtempSync(join(import.meta.dirname, "test-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a server ends with a process that is killed", { timeout: 60_000 }, async () => {
  const script = 'require("@surveys-as-code/posthog-testserver").start().then(({ url }) => { console.log(url); setInterval(() => {}, 1000); })';
  await endsWith(process.execPath, ["-e", script], "SIGKILL");
});

test("a server ends with its launcher", { timeout: 60_000 }, async () => {
  const launcher = "node_modules/@surveys-as-code/posthog-testserver/bin.js";
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    await endsWith(process.execPath, [launcher, "-listen", "127.0.0.1:0"], signal);
  }
});

test("a server ends with npm run", { timeout: 60_000 }, () => inFolder(async (folder) => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { serve: "posthog-testserver -listen 127.0.0.1:0" } }));
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    await endsWith("npm", ["run", "--silent", "serve"], signal, { cwd: folder });
  }
}));

test("the launcher leaves standard input to fixtures", () => {
  const launcher = "node_modules/@surveys-as-code/posthog-testserver/bin.js";
  for (const fixtures of [["-fixtures", "-"], ["-fixtures=-"], ["--fixtures=-"]]) {
    assert.throws(() => execFileSync(process.execPath, [launcher, ...fixtures], { input: '{"survey": []}', encoding: "utf8", stdio: "pipe" }),
      /standard input: fixtures: survey: unknown key/);
  }
});

test("a server starts where pipes have no unref, as in Bun", { timeout: 60_000 }, () => {
  const script = `
    const childProcess = require("node:child_process");
    const { spawn } = childProcess;
    childProcess.spawn = (...args) => {
      const child = spawn(...args);
      for (const handle of [child, child.stdin, child.stdout, child.stderr]) handle.unref = undefined;
      return child;
    };
    require("@surveys-as-code/posthog-testserver").start().then((server) => server.close()).then(() => console.log("closed"));`;
  assert.equal(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }), "closed\n");
});

test("a world has a name that a URL can carry", async () => {
  const server = await start();
  await server.world("kept").surveys.create({ name: "Kept" });
  for (const name of ["", ".", "..", undefined, null, 7]) {
    assert.throws(() => server.world(name), /the name of a world is .*: use letters/);
  }
  for (const name of ["kept?run=2", "kept#1", "kept/../kept", "a b", "%6bept"]) {
    const world = server.world(name);
    await assert.rejects(world.surveys.list(), /is not a valid world name/);
    await assert.rejects(world.close(), /is not a valid world name/);
  }
  assert.deepEqual(await names(server.world("kept")), ["Kept"]);
  await server.close();
});

test("an empty filter selects no event", async () => {
  const server = await start({ surveys: [everywhere] });
  for (const filter of [{ survey: "" }, { event: "" }, { distinctId: "" }]) {
    await assert.rejects(server.events(filter), /no surveys are called ""|is empty, which would select every event/);
  }
  assert.deepEqual(await server.events({ survey: undefined }), []);
  await server.close();
});

test("worlds begin with the surveys of a YAML file", () => inFolder(async (folder) => {
  const file = join(folder, "surveys.yaml");
  writeFileSync(file, `surveys:
  - name: Dark mode
    type: popover
    status: running
    questions:
      - {type: single_choice, question: Do you use it?, choices: [Yes, No], branching: {type: response_based, response_values: {"0": end, "1": why}}}
      - {type: rating, question: How well?, display: number, scale: 5}
      - {name: why, type: open, question: Why not?}
`);
  const server = await start({ surveys: file });
  for (const world of [server, server.world("own")]) {
    const [{ name, start_date: launched, questions: [{ choices, branching }] }] = await world.surveys.list();
    assert.deepEqual([name, Boolean(launched), choices, branching.responseValues], ["Dark mode", true, ["Yes", "No"], { 0: "end", 1: 2 }]);
  }
  await server.world("own").reset();
  await server.close();

  writeFileSync(file, "surveys: [{name: Dark mode, tipe: popover}]");
  await assert.rejects(start({ surveys: file }), (error) => error.message.startsWith(`surveys ${file}: ${file}: line 1: `) && error.message.includes("tipe"));
  writeFileSync(join(folder, "broken.json"), "surveys: []");
  await assert.rejects(start({ surveys: join(folder, "broken.json") }), /broken\.json is not JSON: /);
}));

test("apps have a token in each profile", async () => {
  for (const profile of ["documented", "hosted"]) {
    const server = await start({ profile, surveys: [everywhere] });
    for (const world of [server, server.world("own")]) {
      await world.opened;
      const { surveys } = await (await fetch(`${world.url}/api/surveys/?token=${world.projectToken}`)).json();
      assert.deepEqual(surveys.map(({ name }) => name), ["Everywhere"], profile);
    }
    await server.close();
  }
});

test("a hundred worlds see nothing of each other", async () => {
  const server = await start({ surveys: [everywhere], clock: "2026-12-24T00:00:00Z" });
  await Promise.all(Array.from({ length: 100 }, async (_, number) => {
    const world = server.world(`test-${number}`);
    const survey = await world.surveys.create({ name: `Own ${number}` });
    assert.deepEqual(await names(world), ["Everywhere", survey.name]);
    assert.equal((await world.surveys.launch(survey)).start_date, "2026-12-24T00:00:00Z");
    await world.reset();
    assert.deepEqual(await names(world), ["Everywhere"]);
  }));
  const [{ start_date: launched, questions: [{ lowerBoundLabel }] }] = await server.surveys.list();
  assert.deepEqual([launched, lowerBoundLabel], ["2026-12-24T00:00:00Z", "Bad"]);
  await server.close();
});

test("a survey is offered to whom its targeting chooses", async () => {
  const world = (await start()).world("own");
  const groups = [{ properties: [{ key: "plan", type: "person", operator: "exact", value: ["pro"] }], rollout_percentage: 100 }];
  await world.surveys.create({ ...everywhere, targeting_flag_filters: { groups } });
  await world.people.add("ada", { plan: "pro" });
  await world.people.add("ben", { plan: "free" });
  assert.deepEqual((await world.people.of("Everywhere")).map(({ distinct_ids: [id], offered }) => [id, offered]), [["ada", true], ["ben", false]]);
});

test("reasons say how far an app has come", async () => {
  const world = (await start({ surveys: [everywhere, { ...everywhere, name: "Draft", status: "draft" }] })).world("own");
  const offered = ["Everywhere, anybody: is offered", 'Draft, anybody: is not offered; status: it is a draft: launch it in PostHog, or with status = "running"'];
  const ask = (path, options) => fetch(world.url + path, options);
  const [first, ...others] = await world.reasons();
  assert.match(first, /^no app has asked/);
  assert.deepEqual(others.sort(), offered.sort());
  await ask(`/api/surveys/?token=${world.projectToken}`);
  assert.match((await world.reasons())[0], /^an app has asked for the surveys and sent no event: .*opt_out_useragent_filter/);
  await ask("/e/", { method: "POST", body: JSON.stringify({ token: world.projectToken, event: "signed up", distinct_id: "anybody" }) });
  assert.deepEqual((await world.reasons()).sort(), offered.sort());
});

test("what fails says why", async () => {
  const server = await start({ surveys: [everywhere] });
  const world = server.world("own");
  await assert.rejects(world.surveys.create({ name: "NPS", type: "popup" }), { message: 'POST /api/projects/1/surveys/: 400 type: "popup" is not a valid choice.' });
  await assert.rejects(world.surveys.create({ name: "NPS", status: "stopped" }), /"draft" or "running", is "stopped"/);
  await assert.rejects(world.surveys.stop("NPS"), { message: 'no surveys are called "NPS"; there are ["Everywhere"]' });
  await assert.rejects(world.faults.set({ state: 503 }), /^Error: PUT \/_testserver\/faults\?world=own: 400 faults: rules\[0\]\.state: unknown key/);
  await assert.rejects(server.world("a b").journal(), /is not a valid world name/);
  await server.close();
  await assert.rejects(world.journal(), /^Error: GET \/_testserver\/requests\?world=own: the test server cannot be reached: /);

  await assert.rejects(start({ fixtures: { survey: [] } }), { message: 'posthog-testserver: fixtures: survey: unknown key, did you mean "surveys"?' });
  Object.defineProperty(process, "arch", { value: "mips" });
  await assert.rejects(start(), /the package @surveys-as-code\/posthog-testserver-\w+-mips is missing, .*POSTHOG_TESTSERVER_BINARY/);
});
