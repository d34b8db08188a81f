"use strict";
const { execFile } = require("node:child_process");
const { promisify } = require("node:util");

// syncProgram returns the path of posthog-sync: that of its npm package in the project, else the one in PATH.
function syncProgram() {
  try {
    return require(require.resolve("@surveys-as-code/posthog-sync/program.js", { paths: [process.cwd(), __dirname] })).program();
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") {
      throw error;
    }
    return process.env.POSTHOG_SYNC_BINARY || "posthog-sync";
  }
}

// wire renames the attributes of a question, such as lower_bound_label, to the names of PostHog's API.
function wire(question) {
  const renamed = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) =>
    [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), name === "branching" && value ? renamed(value) : value]));
  return renamed(question);
}

// sentence returns the message in the body of an error.
function sentence(text) {
  try {
    const { attr, detail } = JSON.parse(text);
    return attr ? `${attr}: ${detail}` : detail;
  } catch {
    return text;
  }
}

// World has surveys, persons, events, faults, and a clock that no other world of the server shares.
class World {
  #created;
  #path;

  constructor({ url, name, apiKey, projectId, projectToken, created }) {
    Object.assign(this, { url, name, apiKey, projectId, projectToken });
    this.#created = created;
    this.#path = `/api/projects/${projectId}/surveys/`;
    this.surveys = {
      create: (survey) => this.#inOrder(() => this.#create(survey)),
      list: () => this.#inOrder(() => this.#list()),
      launch: (survey) => this.#change(survey, async () => ({ start_date: await this.#now(), end_date: null, archived: false })),
      stop: (survey) => this.#change(survey, async () => ({ end_date: await this.#now() })),
    };
    this.people = {
      add: (distinctId, properties = {}) => this.#control("POST", "people", {}, { project_id: Number(projectId), distinct_ids: [distinctId], properties }),
      of: async (survey, distinctId) => {
        const { id } = await this.#find(survey);
        const people = await this.#control("GET", `surveys/${id}/people`, distinctId === undefined ? {} : { distinct_id: distinctId });
        return distinctId === undefined ? people : people[0];
      },
    };
    this.clock = { set: async (instant) => this.#control("PUT", "clock", {}, { clock: new Date(instant).toISOString() }) };
    this.faults = {
      set: (rules) => this.#control("PUT", "faults", {}, { rules: [rules].flat() }),
      clear: () => this.#control("DELETE", "faults"),
    };
    this.opened = this.#open();
    // Each method reports the error. A world without a call must not fail a test.
    this.opened.catch(() => {});
  }

  init() { return { api_host: this.url, opt_out_useragent_filter: true }; }

  async events({ survey, event, distinctId, wait } = {}) {
    const filter = { event, distinct_id: distinctId, wait, survey_id: survey === undefined ? undefined : (await this.#find(survey)).id };
    const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    for (const [name, value] of Object.entries(query)) {
      if (value === "") {
        throw new Error(`the ${name} of an event is empty, which would select every event: leave it out, or set it`);
      }
    }
    return this.#control("GET", "events", query);
  }

  // An app sends an answer a moment after the click, so this waits for the first one.
  async answers(survey, { wait = "10s" } = {}) {
    const { id, questions } = await this.#find(survey);
    const submissions = new Map();
    for (const { uuid, distinct_id: distinctId, at, properties } of await this.events({ survey: { id }, event: "survey sent", wait })) {
      const submission = properties.$survey_submission_id ?? uuid;
      const { answers } = submissions.get(submission) ?? { answers: {} };
      for (const [place, question] of questions.entries()) {
        // PostHog reads an answer under the question's ID, or, from old SDKs, under its position.
        const answer = properties[`$survey_response_${question.id}`] ?? properties[place ? `$survey_response_${place}` : "$survey_response"];
        if (answer !== undefined) {
          answers[question.question] = answer;
        }
      }
      submissions.set(submission, { distinctId, at, answers });
    }
    return [...submissions.values()];
  }

  journal() { return this.#control("GET", "requests"); }

  // The first reason of a test that waits in vain is often that the app has not reached the server.
  async reasons() {
    const asked = new Set((await this.journal()).map(({ operation }) => operation));
    const reasons = [];
    if (!asked.has("sdk_surveys")) {
      reasons.push("no app has asked for these surveys: posthog.init needs the projectToken and the init() of this test");
    } else if (!asked.has("sdk_capture")) {
      reasons.push("an app has asked for the surveys and sent no event: in a test, posthog.init needs opt_out_useragent_filter: true");
    }

    for (const survey of await this.surveys.list()) {
      const known = await this.people.of(survey);
      for (const person of known.length ? known : [await this.people.of(survey, "anybody")]) {
        const why = person.offered ? ["is offered", ...(person.in_the_app ?? [])] : ["is not offered", ...person.reasons];
        reasons.push(`${survey.name}, ${person.distinct_ids[0]}: ${why.join("; ")}`);
      }
    }
    return reasons;
  }

  problems() { return this.#control("GET", "report", { format: "json" }); }

  reset() {
    this.opened = this.#inOrder(() => this.#send("POST", this.#address("reset"))).then(() => this.#fill());
    return this.opened;
  }

  async close() { await this.#inOrder(() => this.#send("DELETE", this.#worldPath)); }

  async [Symbol.asyncDispose]() { await this.close(); }

  async #open() {
    if (this.name) {
      await this.#send("PUT", this.#worldPath);
    }
    await this.#fill();
  }

  get #worldPath() { return `/_testserver/worlds/${encodeURIComponent(this.name)}`; }

  // fill creates the surveys that each world begins with.
  async #fill() {
    if (typeof this.#created === "string") {
      await this.#sync(this.#created);
      return;
    }
    for (const survey of this.#created) {
      await this.#create(survey);
    }
  }

  // posthog-sync alone reads its YAML files: names of questions, branching to them, texts such as Yes.
  async #sync(file) {
    const settings = { POSTHOG_BASE_URL: this.url, POSTHOG_API_KEY: this.apiKey, POSTHOG_PROJECT_ID: String(this.projectId) };
    await promisify(execFile)(syncProgram(), ["sync", `file:${file}`, "live", "--yes"], { env: { ...process.env, ...settings } }).catch((error) => {
      const why = error.code === "ENOENT"
        ? "posthog-sync is not installed, which reads it: npm install --save-dev @surveys-as-code/posthog-sync"
        : (error.stderr || error.message).trim().replace(/^Error: /, "");
      throw new Error(`surveys ${file}: ${why}`, { cause: error });
    });
  }

  async #create({ status = "draft", ...survey }) {
    if (!["draft", "running"].includes(status)) {
      throw new Error(`the status of a new survey is "draft" or "running", is ${JSON.stringify(status)}`);
    }
    const questions = survey.questions && { questions: survey.questions.map(wire) };
    const created = await this.#json("POST", this.#path, { type: "popover", ...survey, ...questions });
    // PostHog switches targeting on at a launch, which a start date in the request that creates the survey is not.
    return status === "draft" ? created : this.#json("PATCH", `${this.#path}${created.id}/`, { start_date: await this.#now() });
  }

  async #list() {
    const listed = [];
    for (let page = { next: `${this.#path}?limit=100` }; page.next;) {
      const { pathname, search } = new URL(page.next, this.url);
      page = await this.#json("GET", pathname + search);
      listed.push(...page.results);
    }
    return listed;
  }

  // The survey is read again, so edits since then are seen.
  async #find(survey) {
    const listed = await this.surveys.list();
    const found = listed.filter(({ id, name }) => id === (survey.id ?? survey) || name === survey);
    if (found.length !== 1) {
      throw new Error(`${found.length || "no"} surveys are called ${JSON.stringify(survey.name ?? survey.id ?? survey)}; there are ${JSON.stringify(listed.map(({ name }) => name))}`);
    }
    return found[0];
  }

