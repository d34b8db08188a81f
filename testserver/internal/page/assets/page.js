// What the page does besides being read: it follows links and sends forms without
// loading anew, and takes in what the server says has changed. All HTML comes from the
// server, which escapes every text.

// The elements with data-region are replaced as a whole; the rows of the journal are
// merged, so that the one that is looked at stays where it is.
const longest = 100;

// parse makes a document of HTML. A policy of this name is all that the page allows.
const policy = window.trustedTypes?.createPolicy("page", { createHTML: (html) => html });
function parse(html) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
}

// replace puts a region in the place of the one with its id, and keeps the focus.
function replace(region) {
  const old = document.getElementById(region.id);
  if (!old || old.isEqualNode(region)) {
    return;
  }
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  // A person who types or chooses is not interrupted.
  if (focused?.matches("input, select, textarea")) {
    return;
  }
  old.replaceWith(region);
  if (focused) {
    const again = focused.id ? document.getElementById(focused.id) : region.querySelector(focused.tagName);
    again?.focus({ preventScroll: true });
  }
}

// visit loads an address of the page and shows its content in place of what is there.
async function visit(url, options) {
  const response = await fetch(url, options);
  const fresh = parse(await response.text());
  const there = [...document.querySelectorAll("[data-region]")].map((region) => region.id).join();
  const coming = [...fresh.querySelectorAll("[data-region]")].map((region) => region.id).join();

  if (there === coming) {
    for (const region of fresh.querySelectorAll("[data-region], #notice")) {
      replace(region);
    }
  } else {
    document.querySelector("main").replaceWith(fresh.querySelector("main"));
    document.getElementById("notice").replaceWith(fresh.getElementById("notice"));
    showPause();
  }
  document.title = fresh.title;
  document.body.dataset.events = fresh.body.dataset.events;
  return response;
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href^='?']");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return;
  }
  event.preventDefault();
  await visit(link.href);
  history.pushState(null, "", link.href);
  listen();
  const title = link.search.includes("request=") ? "detail-title" : null;
  document.getElementById(title)?.focus();
});

window.addEventListener("popstate", async () => {
  await visit(location.href);
  listen();
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post") {
    return;
  }
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  body.set("back", location.search);
  await visit(form.action, { method: "POST", body });
});

document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-submit]")) {
    event.target.form.requestSubmit();
  }
});

// takeRows merges rows of the journal: those that are there are replaced, others go to
// the top, and the oldest ones fall off.
function takeRows(html) {
  const rows = parse(`<table><tbody>${html}</tbody></table>`).querySelectorAll("tr");
  const body = document.getElementById("rows");
  for (const row of [...rows].reverse()) {
    const old = document.getElementById(row.id);
    if (old) {
      row.classList.toggle("current", old.classList.contains("current"));
      replace(row);
    } else {
      body.prepend(row);
    }
  }
  while (body.rows.length > longest) {
    body.lastElementChild.remove();
  }
  document.getElementById("none")?.remove();
}

let source;
let paused = false;

// listen follows the server from the address that is shown. A hidden page does not follow:
// browsers open only a few connections to one server.
function listen() {
  source?.close();
  if (paused || document.hidden) {
    return;
  }
  source = new EventSource(document.body.dataset.events);
  source.addEventListener("rows", (event) => takeRows(event.data));
  source.addEventListener("total", (event) => { document.getElementById("total").textContent = event.data; });
  source.addEventListener("region", (event) => { replace(parse(event.data).body.firstElementChild); });
  source.addEventListener("open", () => live("Live"));
  source.addEventListener("error", () => live("Not connected"));
}

function live(text) {
  const sign = document.getElementById("live");
  sign.hidden = false;
  sign.textContent = text;
}

function showPause() {
  const button = document.getElementById("pause");
  button.hidden = false;
  button.setAttribute("aria-pressed", String(paused));
}

document.addEventListener("click", async (event) => {
  if (!event.target.closest("#pause")) {
    return;
  }
  paused = !paused;
  showPause();
  live(paused ? "Paused" : "Live");
  if (!paused) {
    await visit(location.href);
  }
  listen();
});

document.addEventListener("visibilitychange", async () => {
  if (!document.hidden && !paused) {
    await visit(location.href);
  }
  listen();
});

showPause();
listen();
