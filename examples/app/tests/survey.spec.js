import { expect, test } from "./shop.js";

// The names of the surveys that posthog-js would show, as soon as it knows the person's flags.
const offered = (page) => page.evaluate(() => new Promise((resolve) => {
  posthog.onFeatureFlags(() => posthog.getActiveMatchingSurveys((surveys) => resolve(surveys.map(({ name }) => name)), true));
}));

test("an answer arrives, and a destroy does not delete it", async ({ page, posthog, terraform, shop }) => {
  await terraform("apply");

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  await page.getByRole("button", { name: "Rate 5" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("textbox").fill("One click less.");
  await page.getByRole("button", { name: "Submit" }).click();

  const answers = { "How easy was it to pay?": 5, "What would have made it easier?": "One click less." };
  expect(await posthog.answers("Checkout", { wait: "1m" })).toMatchObject([{ distinctId: "ada", answers }]);

  await expect(terraform("destroy")).rejects.toThrow(/"Checkout".* it has 1 response\. Nothing was deleted/);
});

test("who closes the survey has not answered", async ({ page, posthog, terraform, shop }) => {
  await terraform("apply");

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  await page.getByRole("button", { name: "Close survey" }).click();
  expect(await posthog.events({ event: "survey dismissed", distinctId: "ada", wait: "1m" })).toHaveLength(1);

  await terraform("destroy");
});

test("customers of other plans are not asked", async ({ page, posthog, terraform, shop }) => {
  await terraform("apply");

  await page.goto(`${shop}/?customer=ben&plan=free`);
  expect(await offered(page)).toEqual([]);

  // The server says why.
  const ben = await posthog.people.of("Checkout", "ben");
  expect(ben.offered).toBe(false);
  expect(ben.reasons.join()).toContain('"plan" is "free"');

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  expect(await offered(page)).toEqual(["Checkout"]);
});

test("an answer arrives although the service was away", async ({ page, posthog, terraform, shop }) => {
  await terraform("apply");

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  await posthog.events({ event: "survey shown", distinctId: "ada", wait: "1m" });
  await posthog.faults.set({ operation: "sdk_capture", status: 503 });
  const refused = page.waitForResponse((response) => response.status() === 503, { timeout: 0 });
  await page.getByRole("button", { name: "Rate 1" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await refused;

  // posthog-js sends again what was refused.
  await posthog.faults.clear();
  expect(await posthog.answers("Checkout", { wait: "1m" })).toHaveLength(1);
});

test("the shop works while the service is slow", async ({ page, posthog, terraform, shop }) => {
  await terraform("apply");
  await posthog.faults.set({ path: "/api/surveys/", delay_ms: 600_000 });

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByText("Paid, thank you.")).toBeVisible();
});
