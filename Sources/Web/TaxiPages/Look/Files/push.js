// Notifications on this device. Permission is requested only when the button is pressed.
"use strict";
(() => {
  const form = document.getElementById("push-form");
  const button = document.getElementById("push-button");
  const words = form.dataset;
  const say = (text) => { document.getElementById("push-said").textContent = text; };
  // Some browsers' push services never respond.
  const patience = 10000;

  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    say(words.cannot);
    return;
  }
  form.hidden = false;

  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

  async function subscribe() {
    const { pushManager } = await navigator.serviceWorker.ready;
    const wish = { userVisibleOnly: true, applicationServerKey: bytes(words.key) };
    try {
      return await pushManager.subscribe(wish);
    } catch (error) {
      // The subscription uses another key, as after a new setup of the server.
      if (error.name !== "InvalidStateError") throw error;
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(wish);
    }
  }

  let isAsking = false;
  button.addEventListener("click", async () => {
    if (isAsking) return;
    isAsking = true;
    const label = button.textContent;
    button.textContent = words.busy;
    try {
      if (await Notification.requestPermission() !== "granted") return say(words.denied);
      const late = new Promise((_, reject) => setTimeout(reject, patience));
      const { endpoint, keys } = (await Promise.race([subscribe(), late])).toJSON();
      for (const [name, value] of Object.entries({ endpoint, ...keys })) {
        if (form.elements[name]) form.elements[name].value = value;
      }
      form.requestSubmit();
    } catch {
      say(words.slow);
    } finally {
      button.textContent = label;
      isAsking = false;
    }
  });
})();
