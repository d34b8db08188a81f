import type { PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType } from "@playwright/test";

import type { Server, StartOptions, World } from "./index.js";

export { expect } from "@playwright/test";

/** Playwright's test with a world for each test. posthogOptions are the options of the server that each worker starts. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & { posthog: World },
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & { posthogServer: Server; posthogOptions: StartOptions }
>;
