// Shows the survey of the page with posthog-js, which is loaded before.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const survey = read("survey");
const settings = read("settings");

// What the survey's appearance decides of the frame: the keys with their variables of the
// stylesheet. What is no color or length changes nothing.
const variables = {
  backgroundColor: "--head",
  submitButtonColor: "--button",
  submitButtonTextColor: "--button-text",
  ratingButtonColor: "--rating",
  ratingButtonActiveColor: "--rating-active",
  borderColor: "--line",
  borderRadius: "--radius",
  inputBackground: "--input",
  textSubtleColor: "--subtle",
};
for (const [key, variable] of Object.entries(variables)) {
  const value = survey.appearance?.[key];
  if (value) document.documentElement.style.setProperty(variable, value);
}

// All parameters of the address but those of the page go along with what is answered.
const parameters = new URLSearchParams(location.search);
const own = ["distinct_id", "__posthog_debug__", "auto_submit", "display_language", "embed", "world"];
const properties = {};
for (const [name, value] of parameters) {
  if (!own.includes(name.toLowerCase()) && !/^q\d+$/i.test(name)) properties[name] = value;
}

const distinctID = parameters.get("distinct_id");
posthog.init(settings.token, {
  api_host: settings.host,
  ...(distinctID ? { bootstrap: { distinctID } } : {}),
  ...(settings.language ? { override_display_language: settings.language } : {}),
  debug: parameters.get("__posthog_debug__") === "true",
  // The page is of no origin, so it has no storage.
  persistence: "memory",
  disable_surveys_automatic_display: true,
  advanced_disable_flags: true,
  advanced_enable_surveys: true,
  advanced_disable_toolbar_metrics: true,
  opt_out_useragent_filter: true,
  capture_pageview: false,
  capture_pageleave: false,
  autocapture: false,
  rageclick: false,
  disable_session_recording: true,
  disable_web_experiments: true,
  surveys: { prefillFromUrl: true },
  loaded: (instance) => {
    instance.surveys._surveyManager.renderSurvey(survey, document.getElementById("posthog-survey-container"), properties);
  },
});

// Within another page, that page is told how high this one is.
if (parameters.get("embed") === "true") {
  const shown = document.querySelector("main");
  new ResizeObserver(() => {
    parent.postMessage({ type: "posthog:survey:height", surveyId: survey.id, height: Math.ceil(shown.getBoundingClientRect().height) }, "*");
  }).observe(shown);
}
