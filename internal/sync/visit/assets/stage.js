// The drawn window in which a survey is shown by the renderer of posthog-js, at its own
// position, one screen at a time.
import { INTRO_SCREEN_PREVIEW_INDEX, renderFeedbackWidgetPreview, renderSurveysPreview } from "../renderer/surveys-preview.js";

// Sizes of the windows, in pixels. A desktop is as wide as there is room, and smaller where
// there is little.
const phoneWidth = 375, leastDesktopWidth = 760;

// tabOverrides are the styles of a survey that a tab opens: posthog-js has it in the middle
// of the border where the tab is.
function tabOverrides({ position }) {
  return !position || position === "right" || position === "next_to_trigger" ? { top: "50%", bottom: "auto" } : {};
}

export class Stage {
  constructor({ element, tab, thanks, onAnswer, onBack, onOpen, onClose }) {
    Object.assign(this, { element, tab, thanks, onAnswer, onBack, onOpen, onClose });
    this.window = element.closest(".window");
    this.page = element.parentElement;
    this.device = "desktop";

    // As on a page of the application, no style gets in or out.
    this.shadow = element.attachShadow({ mode: "open" });
    this.shadow.addEventListener("click", (event) => this.clicked(event), true);
    addEventListener("keydown", (event) => this.pressed(event), true);
    new ResizeObserver(() => this.fit()).observe(this.window.parentElement);
  }

  // show shows a screen: the place of a question as text, or tab, intro, end or closed.
  show(survey, screen, device) {
    this.leave();
    this.screen = screen;
    this.device = device;

    this.shadow.replaceChildren();
    if (this.tab) {
      this.addTab(survey);
    }
    this.box = this.addBox();
    const index = { intro: INTRO_SCREEN_PREVIEW_INDEX, end: survey.questions.length }[screen] ?? Number(screen);
    if (!Number.isNaN(index) && (screen !== "end" || this.thanks)) {
      this.rendered = { survey, index };
      this.render(index);
    }

    this.enableClose();
    this.fit();
    this.element.dataset.place = screen;
    this.element.dataset.device = device;
  }

  addBox() {
    const box = document.createElement("div");
    this.shadow.append(box);
    return box;
  }

  render(index) {
    const { survey } = this.rendered;
    renderSurveysPreview({
      survey, parentElement: this.box, previewPageIndex: index,
      positionStyles: this.tab ? tabOverrides(survey.appearance) : {},
      onPreviewSubmit: this.onAnswer, onPreviewBack: this.onBack,
    });
  }

  // leave ends what is shown: while the message at the end is there, posthog-js listens to
  // the keys of the whole page.
  leave() {
    if (this.rendered && this.screen === "end") {
      this.render(this.rendered.survey.questions.length + 1);
    }
    this.rendered = undefined;
  }

  addTab(survey) {
    renderFeedbackWidgetPreview({ survey, root: this.addBox() });
    const tab = this.shadow.querySelector(".ph-survey-widget-tab");
    if (tab) {
      tab.disabled = false;
    }
  }

  // enableClose has the cross do something, which posthog-js disables in a preview.
  enableClose() {
    const cross = this.shadow.querySelector(".form-cancel");
    if (cross) {
      cross.disabled = false;
    }
  }

  // clicked comes before posthog-js, which goes to another screen in the same event.
  clicked(event) {
    const on = (selector) => event.target.closest(selector);
    if (on(".ph-survey-widget-tab")) {
      event.stopPropagation();
      this.onOpen();
    } else if (on(".form-cancel") || (this.screen === "end" && on(".form-submit"))) {
      event.stopPropagation();
      this.onClose();
    }
  }

  // pressed keeps the message at the end from taking the keys of the page around it: on a
  // page of the application, Enter and Escape close it.
  pressed(event) {
    if (this.screen !== "end" || !this.rendered || (event.key !== "Enter" && event.key !== "Escape")) {
      return;
    }
    event.stopPropagation();
    if (event.composedPath().includes(this.element)) {
      event.preventDefault();
      this.onClose();
    }
  }

  // focus puts the focus on the survey, and reports whether there is one.
  focus() {
    const target = this.shadow.querySelector(".survey-form, .intro-screen, .thank-you-message") ?? this.shadow.querySelector(".ph-survey-widget-tab");
    if (target && !target.matches("button")) {
      target.tabIndex = -1;
    }
    target?.focus({ preventScroll: true });
    return Boolean(target);
  }

  // fit gives the window its width, which is that of the device also where there is less
  // room, and has the page in it hold all of the survey.
  fit() {
    const room = this.window.parentElement.clientWidth;
    const width = this.device === "phone" ? phoneWidth : Math.max(room, leastDesktopWidth);
    Object.assign(this.window.style, { width: `${width}px`, zoom: Math.min(1, room / width) });
    this.window.dataset.device = this.device;
    this.fitRules();
    const popup = this.shadow.querySelector(".ph-survey");
    // What begins in the middle of the page has the lower half of it.
    const needed = (popup?.offsetHeight ?? 0) * (popup?.style.top === "50%" && !popup.style.transform ? 2 : 1);
    this.page.style.minHeight = popup ? `${needed + 60}px` : "";
  }

  // fitRules has the styles for narrow windows go by the drawn window.
  fitRules() {
    for (const style of this.shadow.querySelectorAll("style")) {
      for (const rule of style.sheet?.cssRules ?? []) {
        if (rule instanceof CSSMediaRule && (rule.narrow || rule.media.mediaText.includes("max-width"))) {
          rule.narrow = true;
          rule.media.mediaText = this.device === "phone" ? "all" : "not all";
        }
      }
    }
  }
}
