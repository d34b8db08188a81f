// What the page does besides being read: it follows links and sends forms without
// loading anew, and shows now and then what the server has by then. All HTML comes from the
// server, which escapes every text.

// The elements with data-region are replaced when the server has others; the list of the
// journal waits as long as somebody reads it.

const get = (id) => document.getElementById(id);

// parse makes a document of HTML. A policy of this name is all that the page allows.
const policy = window.trustedTypes?.createPolicy("page", { createHTML: (html) => html });
function parse(html) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
}

// parts are what a person may have scrolled or opened in a region, looks how they are.
const parts = (region) => [...region.querySelectorAll(".scroll, .flow, pre, details")];
const looks = (region) => parts(region).map(({ open, scrollTop, scrollLeft }) => ({ open, scrollTop, scrollLeft }));

// isEdited tells whether a person types or chooses in a region, or has typed there.
function isEdited(region, focused) {
  return focused?.matches("input, select, textarea") || [...region.querySelectorAll("input")].some((input) => input.value !== input.defaultValue);
}

// later are regions that came while a person typed in those that are there.
const later = new Map();

// served are the regions as the server wrote them, before anything here changed them.
const served = new Map();

// replace puts a region in the place of the one with its id, and keeps the focus.
function replace(region) {
  const old = get(region.id), html = region.outerHTML;
  later.delete(region.id);
  if (!old || served.get(region.id) === html) {
    return;
  }
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  if (isEdited(old, focused)) {
    later.set(region.id, region);
    return;
  }
  const before = looks(old);
  served.set(region.id, html);
  old.replaceWith(region);
  parts(region).forEach((part, i) => Object.assign(part, before[i]));
  if (focused) {
    const again = focused.id ? get(focused.id) : region.querySelector(focused.tagName);
    (again ?? region.closest("section")?.querySelector("h2"))?.focus({ preventScroll: true });
  }
}

document.addEventListener("focusout", () => setTimeout(() => [...later.values()].forEach(replace)));

// tell puts the words of a notice into the element that is there: only those of a known
// element are read aloud.
function tell(notice) {
  const problem = notice.querySelector(".problem") !== null;
  const there = get(notice.id);
  there?.replaceChildren(...notice.childNodes);
  if (there?.firstElementChild) {
    there.scrollIntoView({ block: "nearest" });
  }
  for (const field of document.querySelectorAll(`[aria-describedby="${notice.id}"]`)) {
    problem ? field.setAttribute("aria-invalid", "true") : field.removeAttribute("aria-invalid");
  }
}

// part puts one half of a document in place, as a whole when it is about something else.
function part(id, fresh) {
  const old = get(id), now = fresh.getElementById(id);
  if (old.dataset.view !== now.dataset.view) {
    const focused = document.activeElement?.id;
    take(now);
    old.replaceWith(now);
    get(focused)?.focus({ preventScroll: true });
    return;
  }
  now.querySelectorAll("[data-region]").forEach(replace);
}

// take keeps how the server wrote the regions of a document that is shown from now on, without the
// words of its notices.
function take(part) {
  for (const region of part.querySelectorAll("[data-region]")) {
    const plain = region.cloneNode(true);
    plain.querySelectorAll("[data-notice]").forEach((notice) => notice.replaceChildren());
    served.set(region.id, plain.outerHTML);
  }
}

// show puts the content of a document in place of what is there. What is shown again has nothing
// to tell.
function show(fresh, isAgain) {
  if (fresh.body.dataset.view !== document.body.dataset.view) {
    const focused = document.activeElement?.id;
    take(fresh);
    document.body.replaceChildren(...fresh.body.childNodes);
    document.body.dataset.view = fresh.body.dataset.view;
    get(focused)?.focus({ preventScroll: true });
    renew();
  } else {
    fresh.querySelectorAll("header [data-region]").forEach(replace);
    if (get("context")) {
      const notices = [...fresh.querySelectorAll("[data-notice]")].map((notice) => {
        const words = notice.cloneNode(true);
        notice.replaceChildren();
        return words;
      });
      part("context", fresh);
      showList(fresh);
      isAgain || notices.forEach(tell);
    }
    mark();
    cover();
    showScripted();
  }
  document.title = fresh.title;
}

