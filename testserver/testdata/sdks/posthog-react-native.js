// Answers a survey in an app with posthog-react-native: node posthog-react-native.js MODULES HOST DISTINCT_ID ANSWER
//
// React renders the survey that the SDK offers, without a screen. The program writes ANSWER into its text field,
// presses Submit, and prints the texts that it was shown before and after as two JSON arrays.
const Module = require("node:module");
const path = require("node:path");

const [, , modules, host, distinctId, answer] = process.argv;
const find = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => find(name === "react-native" ? path.join(__dirname, "react-native.js") : name, ...rest);

const { createElement } = require(path.join(modules, "react"));
const { create } = require(path.join(modules, "react-test-renderer"));
const { PostHog, PostHogProvider, PostHogSurveyProvider } = require(path.join(modules, "posthog-react-native"));

const client = new PostHog("phc_test", {
  host, persistence: "memory", flushAt: 1, captureAppLifecycleEvents: false, bootstrap: { distinctId, isIdentifiedId: true },
});
client.on("error", (error) => {
  console.error(String(error));
  process.exitCode = 1;
});

const app = create(createElement(PostHogProvider, { client, autocapture: false }, createElement(PostHogSurveyProvider)));
// React has rendered nothing yet when there is no tree.
const all = (component) => (app.toTree() ? app.root.findAllByType(component) : []);
const texts = () => all("Text").map(({ props }) => props.children);

// What the app shows follows from responses of the server, and the caller ends a program that waits for ever.
async function until(condition) {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function main() {
  await until(() => all("TextInput").length);
  console.log(JSON.stringify(texts()));
  all("TextInput")[0].props.onChangeText(answer);
  await until(() => all("TextInput")[0].props.value === answer);
  all("TouchableOpacity").find((button) => button.findAllByType("Text").some(({ props }) => props.children === "Submit")).props.onPress();
  await until(() => !all("TextInput").length);
  console.log(JSON.stringify(texts()));

  app.unmount();
  await client.shutdown();
}

main();
