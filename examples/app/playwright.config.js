import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  fullyParallel: true,
  workers: 2,
  // Machines of CI may be slow. No test waits longer than it has to.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  use: {
    // The browser that "npx playwright install chromium" brings, or one that is installed.
    launchOptions: { executablePath: process.env.CHROMIUM },
    trace: "retain-on-failure",
  },
});
