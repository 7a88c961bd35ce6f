// Keeps the frame of the pages and says honestly when there is no connection.
"use strict";
const store = "viavai-VERSION";
const kept = ["/offline", "STYLE", "SCRIPT", "ICON"];

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
  // Nothing that changes anything is ever kept or repeated, and the event stream is left alone.
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname === "/events") {
    return;
  }
  if (url.pathname.startsWith("/assets/")) {
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  }
});