// showList puts the journal of a document in place. While the list holds, its rows stay in theirs.
function showList(fresh) {
  const old = get("journal"), now = fresh.getElementById("journal");
  if (old.dataset.view === now.dataset.view) {
    get("total").textContent = fresh.getElementById("total").textContent;
    waiting = fresh.getElementById("requests");
    holds() ? showFresh() : takeFresh();
    return;
  }
  // The fields stay: somebody may be typing there.
  old.dataset.view = now.dataset.view;
  waiting = null;
  showFresh();
  take(now);
  get("total").textContent = fresh.getElementById("total").textContent;
  get("requests").replaceWith(fresh.getElementById("requests"));
  list().scrollTop = 0;
  for (const field of now.querySelectorAll("#filter input")) {
    const there = field.id ? get(field.id) : null;
    if (there && there !== document.activeElement) {
      there.value = field.value;
      there.checked = field.checked;
    }
  }
}

// cover keeps the focus in a request that lies over everything else, on a narrow screen.
const narrow = matchMedia("(max-width: 56.24rem)");
function cover() {
  for (const part of document.querySelectorAll("body > header, #journal, footer, .skip")) {
    part.inert = narrow.matches && get("detail") !== null;
  }
}

narrow.addEventListener("change", cover);

// mark marks the row of the request that is shown.
function mark() {
  const current = new URLSearchParams(location.search).get("request");
  for (const row of document.querySelectorAll("#rows > li")) {
    markRow(row, current);
  }
}

function markRow(row, current) {
  const is = row.id === "request-" + current;
  row.classList.toggle("current", is);
  is ? row.querySelector("a").setAttribute("aria-current", "true") : row.querySelector("a").removeAttribute("aria-current");
}

// visit loads an address of the page and shows it; of several at a time, the last one. It
// reports whether it did.
let visits = 0, pending = 0;
async function visit(url, options, remember) {
  const mine = ++visits;
  pending++;
  try {
    const html = await (await fetch(url, options)).text();
    if (mine !== visits) {
      return false;
    }
    if (remember) {
      history[remember](null, "", url);
    }
    if (state === "lost") {
      delete get("journal")?.dataset.view; // The server may be another one by now, with a journal of its own.
    }
    live(paused ? "paused" : "following");
    show(parse(html), !options && !remember);
    return true;
  } catch {
    live("lost");
    return false;
  } finally {
    pending--;
  }
}

// going is where somebody goes who has not arrived yet: its address, and how it is remembered.
let going = null;

// here is the address that is shown, or the one that is about to be.
const here = () => new URL(going?.url ?? location.href, location.href);

// go visits an address, of which the browser shows from now on that it is there.
async function go(url, remember) {
  const mine = going = { url, remember };
  await visit(url, undefined, remember);
  if (mine === going) {
    going = null;
  }
}

// refresh shows the present state of the page, and takes nobody back who is about to leave it.
const refresh = () => going ? go(going.url, going.remember) : visit(location.href);

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href^='?']");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return;
  }
  event.preventDefault();
  const from = new URLSearchParams(location.search), id = link.id;
  await go(addressOf(link), "pushState");
  focusOn(from, new URLSearchParams(location.search), id);
});

// addressOf is where a link leads. What stays in place beside it may have changed since it was
// made, so that it tells of its own half of the page alone.
const halves = { journal: ["q", "errors", "faults", "writes", "before", "request"], context: ["tab", "survey", "app", "request", "search", "status"] };
function addressOf(link) {
  if (!get("context")) {
    return link.href;
  }
  const to = new URL(link.href).searchParams, query = new URLSearchParams(here().search);
  for (const name of [...halves[link.closest("#journal") ? "journal" : "context"], "done", "form"]) {
    to.has(name) ? query.set(name, to.get(name)) : query.delete(name);
  }
  return "?" + query;
}

