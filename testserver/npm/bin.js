#!/usr/bin/env node
"use strict";
const { spawn } = require("node:child_process");
const { basename } = require("node:path");

const { name } = require("./package.json");
const { program } = require("./program.js");

function fail(error) {
  console.error(`${basename(name)}: ${error.message}`);
  process.exit(1);
}

try {
  const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
  // Asks the program once to end, and with SIGTERM: the Ctrl-C of a terminal has come to it already, and
  // a second one would kill it. On Windows it would be killed, and a console tells it by itself.
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
  // A signal to npx ends npx and the shell of this process, and does not come here.
  const parent = process.ppid;
  if (process.env.npm_command === "exec") {
    setInterval(() => process.ppid === parent || end(), 200);
  }
  child.on("error", fail);
  child.on("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  fail(error);
}
