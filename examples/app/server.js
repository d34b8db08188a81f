// Serves the shop. The settings are those that posthog-testserver prints:
//
//	POSTHOG_BASE_URL=http://127.0.0.1:8000 POSTHOG_PROJECT_TOKEN=phc_test npm start
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const files = {
  "/": ["text/html; charset=utf-8", new URL("public/index.html", import.meta.url)],
  "/main.js": ["text/javascript; charset=utf-8", new URL("public/main.js", import.meta.url)],
  "/posthog-js/module.mjs": ["text/javascript; charset=utf-8", new URL("module.mjs", import.meta.resolve("posthog-js"))],
};

// startShop serves the shop on a port of this machine, 0 for any that is free, and returns the server.
export async function startShop(port, settings) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    if (path === "/settings.js") {
      response.setHeader("Content-Type", "text/javascript; charset=utf-8");
      response.end(`window.settings = ${JSON.stringify(settings)};`);
    } else if (Object.hasOwn(files, path)) {
      const [type, file] = files[path];
      response.setHeader("Content-Type", type);
      createReadStream(file).pipe(response);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { POSTHOG_BASE_URL: host, POSTHOG_PROJECT_TOKEN: token, PORT: port = "3000" } = process.env;
  if (!host || !token) {
    throw new Error("POSTHOG_BASE_URL and POSTHOG_PROJECT_TOKEN must be set; posthog-testserver prints both");
  }
  await startShop(Number(port), { host, token, underTest: false });
  console.log(`http://127.0.0.1:${port}/?customer=ada&plan=pro`);
}
