// Caches the shared files and the pages that must be readable without a connection, such as in a
// tunnel, and shows clearly when there is none.
"use strict";
const store = "viavai-VERSION";
const frame = [
  "/offline", "/offline/page", "/offline/form", "/offline/server",
  "STYLE", "FONT", "SCRIPT", "ICON", "LIVE", "DRIVE", "SHEET",
];
// The last versions of a ride and of the driver's page, and their maximum age in milliseconds.
const reading = "reading";
const readable = 86400000;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(store).then((cache) => cache.addAll(frame)));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => names.filter((name) => ![store, reading].includes(name)))
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});
self.addEventListener("message", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // Do not handle the event stream or the requests of scripts.
  if (url.origin !== location.origin || url.pathname === "/events") return;
  if (request.mode === "navigate") {
    event.respondWith(visit(event, url));
  } else if (request.headers.get("accept") === "text/html") {
    // An open page reloads its content, or shows the response to a form that it has sent.
    event.respondWith(fetch(request).then((answer) => keep(event, answer)));
  } else if (request.method === "GET" && url.pathname.startsWith("/assets/")) {
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
  }
});

async function visit(event, url) {
  const { request } = event;
  // Signing in or out clears the cache, so that the next user of the browser finds nothing.
  const isOther = /^\/(log(in|out)|password\/new|taxi\/code)/.test(url.pathname);
  if (isOther) event.waitUntil(caches.delete(reading));
  // A form is sent once and never cached. An interrupted one may have arrived.
  const isForm = request.method !== "GET";
  try {
    const answer = await fetch(request);
    return isForm ? answer : keep(event, answer);
  } catch {
    if (isForm) return caches.match(navigator.onLine ? "/offline/form" : "/offline");
    return await find(url) ?? caches.match(`/offline/${navigator.onLine ? "server" : "page"}`);
  }
}

// Returns the path of the cached page to which an address belongs.
const home = ({ pathname }) =>
  /^\/drive(?=\/|$)/.exec(pathname)?.[0] ?? /^\/ride\/\d+(?=\/|$)/.exec(pathname)?.[0];

function keep(event, answer) {
  const url = new URL(answer.url || event.request.url);
  const path = home(url);
  if (path && path === url.pathname) {
    const copy = answer.clone();
    const isPart = event.request.headers.has("x-page-refresh");
    event.waitUntil(isPart ? renewKept(path, copy) : replaceKept(path, copy));
  }
  return answer;
}

// A loaded page replaces the cached one, for example when a ride has ended.
async function replaceKept(path, answer) {
  if (answer.status === 429 || answer.status >= 500) return;
  const cache = await caches.open(reading);
  const isKept = answer.headers.has("x-page-keep");
  for (const { url } of await cache.keys()) {
    // Keep only one ride.
    if (url.endsWith(path) || isKept && path !== "/drive" && url.includes("/ride/")) {
      await cache.delete(url);
    }
  }
  if (isKept) await put(cache, path, await answer.text(), answer.headers);
}

// Updates the cache with the reloaded content of an open page.
async function renewKept(path, answer) {
  if (!answer.headers.has("x-page-keep") || answer.redirected) return;
  const cache = await caches.open(reading);
  const old = await cache.match(path);
  // The page was open before this service worker started.
  if (!old) return replaceKept(path, await fetch(path, { headers: { accept: "text/html" } }));
  const fresh = await answer.text();
  let text = await old.text();
  for (const part of [/<title>[^]*?<\/title>/, /<main[^]*<\/main>/]) {
    text = text.replace(part, () => part.exec(fresh)?.[0] ?? "");
  }
  await put(cache, path, text, old.headers);
}

async function put(cache, path, page, headers) {
  const now = Date.now();
  const text = page.replace(/<html(?: data-kept="\d*")?/, `<html data-kept="${now}"`);
  const all = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) all.delete(name);
  all.set("x-kept", now);
  await cache.put(path, new Response(text, { headers: all }));
}

async function find(url) {
  const path = home(url);
  const page = path && await (await caches.open(reading)).match(path);
  return page && Date.now() - page.headers.get("x-kept") < readable ? page : undefined;
}

// Notifications. Unreadable ones are shown too: a browser withdraws permission if nothing is shown.
self.addEventListener("push", (event) => {
  let notice = {};
  try {
    notice = event.data?.json() ?? {};
  } catch {
    // The message is not from this service, or from a later version.
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
    // Use only the path of the address, so that a notification cannot lead to another site.
    page = url.pathname + url.search;
  } catch {
    // Fall back to the home page.
  }
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((open) => {
      // The query only holds the result of the last action, so ignore it when comparing pages.
      const there = open.find((client) => {
        const { pathname, search } = new URL(client.url);
        return [pathname, pathname + search].includes(page);
      });
      return there ? there.focus() : self.clients.openWindow(page);
    }),
  );
});

// The browser's push service has changed the subscription's address. The site must learn the new
// one, or notifications stop. Only a signed-in session can report it.
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
