#!/usr/bin/env node
"use strict";
const { execFileSync, spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { basename } = require("node:path");

const { name } = require("./package.json");
const { program } = require("./program.js");

function fail(error) {
  console.error(`${basename(name)}: ${error.message}`);
  process.exit(1);
}

// npmProcess returns the ID of the npm or npx that started this process: its parent, or, if that is a shell, the parent
// of the shell. A signal ends npm alone, and does not reach the shell or this process.
function npmProcess(parent) {
  try {
    const [, command, grandparent] = process.platform === "linux"
      ? readFileSync(`/proc/${parent}/stat`, "utf8").match(/\((.*)\) \S+ (\d+)/)
      : execFileSync("ps", ["-o", "comm=,ppid=", "-p", String(parent)], { encoding: "utf8" }).match(/^(.*\S)\s+(\d+)/);
    return command.endsWith("sh") ? Number(grandparent) : parent;
  } catch {
    return parent;
  }
}

function runs(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

// A server ends with this process, even if it is killed: it then reads the end of its standard input. What reads the
// input of the user keeps that.
function startProgram(args) {
  const isServer = basename(name) === "posthog-testserver";
  const readsInput = args.some((arg) => /^-(-?fixtures=-)?$|^--?until-eof/.test(arg)) || process.env.POSTHOG_TESTSERVER_FIXTURES === "-";
  if (isServer && !readsInput) {
    return spawn(program(), ["-until-eof", ...args], { stdio: ["pipe", "inherit", "inherit"] });
  }
  return spawn(program(), args, { stdio: "inherit" });
}

try {
  const child = startProgram(process.argv.slice(2));
  // The program gets one SIGTERM: the Ctrl-C of a terminal has reached it already, and a second signal would kill it.
  // On Windows the console signals it, and kill would end it at once.
  let asked = process.platform === "win32";
  const end = () => {
    if (!asked) {
      asked = true;
      child.kill();
    }
  };
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) {
    process.on(signal, end);
  }
  if (process.env.npm_command) {
    const parent = process.ppid, starter = npmProcess(parent);
    setInterval(() => (process.ppid === parent && runs(starter)) || end(), 200);
  }
  child.on("error", fail);
  child.on("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  fail(error);
}
