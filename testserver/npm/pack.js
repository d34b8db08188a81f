"use strict";

// Packs the packages of npm into a folder: node pack.js FOLDER VERSION PROGRAMS PLATFORM...
//
// A package of a platform, such as linux-x64, has the program that GoReleaser has made for it in the
// folder PROGRAMS, or the one that is built here when that is empty.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const { join, resolve } = require("node:path");

const goNames = { win32: "windows", x64: "amd64" };
const supported = ["linux", "darwin", "win32"].flatMap((system) => ["x64", "arm64"].map((processor) => `${system}-${processor}`));

const [folder, version, programs, ...asked] = process.argv.slice(2);
const root = resolve(__dirname, "../..");
const main = { ...JSON.parse(fs.readFileSync(join(__dirname, "package.json"), "utf8")), version };
const work = fs.mkdtempSync(join(os.tmpdir(), "posthog-testserver-npm-"));

function pack(name, manifest, fill) {
  const from = join(work, name);
  fs.mkdirSync(from);
  fill(from);
  fs.copyFileSync(join(root, "LICENSE"), join(from, "LICENSE"));
  fs.writeFileSync(join(from, "package.json"), JSON.stringify(manifest, null, 2));
  const packed = execFileSync("npm", ["pack", "--offline", "--silent", "--pack-destination", resolve(folder), from], { shell: process.platform === "win32" });
  console.log(join(folder, packed.toString().trim()));
}

function program(platform, to) {
  const [system, processor] = platform.split("-").map((name) => goNames[name] ?? name);
  const file = join(to, system === "windows" ? "posthog-testserver.exe" : "posthog-testserver");
  if (!programs) {
    const env = { ...process.env, CGO_ENABLED: "0", GOOS: system, GOARCH: processor };
    execFileSync("go", ["build", "-trimpath", "-ldflags", "-s -w", "-o", file, "./cmd/posthog-testserver"], { cwd: root, env, stdio: "inherit" });
    return;
  }
  const made = fs.readdirSync(programs).filter((name) => name.startsWith(`posthog-testserver_${system}_${processor}_`));
  if (made.length !== 1) {
    throw new Error(`${programs} has ${made.length} programs for ${platform}`);
  }
  fs.copyFileSync(join(programs, made[0], file.slice(to.length + 1)), file);
}

try {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const name = (platform) => `${main.name}-${platform}`;
  const { description, homepage, repository, license } = main;
  const platforms = asked.length ? asked.flatMap((one) => (one === "all" ? supported : one)) : [`${process.platform}-${process.arch}`];
  for (const platform of platforms) {
    const [system, processor] = platform.split("-");
    const of = { name: name(platform), version, description: `${description}: the program for ${platform}`, homepage, repository, license };
    pack(platform, { ...of, os: [system], cpu: [processor], preferUnplugged: true }, (to) => program(platform, to));
  }
  const optionalDependencies = Object.fromEntries(supported.map((platform) => [name(platform), version]));
  pack("main", { ...main, optionalDependencies }, (to) => fs.cpSync(__dirname, to, { recursive: true }));
} finally {
  fs.rmSync(work, { recursive: true });
}