// focusOn moves the focus to what a link has opened, or back to the link to what it has
// closed.
function focusOn(from, to, id) {
  for (const [name, title, link] of [["request", "detail-title", "#request-ID a"], ["survey", "survey-title", "#survey-ID"], ["app", "app-title", "#app-ID"]]) {
    if (from.get(name) === to.get(name)) {
      continue;
    }
    // Who goes from request to request with the button keeps it.
    const button = ["newer", "next"].includes(id) ? get(id) : null;
    const element = button ?? (to.has(name) ? get(title) : document.querySelector(link.replace("ID", CSS.escape(from.get(name)))));
    (element ?? get(id) ?? get("journal-title"))?.focus();
    return;
  }
  if (from.get("before") !== to.get("before")) {
    document.querySelector("#rows a")?.focus();
  }
}

window.addEventListener("popstate", () => visit(location.href, {}));

document.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  if (typed?.form === form || form.querySelector("#world")) {
    clearTimeout(typed?.timer);
  }
  const sent = new FormData(form, event.submitter);
  if (form.method === "post") {
    const body = new URLSearchParams(sent);
    body.set("back", here().search);
    form.querySelectorAll("input").forEach((input) => { input.defaultValue = input.value; });
    await visit(form.action, { method: "POST", body });
    return;
  }

  // The fields take the place of those in the address. A world has objects of its own.
  const query = new URLSearchParams(form.querySelector("#world") ? "" : here().search);
  for (const name of ["done", "form", "before"]) {
    query.delete(name);
  }
  for (const { name } of [...form.elements].filter((field) => field.name && field.type !== "hidden")) {
    sent.get(name) ? query.set(name, sent.get(name)) : query.delete(name);
  }
  await go("?" + query, "replaceState");
});

document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-submit], input[type=checkbox][data-submit]")) {
    event.target.form.requestSubmit();
  }
});

// A search starts when the typing pauses, unless its form is submitted or another world is
// chosen before that.
let typed = null;
document.addEventListener("input", (event) => {
  const { form } = event.target;
  if (event.target.matches("input[type=search][data-submit]")) {
    clearTimeout(typed?.timer);
    typed = { form, timer: setTimeout(() => form?.requestSubmit(), 250) };
  }
});

// list is the list of the journal.
const list = () => document.querySelector("#journal .list");

// holds tells whether somebody reads the list: scrolls it, hovers a row or has the focus in it.
const canHover = matchMedia("(hover: hover)");
function holds() {
  const rows = get("rows");
  if (!rows) {
    return false;
  }
  const scrolled = list().scrollTop > 4 || rows.getBoundingClientRect().top < -4;
  return scrolled || rows.contains(document.activeElement) || canHover.matches && rows.matches(":hover");
}

// waiting is the list as the server has it, while another one is held.
let waiting = null;

const numberOf = (row) => Number(row.id.slice("request-".length));

// arrived is the number of requests that wait. Numbers without gaps tell it where not all of them are
// in the list.
function arrived() {
  const rows = [...waiting?.querySelectorAll("#rows > li") ?? []], newest = document.querySelector("#rows > li");
  const last = newest ? numberOf(newest) : 0, newer = rows.filter((row) => numberOf(row) > last);
  const isWhole = newer.length < rows.length || document.querySelector("#filter input:checked") || get("q").value;
  return isWhole || newer.length === 0 ? newer.length : numberOf(newer[0]) - last;
}

