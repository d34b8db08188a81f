// Shows a survey by the renderer of posthog-js, one question at a time, and goes where
// the branching leads. The question that is shown is marked in the drawing of the flow.
import { getNextSurveyStep, renderSurveysPreview } from "../renderer/surveys-preview.js";

const { survey, start } = JSON.parse(document.getElementById("data").textContent);
const end = survey.questions.length;
const thanks = survey.appearance.displayThankYouMessage === true;

// Places in the flow are those of the code: nothing is shown in random order.
survey.appearance.shuffleQuestions = false;
for (const question of survey.questions) {
  question.shuffleOptions = false;
}

// As on a page of the application, no style gets in or out.
const stage = document.getElementById("stage");
const shadow = stage.attachShadow({ mode: "open" });

const path = [start];

function show() {
  const place = path.at(-1);
  const box = document.createElement("div");
  shadow.replaceChildren(box);

  if (place < end || thanks) {
    renderSurveysPreview({
      survey, parentElement: box, previewPageIndex: place,
      onPreviewSubmit: (response) => go(next(place, response)), onPreviewBack: back,
    });
  }

  stage.dataset.place = place === end ? "end" : place;
  document.getElementById("status").textContent = end === 0 ? "" : place < end ? `Question ${place}` : thanks ? "The end, with the message of the survey." : "The end: the survey closes.";
  document.getElementById("path").textContent = path.map((p) => (p === end ? "end" : p)).join(" → ");
  document.getElementById("back").disabled = path.length === 1;
  for (const element of document.querySelectorAll("[data-question]")) {
    const at = Number(element.dataset.question);
    element.classList.toggle("current", at === place);
    element.classList.toggle("visited", path.includes(at));
  }
}

// next is the place that a response leads to. What is no question ends the survey.
function next(place, response) {
  const step = getNextSurveyStep(survey, place, response);
  return Number.isInteger(step) && step >= 0 && step < end ? step : end;
}

function go(place) {
  path.push(place);
  show();
}

function back() {
  if (path.length > 1) {
    path.pop();
    show();
  }
}

document.getElementById("back").addEventListener("click", back);
document.getElementById("restart").addEventListener("click", () => {
  path.splice(0, path.length, 0);
  show();
});
show();
