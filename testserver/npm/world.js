"use strict";

// wire gives the names of attributes, such as lower_bound_label, the form that the service has in questions.
function wire(question) {
  const renamed = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) =>
    [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), name === "branching" && value ? renamed(value) : value]));
  return renamed(question);
}

// sentence is what the service says in a response that is no success.
function sentence(text) {
  try {
    const { attr, detail } = JSON.parse(text);
    return attr ? `${attr}: ${detail}` : detail;
  } catch {
    return text;
  }
}

// World is what one test sees of a server: contents, journal, faults and clock of its own.
class World {
  #given;
  #path;

  constructor({ url, name, apiKey, projectId, projectToken, surveys }) {
    Object.assign(this, { url, name, apiKey, projectId, projectToken });
    this.#given = surveys;
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
    // Whoever uses the world is told; one that nobody uses fails no test.
    this.opened.catch(() => {});
  }

  init() { return { api_host: this.url, opt_out_useragent_filter: true }; }

  async events({ survey, event, distinctId, wait } = {}) {
    const asked = { event, distinct_id: distinctId, wait, survey_id: survey && (await this.#find(survey)).id };
    return this.#control("GET", "events", Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)));
  }

  // An app sends an answer a moment after the click, so the first is waited for.
  async answers(survey, { wait = "10s" } = {}) {
    const { id, questions } = await this.#find(survey);
    const submissions = new Map();
    for (const { uuid, distinct_id: distinctId, at, properties } of await this.events({ survey: { id }, event: "survey sent", wait })) {
      const submission = properties.$survey_submission_id ?? uuid;
      const { answers } = submissions.get(submission) ?? { answers: {} };
      for (const [place, question] of questions.entries()) {
        // As the service reads them: under the id of the question, or, from old SDKs, under its place.
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

  // What a test that waits for a survey, or for its answer, wants to know first: how far the app has come,
  // then of each survey who is not asked, and why.
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
    this.opened = this.#inOrder(() => this.#send("POST", this.#address("reset"))).then(() => this.#createGiven());
    return this.opened;
  }

  async close() { await this.#control("DELETE", `worlds/${this.name}`); }

  async [Symbol.asyncDispose]() { await this.close(); }

  async #open() {
    if (this.name) {
      await this.#send("PUT", `/_testserver/worlds/${this.name}`);
    }
    await this.#createGiven();
  }

  async #createGiven() {
    for (const survey of this.#given) {
      await this.#create(survey);
    }
  }

  async #create({ status = "draft", ...survey }) {
    if (!["draft", "running"].includes(status)) {
      throw new Error(`the status of a new survey is "draft" or "running", is ${JSON.stringify(status)}`);
    }
    const questions = survey.questions && { questions: survey.questions.map(wire) };
    const created = await this.#json("POST", this.#path, { type: "popover", ...survey, ...questions });
    // A launch of its own, since the service switches targeting on only then.
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

  // A survey is the object, its id or its name. Edits since are seen.
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

  // The clock of the world, which may stand still.
  async #now() {
    const response = await this.#send("HEAD", this.#address("faults"));
    return new Date(response.headers.get("Date")).toISOString();
  }

  #address(path, query = {}) {
    return `/_testserver/${path}?${new URLSearchParams({ ...(this.name && { world: this.name }), ...query })}`;
  }

  #control(method, path, query, body) { return this.#inOrder(() => this.#json(method, this.#address(path, query), body)); }

  // Nothing is asked of a world before it is there.
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
