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
  // One server for all tests, at a free port: what it prints is in POSTHOG_BASE_URL, for all of them.
  webServer: {
    command: "posthog-testserver -profile hosted -listen 127.0.0.1:0",
    wait: { stdout: /listening on (?<POSTHOG_BASE_URL>\S+)/ },
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  },
});
