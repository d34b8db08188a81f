#!/usr/bin/env node
"use strict";
const { spawn } = require("node:child_process");
const { program } = require("../program.js");

function fail(error) {
  console.error(`posthog-testserver: ${error.message}`);
  process.exit(1);
}

try {
  const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) {
    process.on(signal, () => child.kill(signal));
  }
  // A signal to npx ends npx and the shell of this process, and does not come here.
  const parent = process.ppid;
  if (process.env.npm_command === "exec") {
    setInterval(() => process.ppid === parent || child.kill(), 200);
  }
  child.on("error", fail);
  child.on("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  fail(error);
}
