// Keeps the frame of the pages and says honestly when there is no connection.
"use strict";
const store = "viavai-VERSION";
const kept = ["/offline", "/offline/form", "STYLE", "SCRIPT", "ICON"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(store).then((cache) => cache.addAll(kept)));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((n) => n !== store).map((n) => caches.delete(n))))
      .then(() => self.clients.claim()),
  );
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // The event stream is left alone, and what scripts send.
  if (url.origin !== location.origin || url.pathname === "/events") return;
  if (request.mode === "navigate") {
    // A form goes out once and is never kept; one that broke off on its way may have arrived.
    const isLost = request.method !== "GET" && navigator.onLine;
    const page = isLost ? "/offline/form" : "/offline";
    event.respondWith(fetch(request).catch(() => caches.match(page)));
  } else if (request.method === "GET" && url.pathname.startsWith("/assets/")) {
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
  }
});

// Notices. What cannot be read is shown all the same: a browser that shows nothing loses the right.
self.addEventListener("push", (event) => {
  let notice = {};
  try {
    notice = event.data?.json() ?? {};
  } catch {
    // It is none of ours, or of a later version.
  }
  const text = (value, other) => (typeof value === "string" && value ? value : other);
  event.waitUntil(self.registration.showNotification(text(notice.title, "Viavai"), {
    body: text(notice.body, "There is news for you. / Ci sono novità per te."),
    tag: text(notice.tag, "news"),
    lang: text(notice.lang, ""),
    icon: "ICON",
    renotify: true,
    data: text(notice.url, "/"),
  }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  let page = "/";
  try {
    const url = new URL(event.notification.data, location.origin);
    // Only the way within this service counts, wherever a notice says that it is.
    page = url.pathname + url.search;
  } catch {
    // The first page then.
  }
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((open) => {
      // What was done there last stands behind the question mark: it is the same page all the same.
      const there = open.find((client) => {
        const { pathname, search } = new URL(client.url);
        return [pathname, pathname + search].includes(page);
      });
      return there ? there.focus() : self.clients.openWindow(page);
    }),
  );
});

// The browser's notice service gave it another address: ours must learn it, or nothing comes any
// more. It is told by who is signed in; nobody else can be believed.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription?.endpoint ?? "", event.newSubscription));
});
async function renew(old, subscription) {
  const answer = await fetch("/account/device.json", { headers: { accept: "application/json" } });
  if (!answer.ok) return;
  const { key, token } = await answer.json();
  const wish = { userVisibleOnly: true, applicationServerKey: key };
  const renewed = subscription ?? await self.registration.pushManager.subscribe(wish);
  const { endpoint, keys } = renewed.toJSON();
  const body = new URLSearchParams({ token, old, endpoint, ...keys });
  await fetch("/account/device/renewed", { method: "POST", body });
}
