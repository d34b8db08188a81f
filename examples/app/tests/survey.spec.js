import { expect, test } from "./world.js";

// The names of the surveys that posthog-js would show, as soon as it knows the person's flags.
const offered = (page) => page.evaluate(() => new Promise((resolve) => {
  posthog.onFeatureFlags(() => posthog.getActiveMatchingSurveys((surveys) => resolve(surveys.map(({ name }) => name)), true));
}));

test("an answer arrives, and a destroy does not delete it", async ({ page, world, shop }) => {
  const survey = await world.apply();

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  await page.getByRole("button", { name: "Rate 5" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("textbox").fill("One click less.");
  await page.getByRole("button", { name: "Submit" }).click();

  const answer = await world.waitForEvent({ event: "survey sent", survey_id: survey.id, distinct_id: "ada" });
  const [score, comment] = survey.responseKeys;
  expect(answer.properties[score]).toBe(5);
  expect(answer.properties[comment]).toBe("One click less.");

  await expect(world.destroy()).rejects.toThrow(/"Checkout".* it has 1 response\. Nothing was deleted/);
});

test("who closes the survey has not answered", async ({ page, world, shop }) => {
  await world.apply();

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  await page.getByRole("button", { name: "Close survey" }).click();
  await world.waitForEvent({ event: "survey dismissed", distinct_id: "ada" });

  await world.destroy();
});

test("customers of other plans are not asked", async ({ page, world, shop }) => {
  const survey = await world.apply();

  await page.goto(`${shop}/?customer=ben&plan=free`);
  expect(await offered(page)).toEqual([]);

  // The server says why.
  const [ben] = await world.control("GET", `surveys/${survey.id}/people`, { distinct_id: "ben" });
  expect(ben.offered).toBe(false);
  expect(ben.reasons.join()).toContain('"plan" is "free"');

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  expect(await offered(page)).toEqual(["Checkout"]);
});

test("an answer arrives although the service was away", async ({ page, world, shop }) => {
  await world.apply();

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  await world.waitForEvent({ event: "survey shown", distinct_id: "ada" });
  await world.control("PUT", "faults", {}, { rules: [{ operation: "sdk_capture", status: 503 }] });
  const refused = page.waitForResponse((response) => response.status() === 503, { timeout: 0 });
  await page.getByRole("button", { name: "Rate 1" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await refused;

  // posthog-js sends again what was refused.
  await world.control("DELETE", "faults");
  await world.waitForEvent({ event: "survey sent", distinct_id: "ada" });
});

test("the shop works while the service is slow", async ({ page, world, shop }) => {
  await world.apply();
  await world.control("PUT", "faults", {}, { rules: [{ path: "/api/surveys/", delay_ms: 600_000 }] });

  await page.goto(`${shop}/?customer=ada&plan=pro`);
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByText("Paid, thank you.")).toBeVisible();
});