  async #change(survey, patch) {
    const { id } = await this.#find(survey);
    return this.#json("PATCH", `${this.#path}${id}/`, await patch());
  }

  // The clock of the world may stand still.
  async #now() {
    const response = await this.#send("HEAD", this.#address("faults"));
    return new Date(response.headers.get("Date")).toISOString();
  }

  #address(path, query = {}) {
    return `/_testserver/${path}?${new URLSearchParams({ ...(this.name && { world: this.name }), ...query })}`;
  }

  #control(method, path, query, body) { return this.#inOrder(() => this.#json(method, this.#address(path, query), body)); }

  // A request must not reach a world before it exists.
  async #inOrder(work) {
    await this.opened;
    return work();
  }

  async #json(method, path, body) {
    const text = await (await this.#send(method, path, body)).text();
    return text ? JSON.parse(text) : undefined;
  }

  async #send(method, path, body) {
    const headers = { "Content-Type": "application/json", ...(path.startsWith("/api/") && { Authorization: `Bearer ${this.apiKey}` }) };
    const response = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) }).catch((error) => {
      throw new Error(`${method} ${path}: the test server cannot be reached: ${error.cause?.message ?? error.message}`, { cause: error });
    });
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${sentence(await response.text())}`);
    }
    return response;
  }
}

exports.World = World;