// showFresh says how many requests wait, and renews the rows that are there.
function showFresh() {
  const button = get("fresh");
  if (!button) {
    return;
  }
  const count = arrived();
  button.hidden = count === 0;
  button.textContent = `${count.toLocaleString("en")} new ↑`;
  for (const row of waiting?.querySelectorAll("#rows > li") ?? []) {
    const old = get(row.id);
    if (old && old.className !== row.className && !old.contains(document.activeElement)) {
      old.replaceWith(row.cloneNode(true));
    }
  }
}

// takeFresh shows the list that waited.
function takeFresh() {
  const list = waiting;
  waiting = null;
  list && replace(list);
  showFresh();
}

// release lets go of the list when nobody reads it any more.
const release = () => setTimeout(() => { if (waiting && !holds()) { takeFresh(); } });
document.addEventListener("focusout", release);
document.addEventListener("pointerout", release);
document.addEventListener("scroll", release, { capture: true, passive: true });

let paused = false;
let state = "connecting";

// follow shows now and then what there is on the server, unless somebody is about to leave. A hidden
// page does not follow.
const interval = 500;
async function follow() {
  if (!paused && !document.hidden && pending === 0) {
    await visit(location.href);
  }
  setTimeout(follow, interval);
}

const states = { connecting: "Connecting", following: "Live", paused: "Paused", lost: "Not connected" };

// live says whether the page follows the server.
function live(now) {
  const sign = get("live");
  if (state === now && !sign.hidden) {
    return;
  }
  state = now;
  sign.hidden = false;
  sign.className = now;
  sign.textContent = states[now];
}

// showScripted shows what only a script can do.
function showScripted() {
  get("pause")?.setAttribute("aria-pressed", String(paused));
  document.querySelectorAll("#pause, [data-copy]").forEach((button) => { button.hidden = false; });
}

// renew sets what the script knows in a page that was replaced as a whole.
function renew() {
  waiting = null;
  showFresh();
  live(state);
  cover();
  showScripted();
}

document.addEventListener("click", async (event) => {
  if (event.target.closest("#fresh")) {
    takeFresh();
    list().scrollTop = 0;
    get("journal").scrollIntoView({ block: "nearest" });
    get("journal-title").focus({ preventScroll: true });
  }
  if (event.target.closest("[data-copy]")) {
    copy(event.target);
  }
  if (!event.target.closest("#pause")) {
    return;
  }
  paused = !paused;
  showScripted();
  live(paused ? "paused" : "following");
  if (!paused) {
    await refresh();
  }
});

// copy copies the text of an element, or selects it where a page may not copy.
async function copy(button) {
  const from = get(button.dataset.copy), words = button.textContent;
  try {
    await navigator.clipboard.writeText(from.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 1500);
  } catch {
    from.closest("details").open = true;
    getSelection().selectAllChildren(from);
    from.focus();
  }
}

// In the journal j and k go down and up: through the requests that are shown one by one, or
// else through the rows. Escape closes a request.
document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (event.metaKey || event.ctrlKey || event.altKey || at.closest("input, select, textarea") || !at.closest("#journal, #detail")) {
    return;
  }
  const steps = { j: ["next", 1], k: ["newer", -1] }[event.key];
  if (event.key === "Escape") {
    get("close")?.click();
  } else if (steps && get("detail")) {
    get(steps[0])?.click();
  } else if (steps) {
    const links = [...document.querySelectorAll("#rows a")];
    links[Math.max(0, Math.min(links.length - 1, links.indexOf(document.activeElement) + steps[1]))]?.focus();
  }
});

// A question and its box in the drawing are marked together.
document.addEventListener("pointerover", (event) => {
  const place = event.target.closest?.("[data-question]")?.dataset.question;
  for (const element of document.querySelectorAll("[data-question]")) {
    element.classList.toggle("marked", element.dataset.question === place);
  }
});

document.addEventListener("visibilitychange", async () => {
  if (!document.hidden && !paused) {
    await refresh();
  }
});

document.documentElement.classList.add("scripted");
take(document);
cover();
showScripted();
follow();
