// What a test works with: a world of the test server that no other test sees, and the shop as a
// customer of that world.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { test as base } from "@playwright/test";

import { startShop } from "../server.js";

class World {
  constructor(name, state) {
    this.server = process.env.POSTHOG_BASE_URL;
    this.name = name;
    this.state = state;
  }

  // token is what the app of this world has, the key what Terraform has.
  get token() { return `phc_test_${this.name}`; }
  get key() { return `phx_test_${this.name}`; }

  // terraform runs a command on survey.tf, with a state of this world, and returns what it prints.
  // When it fails, the error is what Terraform says.
  async terraform(command, ...more) {
    const environment = {
      ...process.env,
      POSTHOG_BASE_URL: this.server, POSTHOG_API_KEY: this.key, POSTHOG_PROJECT_ID: "1",
    };
    const program = process.env.TERRAFORM ?? "terraform";
    try {
      const { stdout } = await promisify(execFile)(program, [command, `-state=${this.state}`, ...more], { env: environment });
      return stdout;
    } catch (failure) {
      // With -json there is a line for each thing that happened.
      const lines = (failure.stdout ?? "").split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
      const errors = lines.filter((line) => line.diagnostic?.severity === "error");
      const said = errors.map(({ diagnostic }) => `${diagnostic.summary}: ${diagnostic.detail}`).join("\n");
      throw new Error(`${program} ${command}: ${said || failure.stderr || failure.message}`, { cause: failure });
    }
  }

  // apply makes the survey, and returns its id and the properties of its answers.
  async apply() {
    await this.terraform("apply", "-auto-approve", "-input=false", "-json");
    const outputs = JSON.parse(await this.terraform("output", "-json"));
    return { id: outputs.survey_id.value, responseKeys: outputs.response_keys.value };
  }

  async destroy() { await this.terraform("destroy", "-auto-approve", "-input=false", "-json"); }

  // control calls the control interface of the test server, in this world.
  async control(method, path, parameters = {}, body = undefined) {
    const address = new URL(`/_testserver/${path}`, this.server);
    address.search = new URLSearchParams({ world: this.name, ...parameters });
    const response = await fetch(address, { method, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${address}: ${response.status} ${text}`);
    }
    return text && JSON.parse(text);
  }

  // waitForEvent returns the newest event that the parameters select, as soon as there is one.
  async waitForEvent(parameters) {
    const events = await this.control("GET", "events", { ...parameters, wait: "1m" });
    if (events.length === 0) {
      throw new Error(`no such event within a minute: ${JSON.stringify(parameters)}`);
    }
    return events.at(-1);
  }
}

export const test = base.extend({
  world: async ({}, use, testInfo) => {
    await use(new World(`${testInfo.testId}-${testInfo.retry}`, testInfo.outputPath("terraform.tfstate")));
  },

  // The address of the shop.
  shop: async ({ world }, use) => {
    const server = await startShop(0, { host: world.server, token: world.token, underTest: true });
    await use(`http://127.0.0.1:${server.address().port}`);
    server.closeAllConnections();
    server.close();
  },
});

export { expect } from "@playwright/test";
