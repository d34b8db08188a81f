// Takes the pictures of the documentation: node take.mjs BIN OUTPUT, in this folder. It starts the test
// server and posthog-sync of BIN, opens their pages in Chromium, and writes screenshots to OUTPUT.
import { spawn, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { marked } from "marked";
import { chromium } from "playwright-core";

const [bin, output] = process.argv.slice(2);
const surveyID = "0190d6a4-0000-7000-8000-000000000001";
const running = [];

// serve starts a program that serves, and returns the address that its first line ends in.
async function serve(name, ...args) {
  const program = spawn(join(bin, name), args, { stdio: ["ignore", "pipe", "inherit"] });
  running.push(program);
  const [line] = await once(createInterface(program.stdout), "line");
  return line.match(/http:\/\/\S*[^\s/]/)[0];
}

// makeRequests fills the journal, and lets people answer.
async function makeRequests(server) {
  const send = (method, path, body) => fetch(server + path, {
    method, body: body && JSON.stringify(body), headers: { Authorization: "Bearer phx_test", "Content-Type": "application/json" },
  });
  const surveys = "/api/projects/1/surveys/";
  const event = (event, time, distinct_id, properties) => ({ event, timestamp: `2026-01-31T${time}Z`, distinct_id, properties });
  const $survey_id = surveyID;

  await send("PUT", "/_testserver/clock", { clock: "2026-01-31T12:00:00Z" });
  await send("PUT", "/_testserver/faults", { rules: [{ operation: "surveys_create", to: 1, status: 503, retry_after: "2" }] });
  await send("GET", surveys + "?limit=2");
  await send("GET", surveys + "responses_count/");
  await send("GET", `${surveys}${surveyID}/`);
  await send("PATCH", surveys + "0190d6a4-0000-7000-8000-000000000002/", { description: "Asked when somebody closes the account." });
  await send("GET", surveys + "nothing/");
  await send("POST", surveys, { type: "popover" });
  await send("POST", surveys, { name: "Onboarding" });
  await send("POST", surveys, { name: "Onboarding", type: "popover", questions: [{ type: "open", question: "How was the start?" }] });
  await send("POST", "/batch/", { api_key: "phc_test", sent_at: "2026-01-31T12:00:00Z", batch: [
    event("survey shown", "11:41:07", "0197-anonymous", { $survey_id }),
    event("$identify", "11:41:30", "anna@example.com", { $anon_distinct_id: "0197-anonymous", $set: { plan: "pro" } }),
    event("survey sent", "11:42:12", "anna@example.com", {
      $survey_id, $survey_response_q0: "7", $survey_response_q2: ["Speed", "Dark mode"], $set: { [`$survey_responded/${surveyID}`]: true },
    }),
    event("survey shown", "11:55:02", "ben@example.com", { $survey_id }),
    event("survey dismissed", "11:55:09", "ben@example.com", { $survey_id }),
  ] });
}

// surveyArrived is true when a trial shows a survey, and the event of it.
function surveyArrived() {
  const survey = document.querySelector("iframe").contentDocument?.querySelector("div[class^=PostHogSurvey-]");
  return Boolean(survey?.shadowRoot?.textContent && document.querySelector("#seen li"));
}

// take takes a picture of a page, or of the element that show selects, when ready is there.
async function take(browser, { name, url, ready, show, until, width = 1280, height = 800, dark }) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  await page.goto(url);
  await page.waitForSelector(ready);
  if (until) await page.waitForFunction(until);

  const path = join(output, name + ".png");
  if (show) {
    const element = page.locator(show).first();
    await element.evaluate((shown) => { shown.style.padding = "1rem"; }); // alone, it wants a margin
    await element.screenshot({ path });
  } else {
    await page.screenshot({ path, fullPage: true });
  }
  await page.close();
}

const work = mkdtempSync(join(tmpdir(), "pictures-"));
try {
  const server = await serve("posthog-testserver", "-listen", "127.0.0.1:0", "-delivery", "-fixtures", "fixtures.json");
  await makeRequests(server);
  const env = { ...process.env, POSTHOG_BASE_URL: server, POSTHOG_API_KEY: "phx_test", POSTHOG_PROJECT_ID: "1" };
  const sync = (...args) => execFileSync(join(bin, "posthog-sync"), args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  writeFileSync(join(output, "flow.svg"), sync("draw", "file:fixtures.json", "--to", "svg", "--select", "Quarterly NPS"));

  const comment = join(work, "comment.html");
  const mermaid = createRequire(import.meta.url).resolve("mermaid/dist/mermaid.min.js");
  writeFileSync(comment, readFileSync("comment.html", "utf8").replace("<!-- body -->", () => marked.parse(sync("review", "plan.json"))).replace("mermaid.min.js", pathToFileURL(mermaid).href));
  const preview = await serve("posthog-sync", "preview", "file:fixtures.json", "--select", "Quarterly NPS");
  const visit = new URLSearchParams({ distinct_id: "ada", properties: '{"plan": "pro"}', url: "https://app.example.com/billing", device: "Mobile" });
  const trial = `${await serve("posthog-sync", "try", "file:fixtures.json")}/?${visit}`;

  const browser = await chromium.launch({ executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"].find(existsSync), args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
  const survey = `${server}/?survey=${surveyID}`, review = { url: pathToFileURL(comment).href, ready: "[data-drawn]", width: 860, show: "#comment" };
  for (const picture of [
    { name: "page", url: server, ready: "#pause" },
    { name: "page-dark", url: server, ready: "#pause", dark: true },
    { name: "survey", url: survey, ready: "#survey svg", show: "#survey", height: 3000 },
    { name: "people", url: survey, ready: "#people ul", show: "#people", height: 3000 },
    { name: "journal", url: server + "/?request=7", ready: "#detail-title", show: "main" },
    { name: "preview", url: preview + "/surveys/quarterly_nps_00000001", ready: '#stage[data-place="0"]' },
    { name: "try", url: trial, ready: "iframe", until: surveyArrived },
    { ...review, name: "review" },
    { ...review, name: "review-dark", dark: true },
  ]) await take(browser, picture);
  await browser.close();
} finally {
  for (const program of running) program.kill();
  rmSync(work, { recursive: true });
}
