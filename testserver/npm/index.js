"use strict";
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { mkdtemp, readFile, rm, writeFile } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const { program } = require("./program.js");
const { World } = require("./world.js");

class Server extends World {
  #child;
  #settings;

  constructor(child, settings) {
    super(settings);
    this.#child = child;
    this.#settings = settings;
  }

  world(name) {
    const { apiKey, projectToken } = this.#settings;
    return new World({ ...this.#settings, name, apiKey: `phx_test_${name}`, projectToken: projectToken && `${projectToken}_${name}` });
  }

  async close() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "exit");
      this.#child.ref();
      this.#child.stdin.end();
      await ended;
    }
  }
}

// document returns what the server has to start with, and surveys to create in each world: a survey
// as code has it is none that the service holds.
async function contents({ fixtures, surveys = [], clock }) {
  const read = async (given) => (typeof given === "string" ? JSON.parse(await readFile(given, "utf8")) : given);
  const [document, given] = [{ ...await read(fixtures) }, await read(surveys)];
  if (!Array.isArray(given)) {
    Object.assign(document, given);
  }
  if (clock !== undefined) {
    document.clock = new Date(clock).toISOString();
  }
  return { document, surveys: Array.isArray(given) ? given : [] };
}

// announced waits for the first lines of a server: its address, and the variables for its clients.
async function announced(child) {
  let printed = "", complaint = "";
  child.stdout.setEncoding("utf8").on("data", (text) => { printed += text; });
  child.stderr.setEncoding("utf8").on("data", (text) => { complaint += text; });
  await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  const [, url] = printed.match(/^listening on (\S+)/) ?? [];
  if (!url) {
    throw new Error(complaint.trim() || `posthog-testserver ended with ${child.exitCode ?? child.signalCode}`);
  }
  const variables = Object.fromEntries([...printed.matchAll(/^export (\w+)='?([^'\n]*)/gm)].map(([, name, value]) => [name, value]));
  return { url, apiKey: variables.POSTHOG_API_KEY, projectId: variables.POSTHOG_PROJECT_ID, projectToken: variables.POSTHOG_PROJECT_TOKEN };
}

exports.start = async ({ profile = "hosted", ...given } = {}) => {
  const { document, surveys } = await contents(given);
  const folder = await mkdtemp(join(tmpdir(), "posthog-testserver-"));
  try {
    const file = join(folder, "fixtures.json");
    await writeFile(file, JSON.stringify(document));
    // The server holds the other end of its standard input, which ends with this process, even killed.
    const child = spawn(program(), ["-listen", "127.0.0.1:0", "-until-eof", "-profile", profile, "-fixtures", file]);
    const settings = await announced(child).catch((error) => {
      // Nobody has named this file.
      throw new Error(error.message.replace(`${file}: `, ""));
    });
    // It keeps no process from ending that forgets to close it.
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
      handle.unref();
    }
    const server = new Server(child, { ...settings, surveys });
    await server.opened;
    return server;
  } finally {
    await rm(folder, { recursive: true });
  }
};
