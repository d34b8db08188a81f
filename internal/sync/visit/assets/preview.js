// The page of a survey: which screen is shown, in which language and on which device, how one
// got there, and where that is in the flow.
import { getNextSurveyStep } from "../renderer/surveys-preview.js";
import { applySurveyTranslation } from "../renderer/core/translations.mjs";
import { Stage } from "./stage.js";

const { survey, shown, intro, thanks, tab } = JSON.parse(document.getElementById("data").textContent);
const size = survey.questions.length;
const first = intro ? "intro" : size > 0 ? "0" : "end";

// Places in the flow are those of the code: nothing is shown in random order.
survey.appearance.shuffleQuestions = false;
for (const question of survey.questions) {
  question.shuffleOptions = false;
}

let { language } = shown;
let device = shown.device || (matchMedia("(max-width: 48rem)").matches ? "phone" : "desktop");
const path = [shown.question];
// translated is the survey that is shown. Its choices are those that answers are looked up in.
let translated = survey;

const stage = new Stage({
  element: document.getElementById("stage"), tab, thanks,
  onAnswer: (response) => go(next(path.at(-1), response)),
  onBack: () => back(),
  onOpen: () => go(first),
  onClose: () => go(tab ? "tab" : "closed"),
});

const words = {
  tab: () => "The tab that opens the survey.",
  intro: () => "The intro screen.",
  end: () => (size === 0 ? "" : thanks ? "The end, with the message of the survey." : "The end: the survey closes."),
  closed: () => "The survey was closed.",
};

function show() {
  const screen = path.at(-1);
  translated = language ? applySurveyTranslation(survey, language).survey : survey;
  stage.show(translated, screen, device);

  document.getElementById("status").textContent = words[screen]?.() ?? `Question ${Number(screen) + 1} of ${size} (place ${screen})`;
  document.getElementById("path").textContent = path.join(" → ");
  document.getElementById("back").disabled = path.length === 1;
  markFlow(screen);
  markControls(screen);
}

// markFlow marks the ways in the drawing, and scrolls it to where one is.
function markFlow(screen) {
  for (const box of document.querySelectorAll("[data-question]")) {
    const at = box.dataset.question;
    box.classList.toggle("current", at === screen);
    box.classList.toggle("visited", path.includes(at));
    if (at === screen) {
      box.closest("a").setAttribute("aria-current", "true");
      const flow = box.closest(".flow"), [inner, outer] = [box, flow].map((e) => e.getBoundingClientRect());
      flow.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
    } else {
      box.closest("a").removeAttribute("aria-current");
    }
  }
}

// markControls marks what is chosen, and has the address say it.
function markControls(screen) {
  const chosen = { question: words[screen] ? screen : "0", language, device };
  for (const link of document.querySelectorAll("[data-key]")) {
    if (chosen[link.dataset.key] === link.dataset.value) {
      link.setAttribute("aria-current", "true");
    } else {
      link.removeAttribute("aria-current");
    }
  }

  const query = new URLSearchParams(location.search);
  query.set("question", screen === "closed" ? first : screen);
  query.set("device", device);
  query.set("language", language);
  history.replaceState(null, "", `?${query}`);
}

// next is the screen that a response leads to. What is no question ends the survey.
function next(screen, response) {
  if (screen === "intro") {
    return size > 0 ? "0" : "end";
  }
  const step = getNextSurveyStep(translated, Number(screen), response);
  return Number.isInteger(step) && step >= 0 && step < size ? String(step) : "end";
}

// go shows the next screen, and puts the focus where one goes on.
function go(screen) {
  path.push(screen);
  show();
  focus();
}

// back is one screen back; to is what has the focus then, the survey if nothing.
function back(to) {
  if (path.length === 1) {
    return;
  }
  path.pop();
  show();
  if (to && !to.disabled) {
    to.focus();
  } else {
    focus();
  }
}

// focus puts the focus on the survey; where nothing of it is left, one may start again.
function focus() {
  if (!stage.focus()) {
    document.getElementById("restart").focus({ preventScroll: true });
  }
}

// The links of the controls and of the flow change what is shown without loading the page.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-key], .flow a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }
  event.preventDefault();
  const query = new URLSearchParams(new URL(link.getAttribute("href"), location).search);
  language = query.get("language") ?? language;
  device = query.get("device") ?? device;
  if (query.has("question")) {
    path.splice(0, path.length, query.get("question"));
  }
  show();
});
document.getElementById("back").addEventListener("click", (event) => back(event.currentTarget));
document.getElementById("restart").addEventListener("click", () => {
  path.splice(0, path.length, first);
  show();
});
show();
