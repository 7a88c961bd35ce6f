// What makes pages better where scripts run; every page works without.
"use strict";

// A form is sent once: a second press while the first is on its way does nothing.
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
    button.dataset.label = button.textContent;
    button.textContent = button.dataset.busy;
  }
});
// Back in the history brings a page as it was left. A form that has been answered since, which any
// page of ours shows, is a new one then. One without an answer keeps its key, to be done once.
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
    for (const button of form.querySelectorAll("[data-label]")) {
      button.textContent = button.dataset.label;
    }
  }
});

// What the service worker shows in place of a page gives way to it when the service answers, unless
// somebody has typed something.
if (document.querySelector("[data-retry]") || document.documentElement.dataset.kept) {
  const isTyped = () => [...document.querySelectorAll("input:not([type=hidden]), textarea")]
    .some((field) => field.value !== field.defaultValue);
  const look = async () => {
    try {
      const { ok } = await fetch("/offline", { cache: "no-store" });
      if (ok && !isTyped() && !document.querySelector("form[data-sent]")) location.reload();
    } catch {
      // Not yet.
    }
  };
  addEventListener("online", look);
  if (!location.pathname.startsWith("/offline")) setInterval(look, 5000);
}

// The summary of what is wrong takes the focus, so that it is read first.
document.querySelector("[data-focus]")?.focus();

// Passwords can be looked at.
for (const field of document.querySelectorAll("input[type=password][data-show]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = field.dataset.show;
  button.setAttribute("aria-controls", field.id);
  button.addEventListener("click", () => {
    const shown = field.type === "text";
    field.type = shown ? "password" : "text";
    button.textContent = shown ? field.dataset.show : field.dataset.hide;
  });
  field.after(button);
}

// What scrolls sideways is reached by keyboard and has a name, also after the window was turned.
function nameScrolling() {
  for (const box of document.querySelectorAll(".scroll:not([tabindex])")) {
    if (box.scrollWidth <= box.clientWidth) continue;
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", box.querySelector("caption")?.textContent ?? document.title);
  }
}
nameScrolling();
addEventListener("resize", nameScrolling);

// Nobody is asked for what he has allowed.
for (const hint of document.querySelectorAll("[data-notices]")) {
  hint.hidden = window.Notification?.permission === "granted";
}

// The offline page and notices come from the service worker, which knows no page that was under
// way while it began: each says that it is there.
navigator.serviceWorker?.register("/service-worker.js")
  .then(({ active }) => active?.postMessage(""));
