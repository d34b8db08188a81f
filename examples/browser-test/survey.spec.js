import { expect, test } from "@surveys-as-code/posthog-testserver/playwright";

test.use({ launchOptions: { executablePath: process.env.CHROMIUM } }); // without it, the one that Playwright installs

test("an answer is counted", async ({ page, posthog }) => {
  const questions = [{ type: "open", question: "What would you miss?" }];
  await posthog.surveys.create({ name: "Farewell", status: "running", questions });

  // In the place of your app: a page that calls posthog.init.
  await page.route(`${posthog.url}/app`, (route) => route.fulfill({ contentType: "text/html", body: "<h1>App</h1>" }));
  await page.goto(`${posthog.url}/app`);
  await page.addScriptTag({ path: "node_modules/posthog-js/dist/array.full.js" });
  await page.evaluate(([token, options]) => window.posthog.init(token, options), [posthog.projectToken, posthog.init()]);

  await page.getByRole("textbox").fill("The coffee.");
  await page.getByRole("button", { name: "Submit" }).click();
  expect(await posthog.answers("Farewell")).toMatchObject([{ answers: { "What would you miss?": "The coffee." } }]);
});
