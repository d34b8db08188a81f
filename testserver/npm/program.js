"use strict";
const { basename } = require("node:path");

const { name } = require("./package.json");

// Returns the path of the program for this machine, which a package for its platform holds.
exports.program = () => {
  const file = basename(name);
  const variable = `${file.toUpperCase().replace("-", "_")}_BINARY`;
  if (process.env[variable]) {
    return process.env[variable];
  }
  const needed = `${name}-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${needed}/${file}${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    throw new Error(`the package ${needed} is missing, which has the program for this machine: install without ` +
      `--omit=optional if there is one, or name a program in ${variable}`);
  }
};
