// Enhancements for browsers with scripts. Every page works without them.
"use strict";

// Submits a form only once: a second click during the submission has no effect.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "1";
  const key = form.elements.key?.value;
  if (key) sessionStorage.setItem("sent", key);
  const button = event.submitter;
  if (button?.dataset.busy) {
    button.label = [...button.childNodes];
    button.textContent = button.dataset.busy;
  }
});
// Another language keeps what was typed: the form goes to the address of its page, which comes back
// in that language with the same values (`LanguageChoice`). Otherwise the link is followed.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-back]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { back } = link.dataset;
  const isTyped = (field) => {
    if (!field.matches("input:not([type=hidden], [type=file]), select, textarea")) return false;
    if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
    if (!field.options) return field.value !== field.defaultValue;
    // Without a default the browser selects the first option.
    const first = [...field.options].findIndex((one) => one.defaultSelected);
    return field.selectedIndex !== Math.max(0, first);
  };
  const forms = [...document.querySelectorAll("#content form")]
    .filter(({ method, elements }) => method === "post" && elements.token);
  // A form that was refused names its page. One with a mailed link has what the address lost.
  const form = forms.find(({ elements }) => [...elements].some(isTyped))
    ?? forms.find(({ elements }) => elements.page || elements.link);
  if (!form) {
    const query = new URLSearchParams({ to: link.hreflang, back });
    return location.assign(`/language?${query}`);
  }
  const choice = document.createElement("input");
  choice.type = "hidden";
  choice.name = "show-in";
  choice.value = `${link.hreflang} ${form.getAttribute("action")}`;
  form.append(choice);
  form.action = back;
  form.enctype = "application/x-www-form-urlencoded";
  // Not as an event: no script of the page may take this for its own form.
  HTMLFormElement.prototype.submit.call(form);
});
// Navigating back restores a page as it was left. A form that has been answered in the meantime
// then becomes a new form. A form without a response keeps its key, so that it takes effect only
// once.
addEventListener("pageshow", () => {
  const { kept } = document.documentElement.dataset;
  const isOffline = kept || document.querySelector("[data-offline]");
  const sent = sessionStorage.getItem("sent");
  let answered = (sessionStorage.getItem("answered") ?? "").split(" ");
  if (sent && !isOffline) {
    answered = [...answered, sent].slice(-50);
    sessionStorage.setItem("answered", answered.join(" "));
    sessionStorage.removeItem("sent");
  }
  for (const form of document.forms) {
    delete form.dataset.sent;
    const { key } = form.elements;
    if (key && answered.includes(key.value)) key.value = crypto.randomUUID();
    for (const button of form.querySelectorAll("[data-busy]")) {
      if (button.label) button.replaceChildren(...button.label);
    }
  }
});

// An offline page from the service worker reloads as soon as the server responds, unless somebody
// has typed something.
if (document.querySelector("[data-retry]") || document.documentElement.dataset.kept) {
  const isTyped = () => [...document.querySelectorAll("input:not([type=hidden]), textarea")]
    .some((field) => field.value !== field.defaultValue);
  const look = async () => {
    try {
      const { ok } = await fetch("/offline", { cache: "no-store" });
      if (ok && !isTyped() && !document.querySelector("form[data-sent]")) location.reload();
    } catch {
      // The server is still unreachable.
    }
  };
  addEventListener("online", look);
  if (!location.pathname.startsWith("/offline")) setInterval(look, 5000);
}

// What a press unfolds comes into view, above the dock and the tabs.
document.addEventListener("click", ({ target }) => {
  const row = target.closest?.("summary")?.parentElement;
  if (row) setTimeout(() => row.open && row.scrollIntoView({ block: "nearest" }));
});

// Focus the error summary, so that screen readers start with it.
document.querySelector("[data-focus]")?.focus();

// Adds a button that shows and hides a password.
for (const field of document.querySelectorAll("input[type=password][data-show]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  const name = field.labels[0]?.textContent ?? "";
  const say = (text) => {
    button.textContent = text;
    button.setAttribute("aria-label", `${text}: ${name}`);
  };
  say(field.dataset.show);
  button.setAttribute("aria-controls", field.id);
  button.addEventListener("click", () => {
    const shown = field.type === "text";
    field.type = shown ? "password" : "text";
    say(shown ? field.dataset.show : field.dataset.hide);
  });
  field.after(button);
}

// Makes horizontally scrolling boxes reachable by keyboard and gives them a name. To ask for their
// widths here would lay out the whole page before it is first drawn, folded parts included; the
// observer learns them when the browser lays them out.
const sizes = new ResizeObserver((changes) => {
  const wide = changes.map(({ target }) => target)
    .filter((box) => box.scrollWidth > box.clientWidth);
  for (const box of wide) {
    sizes.unobserve(box);
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", box.querySelector("caption")?.textContent ?? document.title);
  }
});
function nameScrolling() {
  for (const box of document.querySelectorAll(".scroll:not([tabindex])")) sizes.observe(box);
}
nameScrolling();
addEventListener("refreshed", nameScrolling);

// Hides the prompt for notifications that are already allowed.
for (const hint of document.querySelectorAll("[data-notices]")) {
  hint.hidden = window.Notification?.permission === "granted";
}

// Counts down the minutes until a taxi comes or arrives (data-minutes: the seconds that were left),
// and up the seconds since it was seen (data-seconds), from the moment at which the server stated
// them. A line that has become too old (data-until) asks for the page again.
const stated = new WeakMap();
const { kept } = document.documentElement.dataset;
const opened = kept ? performance.now() - (Date.now() - kept) : 0;
function count() {
  for (const one of document.querySelectorAll("[data-minutes], [data-seconds]")) {
    const gone = (performance.now() - (stated.get(one) ?? opened)) / 1000;
    const { minutes, seconds, until } = one.dataset;
    const value = minutes
      ? Math.max(1, Math.ceil((minutes - gone) / 60)) : Math.floor(Number(seconds) + gone);
    const text = one.textContent.replace(/\d+/, value);
    if (one.textContent !== text) one.textContent = text;
    if (!until || value <= until) continue;
    delete one.dataset.until;
    dispatchEvent(new CustomEvent("outdated", { detail: "ride" }));
  }
}
addEventListener("refreshed", ({ target, detail }) => {
  for (const one of target.querySelectorAll("[data-minutes], [data-seconds]")) {
    stated.set(one, detail);
  }
  count();
});
if (document.querySelector("[data-live]")) setInterval(count, 1000);

// Buttons that only scripts can serve: print the page, and hand a link to another app or copy it.
for (const button of document.querySelectorAll("[data-print], [data-share]")) {
  const { share, done } = button.dataset;
  button.hidden = Boolean(share && !navigator.share && !navigator.clipboard);
  button.addEventListener("click", async () => {
    if (!share) return print();
    try {
      if (navigator.share) return await navigator.share({ url: share });
      await navigator.clipboard.writeText(share);
      button.textContent = done;
    } catch {
      // The person has closed the choice of apps; the link itself is on the page.
    }
  });
}

// The service worker provides the offline page and notifications. It does not know pages that were
// loading while it started, so each page sends it a message. If the page is left meanwhile, the next
// one does it.
navigator.serviceWorker?.register("/service-worker.js")
  .then(({ active }) => active?.postMessage(""))
  .catch(() => {});
