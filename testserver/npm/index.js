"use strict";
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { mkdtemp, readFile, rm, writeFile } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const { join, resolve } = require("node:path");

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
    // A URL cannot carry these, and would address the server itself, with all worlds. It checks the others.
    if (typeof name !== "string" || ["", ".", ".."].includes(name)) {
      throw new TypeError(`the name of a world is ${JSON.stringify(name)}: use letters, digits, dots, hyphens, and underscores, such as the name of the test`);
    }
    const { projectToken } = this.#settings;
    return new World({ ...this.#settings, name, apiKey: `phx_test_${name}`, projectToken: projectToken && `${projectToken}_${name}` });
  }

  async close() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "exit");
      this.#child.ref?.();
      this.#child.stdin.end();
      await ended;
    }
  }
}

// readJSON returns a document, or the one in the file with this path.
async function readJSON(document) {
  if (typeof document !== "string") {
    return document;
  }
  const text = await readFile(document, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${document} is not JSON: ${error.message}`, { cause: error });
  }
}

// readContents returns the fixtures of the server, and what each world creates in it: surveys, or the path of a YAML file.
async function readContents({ fixtures, surveys = [], clock }) {
  const document = { ...await readJSON(fixtures) };
  if (clock !== undefined) {
    document.clock = new Date(clock).toISOString();
  }
  const isYAML = typeof surveys === "string" && /\.ya?ml$/i.test(surveys);
  const created = isYAML ? resolve(surveys) : await readJSON(surveys);
  if (isYAML || Array.isArray(created)) {
    return { document, created };
  }
  return { document: { ...document, ...created }, created: [] };
}

// waitForStart waits for the first lines that a server prints: its URL, and the variables for its clients.
async function waitForStart(child) {
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

exports.start = async ({ profile = "hosted", ...options } = {}) => {
  const { document, created } = await readContents(options);
  const folder = await mkdtemp(join(tmpdir(), "posthog-testserver-"));
  try {
    const file = join(folder, "fixtures.json");
    await writeFile(file, JSON.stringify(document));
    // The standard input of the server ends with this process, even if it is killed.
    const child = spawn(program(), ["-listen", "127.0.0.1:0", "-until-eof", "-delivery", "-profile", profile, "-fixtures", file]);
    const settings = await waitForStart(child).catch((error) => {
      // The caller has not named this file.
      throw new Error(error.message.replace(`${file}: `, ""));
    });
    // A process that does not close the server can still end. In Bun a pipe has no unref, and keeps no process alive.
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
      handle.unref?.();
    }
    const server = new Server(child, { ...settings, created });
    await server.opened;
    return server;
  } finally {
    await rm(folder, { recursive: true });
  }
};
