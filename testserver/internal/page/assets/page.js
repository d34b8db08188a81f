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

// parts are what a person may have scrolled or opened in a region, looks how they are.
const parts = (region) => [...region.querySelectorAll(".scroll, .flow, pre, details")];
const looks = (region) => parts(region).map(({ open, scrollTop, scrollLeft }) => ({ open, scrollTop, scrollLeft }));

// replace puts a region in the place of the one with its id, and keeps the focus.
function replace(region) {
  const old = document.getElementById(region.id);
  if (!old || old.isEqualNode(region)) {
    return;
  }
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  // A person who types or chooses is not interrupted, and keeps what was typed.
  if (focused?.matches("input, select, textarea") || [...old.querySelectorAll("input")].some((input) => input.value !== input.defaultValue)) {
    return;
  }
  const before = looks(old);
  old.replaceWith(region);
  parts(region).forEach((part, i) => Object.assign(part, before[i]));
  if (focused) {
    const again = focused.id ? document.getElementById(focused.id) : region.querySelector(focused.tagName);
    (again ?? region.closest("section")?.querySelector("h2"))?.focus({ preventScroll: true });
  }
}

// tell puts the words of a notice into the element that is there: only those of a known
// element are read aloud.
function tell(notice) {
  const problem = notice.querySelector(".problem") !== null;
  document.getElementById(notice.id)?.replaceChildren(...notice.childNodes);
  for (const field of document.querySelectorAll(`[aria-describedby="${notice.id}"]`)) {
    problem ? field.setAttribute("aria-invalid", "true") : field.removeAttribute("aria-invalid");
  }
}

// regions names what a document shows, and of which world.
function regions(of) {
  return [...of.querySelectorAll("[data-region]")].map((region) => region.id).join() + " " + of.getElementById("world")?.value;
}

// show puts the content of a document in place of what is there.
function show(fresh) {
  if (regions(fresh) === regions(document)) {
    for (const region of fresh.querySelectorAll("[data-region], #total")) {
      replace(region);
    }
    fresh.querySelectorAll("[data-notice]").forEach(tell);
    for (const filter of fresh.querySelectorAll("#filter select")) {
      document.getElementById(filter.id).value = filter.value;
    }
  } else {
    const focused = document.activeElement?.id;
    document.body.replaceChildren(...fresh.body.childNodes);
    document.getElementById(focused)?.focus({ preventScroll: true });
    live(state);
    showPause();
  }
  document.title = fresh.title;
  document.body.dataset.events = fresh.body.dataset.events;
}

// visit loads an address of the page and shows it; of several at a time, the last one. It
// reports whether it did.
let visits = 0;
async function visit(url, options) {
  const mine = ++visits;
  try {
    const html = await (await fetch(url, options)).text();
    if (mine !== visits) {
      return false;
    }
    show(parse(html));
    return true;
  } catch {
    live("lost");
    return false;
  }
}

// go visits an address, of which the browser shows from now on that it is there.
async function go(url, remember) {
  if (await visit(url)) {
    history[remember](null, "", url);
    listen();
  }
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href^='?']");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return;
  }
  event.preventDefault();
  const from = new URLSearchParams(location.search);
  await go(link.href, "pushState");
  focusOn(from, new URLSearchParams(location.search));
});

// focusOn moves the focus to what a link has opened, or back to the link to what it has
// closed.
function focusOn(from, to) {
  for (const [name, title, link] of [["request", "detail-title", "#request-ID a"], ["survey", "survey-title", "#survey-ID"], ["app", "app-title", "#app-ID"]]) {
    if (from.get(name) === to.get(name)) {
      continue;
    }
    const element = to.has(name) ? document.getElementById(title) : document.querySelector(link.replace("ID", CSS.escape(from.get(name))));
    element?.focus();
    return;
  }
}

window.addEventListener("popstate", async () => {
  await visit(location.href);
  listen();
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  const sent = new FormData(form, event.submitter);
  if (form.method === "post") {
    const body = new URLSearchParams(sent);
    body.set("back", location.search);
    form.querySelectorAll("input").forEach((input) => { input.defaultValue = input.value; });
    await visit(form.action, { method: "POST", body });
    return;
  }

  // The fields take the place of those in the address. A world has objects of its own.
  const query = new URLSearchParams(form.querySelector("#world") ? "" : location.search);
  query.delete("done");
  for (const [name, value] of sent) {
    value ? query.set(name, value) : query.delete(name);
  }
  await go("?" + query, "replaceState");
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
  if (!body) {
    document.getElementById("journal") && visit(location.href); // there was no request until now
    return;
  }
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
}

let source;
let paused = false;
let state = "connecting";

// listen follows the server from the address that is shown. A hidden page does not follow:
// browsers open only a few connections to one server.
function listen() {
  source?.close();
  if (paused || document.hidden) {
    return;
  }
  source = new EventSource(document.body.dataset.events);
  source.addEventListener("rows", (event) => takeRows(event.data));
  source.addEventListener("title", (event) => { document.title = event.data; });
  source.addEventListener("reload", () => visit(location.href));
  source.addEventListener("total", (event) => { document.getElementById("total")?.replaceChildren(event.data); });
  source.addEventListener("region", (event) => { replace(parse(event.data).body.firstElementChild); });
  source.addEventListener("error", () => live("lost"));
  source.addEventListener("open", async () => {
    // The server may be another one by now.
    if (state === "lost") {
      await visit(location.href);
    }
    live("following");
  });
}

const states = { connecting: "Connecting", following: "Live", paused: "Paused", lost: "Not connected" };

// live says whether the page follows the server.
function live(now) {
  state = now;
  const sign = document.getElementById("live");
  sign.hidden = false;
  sign.className = now;
  sign.textContent = states[now];
}

function showPause() {
  const button = document.getElementById("pause");
  if (!button) {
    return;
  }
  button.hidden = false;
  button.setAttribute("aria-pressed", String(paused));
}

document.addEventListener("click", async (event) => {
  if (!event.target.closest("#pause")) {
    return;
  }
  paused = !paused;
  showPause();
  live(paused ? "paused" : "following");
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

document.documentElement.classList.add("scripted");
showPause();
listen();
