// What a test works with besides its world of the test server: Terraform in that world, and the shop as
// its customers see it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { test as base } from "@surveys-as-code/posthog-testserver/playwright";

import { startShop } from "../server.js";

export const test = base.extend({
  // terraform("apply") makes the survey of survey.tf. When it fails, the error is what Terraform says.
  terraform: async ({ posthog }, use, testInfo) => {
    const program = process.env.TERRAFORM ?? "terraform";
    const state = testInfo.outputPath("terraform.tfstate");
    const env = { ...process.env, POSTHOG_BASE_URL: posthog.url, POSTHOG_API_KEY: posthog.apiKey, POSTHOG_PROJECT_ID: posthog.projectId };
    await use(async (command) => {
      try {
        await promisify(execFile)(program, [command, `-state=${state}`, "-auto-approve", "-input=false", "-json"], { env });
      } catch (failure) {
        // With -json there is a line for each thing that happened.
        const lines = (failure.stdout ?? "").split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
        const errors = lines.filter((line) => line.diagnostic?.severity === "error");
        const said = errors.map(({ diagnostic }) => `${diagnostic.summary}: ${diagnostic.detail}`).join("\n");
        throw new Error(`${program} ${command}: ${said || failure.stderr || failure.message}`, { cause: failure });
      }
    });
  },

  // The address of the shop.
  shop: async ({ posthog }, use) => {
    const server = await startShop(0, { host: posthog.url, token: posthog.projectToken, underTest: true });
    await use(`http://127.0.0.1:${server.address().port}`);
    server.closeAllConnections();
    server.close();
  },
});

export { expect } from "@surveys-as-code/posthog-testserver/playwright";
