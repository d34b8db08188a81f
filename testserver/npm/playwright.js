"use strict";
const { expect, test } = require("@playwright/test");

const { start } = require("./index.js");

// reasons says of each survey who is not asked, and why.
async function reasons(world) {
  const lines = [];
  for (const survey of await world.surveys.list()) {
    const known = await world.people.of(survey);
    for (const person of known.length ? known : [await world.people.of(survey, "anybody")]) {
      const why = person.offered ? ["is offered", ...(person.in_the_app ?? [])] : ["is not offered", ...person.reasons];
      lines.push(`${survey.name}, ${person.distinct_ids[0]}: ${why.join("; ")}`);
    }
  }
  return lines.join("\n") || "there is no survey";
}

exports.expect = expect;

exports.test = test.extend({
  posthogOptions: [{}, { scope: "worker", option: true }],

  posthogServer: [async ({ posthogOptions }, use) => {
    const server = await start(posthogOptions);
    await use(server);
    await server.close();
  }, { scope: "worker" }],

  posthog: async ({ posthogServer }, use, testInfo) => {
    const world = posthogServer.world(`${testInfo.testId}-${testInfo.retry}`);
    await world.opened;
    await use(world);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach("posthog-journal", { contentType: "application/json", body: JSON.stringify(await world.journal(), null, 2) });
      // Those of the test would hit what is asked here.
      await world.faults.clear();
      await testInfo.attach("posthog-reasons", { contentType: "text/plain", body: await reasons(world) });
    }
    await world.close();
  },
});
