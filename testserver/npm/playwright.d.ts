import type { PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType } from "@playwright/test";

import type { Server, StartOptions, World } from "./index.js";

export { expect } from "@playwright/test";

/** The test of Playwright, with a server for each worker, started with posthogOptions, and a world for each test. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & { posthog: World },
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & { posthogServer: Server; posthogOptions: StartOptions }
>;
