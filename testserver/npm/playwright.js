"use strict";
const { expect, test } = require("@playwright/test");

const { start } = require("./index.js");

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
      await testInfo.attach("posthog-problems", { contentType: "application/json", body: JSON.stringify(await world.problems(), null, 2) });
      await testInfo.attach("posthog-journal", { contentType: "application/json", body: JSON.stringify(await world.journal(), null, 2) });
      // The faults of the test would hit these requests.
      await world.faults.clear();
      await testInfo.attach("posthog-reasons", { contentType: "text/plain", body: (await world.reasons()).join("\n") });
    }
    await world.close();
  },
});
