// Keeps open pages up to date. One tab of a browser receives the events and forwards them to the
// others. An element with data-live="NAMES" reloads on these events. Pages work without this
// script.
"use strict";
(() => {
  const words = document.getElementById("live-script").dataset;
  const names = words.names.split(" ");
  // Without any message for this long, the connection is assumed lost; in milliseconds.
  const silence = 45000;
  // The ID of the newest known event.
  let last = words.after;
  // For each name, the ID of the event up to which its elements are current, as the page that
  // contained them stated. The effect of this browser's own actions is usually shown before their
  // event arrives.
  const shown = new Map(names.map((name) => [name, words.after]));
  let channel, wish, source, release, watch, retry;
  // The time of the last message from the server, and whether the connection is lost.
  const kept = Number(document.documentElement.dataset.kept);
  let heard = kept || Date.now();
  let isLost = false;
  // Pages that receive no events poll. So do old browsers, where too many streams would block
  // pages.
  const polls = words.every || !("locks" in navigator) || !("BroadcastChannel" in window);
  let lossTimer;

  const number = (id) => Number(id.slice(id.lastIndexOf("-") + 1));
  const isOlder = (id, other) =>
    id.slice(0, id.lastIndexOf("-")) !== other.slice(0, other.lastIndexOf("-"))
    || number(id) < number(other);
  const isShown = (name, id) => id && !isOlder(shown.get(name), id);

  // The offline message. Every page has its element, empty, before it is needed.
  const banner = document.createElement("div");
  banner.id = "connection";
  banner.setAttribute("role", "status");
  const content = document.getElementById("content");
  content.before(banner);

  function showLoss(isNow, since) {
    isLost = isNow;
    document.documentElement.classList.toggle("lost", isNow);
    const time = new Date(since).toLocaleTimeString(document.documentElement.lang,
      { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: words.zone });
    const text = isNow ? `${words.lost} ${time}.` : "";
    if (banner.textContent !== text) banner.textContent = text;
  }
  // The service worker cached this page, so its content is from that time.
  if (kept) showLoss(true, kept);

  // A link that cannot load now would leave the page. Instead the page stays and says so.
  addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || !isLost && navigator.onLine || event.defaultPrevented || event.button) return;
    const isHere = link.pathname === location.pathname && link.hash;
    if (link.origin !== location.origin || link.target || isHere) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    try {
      const asked = { cache: "no-store", signal: AbortSignal.timeout?.(5000) };
      if ((await fetch("/offline", asked)).ok) return location.assign(link.href);
    } catch {
      // Stay on the page, unless the connection is back by now.
      if (!isLost && navigator.onLine) return location.assign(link.href);
    }
    showLoss(true, heard);
    banner.prepend(`${words.stays} `);
    banner.scrollIntoView({ block: "nearest" });
  });

  // The pending reload, which combines all changes until it starts: each name with the ID of the
  // event to be shown, or with none if any current content will do.
  let wanted = new Map();
  let isFetching = false;
  let fetchTimer;
  // The time at which a form of this page was sent. Its response replaces the page and must not be
  // lost to a reload, which may already show the form's effect. In milliseconds.
  let sent = 0;
  const patience = 30000;
  const isSending = () => Date.now() - sent < patience;
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented) sent = Date.now();
  });
  // A script of the page has sent a form and shown the response. The detail is the ID of the event
  // up to which the content is current, if any.
  let answers = 0;
  addEventListener("sending", () => { sent = Date.now(); });
  addEventListener("answered", ({ detail: after }) => {
    sent = 0;
    answers += 1;
    for (const name of after ? names.filter(isInContent) : []) {
      const isBack = isOlder(after, shown.get(name));
      shown.set(name, after);
      if (isBack) refresh([name]);
    }
    if (wanted.size) fetchPage();
  });
  // A script of the page knows that the content of a name is out of date.
  addEventListener("outdated", ({ detail: name }) => refresh([name]));
  const placesOf = (isAsked) => [...document.querySelectorAll("[data-live]")]
    .filter((place) => place.dataset.live.split(" ").some(isAsked));
  const isInContent = (name) => placesOf((one) => one === name)
    .every((place) => content.contains(place));

  function refresh(some, within = 0, id) {
    for (const name of some) {
      // Another window may have a newer version of the page, with more names.
      if (!shown.has(name) || isShown(name, id)) continue;
      const isAny = wanted.has(name) && !wanted.get(name);
      wanted.set(name, isAny ? undefined : id);
    }
    if (!wanted.size) return;
    clearTimeout(fetchTimer);
    fetchTimer = setTimeout(fetchPage, Math.random() * within);
  }

  // Reloads again unless a newer event is pending.
  function wantAgain(asked) {
    for (const [name, id] of asked) if (!id || !wanted.has(name)) refresh([name], 0, id);
  }

  async function fetchPage() {
    if (isFetching) return;
    if (isSending()) {
      clearTimeout(fetchTimer);
      fetchTimer = setTimeout(fetchPage, 1000);
      return;
    }
    const asked = [...wanted].filter(([name, id]) => !isShown(name, id));
    wanted = new Map();
    const places = placesOf((name) => asked.some(([one]) => one === name));
    if (!places.length) return;
    const before = answers;
    const since = performance.now();
    isFetching = true;
    try {
      // The header marks an automatic reload, so that an unattended session still expires.
      const answer = await fetch(location.href, {
        headers: { accept: "text/html", "x-page-refresh": "1" },
        signal: AbortSignal.timeout?.(patience),
      });
      const text = await answer.text();
      // The result of a form is newer than a reload that started before it.
      if (isSending() || answers !== before) return wantAgain(asked);
      // A visitor who may no longer see the page is redirected, and so is this tab.
      if (answer.redirected) return location.reload();
      if (answer.status === 429 || answer.status >= 500) throw new Error(String(answer.status));
      if (polls) showLoss(false, heard = Date.now());
      if (!answer.ok) {
        // The page itself is gone or not permitted any more: load what replaces it. Elements that
        // every page has, such as the service state, do not count.
        if (places.some((place) => content.contains(place))) location.reload();
        return;
      }
      const page = new DOMParser().parseFromString(text, "text/html");
      // Another user has signed in, or the user has signed out.
      const told = page.getElementById("live-script")?.dataset;
      if (told?.session !== words.session) return location.reload();
      // If an element is gone, the page has become another one, for example when a ride ends.
      if (places.some((place) => !page.getElementById(place.id))) return location.reload();
      document.title = page.title;
      // An offer fills the screen, a ride has a map: the layout may change with the content.
      document.body.className = page.body.className;
      for (const place of places) swap(place, page.getElementById(place.id), since);
      for (const [name] of asked) shown.set(name, told.after);
    } catch {
      if (polls) showLoss(true, heard);
      // The connection failed or the server is busy: try again, unless an event comes first.
      setTimeout(() => refresh(asked.map(([name]) => name)), 5000);
    } finally {
      isFetching = false;
      if (wanted.size) fetchPage();
    }
  }

  // Whether two forms are the same and concern the same ride.
  const isSame = (one, other) => one.action === other.action
    && one.elements.ride?.value === other.elements.ride?.value;

  // Keeps what the user has typed if the form is still the same.
  function keep(old) {
    const field = document.getElementById(old.id);
    if (field?.form && old.form && isSame(field.form, old.form)) field.value = old.value;
  }

  function swap(place, fresh, since) {
    const wear = () => {
      for (const { name, value } of fresh.attributes) place.setAttribute(name, value);
    };
    if (place.innerHTML === fresh.innerHTML) return wear();
    const focused = place.contains(document.activeElement) ? document.activeElement : null;
    // Do not replace what the user is interacting with, unless its form is gone.
    const has = (form) => [...fresh.querySelectorAll("form")].some((one) => isSame(one, form));
    const isField = focused?.matches("input, select, textarea");
    if (isField && (!focused.form || has(focused.form))) {
      focused.addEventListener("blur", () => refresh(place.dataset.live.split(" ")), { once: true });
      return;
    }
    // The errors of a form stay until it is sent again.
    const flawed = place.querySelector("[aria-invalid]")?.form;
    if (flawed && has(flawed)) return;
    const typed = [...place.querySelectorAll("input:not([type=hidden]), textarea")]
      .filter((field) => field.id && field.value !== field.defaultValue);
    const summaries = () => [...place.querySelectorAll("details > summary")];
    const open = summaries().filter((one) => one.parentNode.open).map((one) => one.textContent);
    // The element itself stays, so that screen readers announce the changes in it.
    place.replaceChildren(...fresh.childNodes);
    // What the user has unfolded stays so.
    for (const one of summaries()) if (open.includes(one.textContent)) one.parentNode.open = true;
    wear();
    for (const field of typed) keep(field);
    if (focused) {
      const same = (other) => focused.id ? other.id === focused.id
        : other.textContent === focused.textContent;
      [...place.querySelectorAll(focused.localName)].find(same)?.focus();
    }
    place.dispatchEvent(new CustomEvent("refreshed", { bubbles: true, detail: since }));
  }

  // Updates a driver's queue position, which changes too often to reload whole pages. It comes as
  // text with the ID of its event, because a reload in progress may have older data.
  function move(place, id) {
    if (isFetching || isSending()) return refresh(["drive"], 0, id);
    const line = document.querySelector("[data-place]");
    if (!line || Number(line.dataset.place) >= place.at) return;
    const [title, said] = place[document.documentElement.lang];
    document.title = document.title.replace(line.textContent, () => title);
    // The place itself is the one large figure: "You are <b>3rd</b> of 7 in Centro".
    const [, before, rank, after] = title.match(/^(\D*)(\S*)(.*)$/s);
    const figure = document.createElement("b");
    figure.textContent = rank;
    line.replaceChildren(before, figure, after);
    line.dataset.place = place.at;
    const status = document.getElementById("drive-said");
    if (status.textContent !== said) status.textContent = said;
  }

  // Handles a message of the receiving tab: {id, name, within} for an event, {id, place} for a
  // queue position, {id, names, within} if anything may have changed, {isLost, since} for the
  // connection.
  function take(news) {
    if (news.name) refresh([news.name], news.within, news.id);
    if (news.names) refresh(news.names, news.within);
    if (news.place) move(news.place, news.id);
    const isTold = news.name || news.names || news.place;
    if (news.id && (isTold || isOlder(last, news.id))) {
      // This page missed an event.
      if (!isTold) refresh(names);
      last = news.id;
    }
    // Cached content keeps its age until the page itself loads.
    if ("isLost" in news) showLoss(kept ? true : news.isLost, kept || news.since);
  }
  function tell(news) {
    take(news);
    channel.postMessage(news);
  }
  const state = () => ({ id: last, isLost, since: heard });

  // Receives events. Only the tab with the lock does this.
  function open() {
    source?.close();
    clearTimeout(retry);
    const asked = new URLSearchParams({ after: last, session: words.session });
    source = new EventSource("/events?" + asked);
    const hear = (event) => {
      heard = Date.now();
      clearTimeout(lossTimer);
      lossTimer = 0;
      if (isLost) tell({ isLost: false, since: heard });
      if (event.lastEventId) last = event.lastEventId;
    };
    source.addEventListener("hello", hear);
    source.addEventListener("beat", hear);
    source.addEventListener("reset", (event) => {
      hear(event);
      // After an outage all browsers reconnect at once, and each reloads its page.
      tell({ id: last, names, within: 1000 });
    });
    for (const name of names) {
      source.addEventListener(name, (event) => {
        hear(event);
        tell({ id: last, name, within: Number(event.data) || 0 });
      });
    }
    source.addEventListener("place", (event) => {
      hear(event);
      tell({ id: last, place: JSON.parse(event.data) });
    });
    // The session has ended or its permissions have changed: reconnect with the current one.
    source.addEventListener("end", () => {
      source.close();
      again(1000);
      source.wasEnded = true;
    });
    // Another window of this session has taken over.
    source.addEventListener("replaced", () => {
      source.close();
      source = undefined;
    });
    source.onopen = hear;
    source.onerror = () => {
      miss();
      // The browser has given up, as after a proxy error, so reconnect here. The user may also have
      // signed out, which a reload shows.
      if (source.readyState === EventSource.CLOSED) {
        tell({ id: last, names });
        again(5000 + Math.random() * 5000);
      }
    };
  }

  function again(milliseconds) {
    clearTimeout(retry);
    retry = setTimeout(() => {
      const wasEnded = source?.wasEnded;
      open();
      if (wasEnded) source.addEventListener("hello", () => tell({ id: last, names }), { once: true });
    }, milliseconds);
  }

  function miss() {
    lossTimer ||= setTimeout(() => tell({ isLost: true, since: heard }), 4000);
  }

  const lead = () => new Promise((resolve) => {
    release = resolve;
    if (!isLost) heard = Date.now();
    open();
    watch = setInterval(() => {
      if (!source || Date.now() - heard < silence) return;
      miss();
      open();
    }, 10000);
  });

  function start() {
    channel = new BroadcastChannel("events");
    channel.onmessage = ({ data }) => {
      if (data !== "state") take(data);
      else if (source) channel.postMessage(state());
    };
    wish = new AbortController();
    navigator.locks.request("events", { signal: wish.signal }, lead).catch(() => {});
    channel.postMessage("state");
  }

  function stop() {
    wish?.abort();
    release?.();
    source?.close();
    channel?.close();
    for (const timer of [retry, watch, lossTimer]) clearTimeout(timer);
    release = source = lossTimer = undefined;
  }

  // Reload when the page becomes visible, because a sleeping device may have missed events or lost
  // its connection.
  let hidden = Infinity;
  document.addEventListener("visibilitychange", () => {
    const now = Date.now();
    if (document.hidden) {
      hidden = now;
    } else if (now - hidden > 10000) {
      refresh(names);
      if (source && now - heard > 20000) open();
    }
  });

  if (polls) {
    setInterval(() => document.hidden || refresh(names), (words.every || 20) * 1000);
    return;
  }
  addEventListener("offline", () => showLoss(true, heard));
  addEventListener("online", () => source ? open() : channel.postMessage("state"));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    // The page was in the back-forward cache, so its content is from that time.
    sent = 0;
    start();
    refresh(names);
  });
  start();
})();
