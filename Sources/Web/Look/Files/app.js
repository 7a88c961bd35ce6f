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
  const button = event.submitter;
  if (button?.dataset.busy) button.textContent = button.dataset.busy;
});
// Back in the history brings the page as it was left: it may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// The summary of what is wrong takes the focus, so that it is read first.
document.querySelector("[data-focus]")?.focus();

// Passwords can be looked at.
for (const field of document.querySelectorAll("input[type=password][data-show]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = field.dataset.show;
  button.setAttribute("aria-controls", field.id);
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const shown = field.type === "text";
    field.type = shown ? "password" : "text";
    button.textContent = shown ? field.dataset.show : field.dataset.hide;
    button.setAttribute("aria-pressed", String(!shown));
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

// The offline page, and notices later, come from the service worker.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js");
