"use strict";

// Returns the path of the program for this machine, which a package for its platform holds.
exports.program = () => {
  if (process.env.POSTHOG_TESTSERVER_BINARY) {
    return process.env.POSTHOG_TESTSERVER_BINARY;
  }
  const name = `@surveys-as-code/posthog-testserver-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/posthog-testserver${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    throw new Error(`the package ${name} is missing, which has the program for this machine: install without ` +
      "--omit=optional if there is one, or name a program in POSTHOG_TESTSERVER_BINARY");
  }
};
