"use strict";

// Packs the packages of npm into a folder: node pack.js FOLDER VERSION PROGRAMS PLATFORM...
//
// Each program has a package for each platform, such as linux-x64, with what GoReleaser has made for it in
// the folder PROGRAMS, or with what is built here when that is empty; and the package that chooses one.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const { basename, join, resolve } = require("node:path");

const goNames = { win32: "windows", x64: "amd64" };
const supported = ["linux", "darwin", "win32"].flatMap((system) => ["x64", "arm64"].map((processor) => `${system}-${processor}`));

const [folder, version, programs, ...asked] = process.argv.slice(2);
const platforms = asked.length ? asked.flatMap((one) => (one === "all" ? supported : one)) : [`${process.platform}-${process.arch}`];
const root = resolve(__dirname, "../..");
const work = fs.mkdtempSync(join(os.tmpdir(), "posthog-npm-"));

function pack(manifest, fill) {
  const from = join(work, basename(manifest.name));
  fs.mkdirSync(from);
  fill(from);
  fs.copyFileSync(join(root, "LICENSE"), join(from, "LICENSE"));
  fs.writeFileSync(join(from, "package.json"), JSON.stringify(manifest, null, 2));
  const packed = execFileSync("npm", ["pack", "--offline", "--silent", "--pack-destination", resolve(folder), from], { shell: process.platform === "win32" });
  console.log(join(folder, packed.toString().trim()));
}

function program(name, platform, to) {
  const [system, processor] = platform.split("-").map((word) => goNames[word] ?? word);
  const file = system === "windows" ? `${name}.exe` : name;
  if (!programs) {
    const env = { ...process.env, CGO_ENABLED: "0", GOOS: system, GOARCH: processor };
    execFileSync("go", ["build", "-trimpath", "-ldflags", `-s -w -X main.version=${version}`, "-o", join(to, file), `./cmd/${name}`], { cwd: root, env, stdio: "inherit" });
    return;
  }
  const made = fs.readdirSync(programs).filter((built) => built.startsWith(`${name}_${system}_${processor}_`));
  if (made.length !== 1) {
    throw new Error(`${programs} has ${made.length} programs ${name} for ${platform}`);
  }
  fs.copyFileSync(join(programs, made[0], file), join(to, file));
}

// Packs the program for each platform, and the package that users name, which is in the folder source
// and starts the program as that of the test server does.
function packTool(source) {
  const main = { ...JSON.parse(fs.readFileSync(join(root, source, "package.json"), "utf8")), version };
  const { description, homepage, repository, license } = main;
  const name = (platform) => `${main.name}-${platform}`;
  for (const platform of platforms) {
    const [system, processor] = platform.split("-");
    const of = { name: name(platform), version, description: `${description}: the program for ${platform}`, homepage, repository, license };
    pack({ ...of, os: [system], cpu: [processor], preferUnplugged: true }, (to) => program(basename(main.name), platform, to));
  }
  const optionalDependencies = Object.fromEntries(supported.map((platform) => [name(platform), version]));
  pack({ ...main, optionalDependencies }, (to) => {
    fs.cpSync(__dirname, to, { recursive: true });
    fs.cpSync(join(root, source), to, { recursive: true });
  });
}

try {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  packTool("testserver/npm");
  packTool("cmd/posthog-sync/npm");
} finally {
  fs.rmSync(work, { recursive: true });
}
