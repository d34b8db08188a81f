// Tests of the package as it is installed, which make example-app runs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

import { start } from "@surveys-as-code/posthog-testserver";

const everywhere = { name: "Everywhere", status: "running", questions: [{ type: "rating", question: "How?", display: "number", scale: 5, lower_bound_label: "Bad" }] };
const names = async (world) => (await world.surveys.list()).map(({ name }) => name).sort();

test("a server ends with a process that is killed", { timeout: 60_000 }, async () => {
  const script = 'require("@surveys-as-code/posthog-testserver").start().then(({ url }) => { console.log(url); setInterval(() => {}, 1000); })';
  const holder = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = await once(holder.stdout.setEncoding("utf8"), "data");
  const answers = () => fetch(`${url.trim()}/_testserver/health`).then(() => true, () => false);
  assert.equal(await answers(), true);
  holder.kill("SIGKILL");
  while (await answers());
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
  const offered = ["Everywhere, anybody: is offered", 'Draft, anybody: is not offered; status: it is a draft: launch it with status = "running", or in the web interface'];
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
  await assert.rejects(server.world("a b").journal(), /the name of a world is/);
  await server.close();
  await assert.rejects(world.journal(), /^Error: GET \/_testserver\/requests\?world=own: the test server cannot be reached: /);

  await assert.rejects(start({ fixtures: { survey: [] } }), { message: 'posthog-testserver: fixtures: survey: unknown key, did you mean "surveys"?' });
  Object.defineProperty(process, "arch", { value: "mips" });
  await assert.rejects(start(), /the package @surveys-as-code\/posthog-testserver-\w+-mips is missing, .*POSTHOG_TESTSERVER_BINARY/);
});
