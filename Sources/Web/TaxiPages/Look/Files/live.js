// Keeps open pages as they are on the server. One tab of a browser listens and tells the others; an
// element with data-live="NAMES" is fetched anew when one of these events comes. Pages work without.
"use strict";
(() => {
  const words = document.getElementById("live-script").dataset;
  const names = words.names.split(" ");
  // Without a word for so long the line is dead, though nobody has closed it; in milliseconds.
  const silence = 45000;
  // The newest event that was heard of.
  let last = words.after;
  // Up to which event the elements of each name show everything, by the word of the page that they
  // came with: what this browser has done itself is mostly there before the event that tells it.
  const shown = new Map(names.map((name) => [name, words.after]));
  let channel, wish, source, release, watch, retry;
  // When the server was last heard of, and whether it is missed.
  const kept = Number(document.documentElement.dataset.kept);
  let heard = kept || Date.now();
  let isLost = false;
  // Whom no event reaches looks now and then; so do old browsers, as too many streams starve pages.
  const polls = words.every || !("locks" in navigator) || !("BroadcastChannel" in window);
  let lossTimer;

  const number = (id) => Number(id.slice(id.lastIndexOf("-") + 1));
  const isOlder = (id, other) =>
    id.slice(0, id.lastIndexOf("-")) !== other.slice(0, other.lastIndexOf("-"))
    || number(id) < number(other);
  const isShown = (name, id) => id && !isOlder(shown.get(name), id);

  // What is said while there is no connection; it is on every page, empty, before it is needed.
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
  // The service worker kept this page: it is as old as that.
  if (kept) showLoss(true, kept);

  // A link that leads nowhere now would take the page away: it stays, and says so.
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
      // It stays, unless the line is back by now.
      if (!isLost && navigator.onLine) return location.assign(link.href);
    }
    showLoss(true, heard);
    banner.prepend(`${words.stays} `);
    banner.scrollIntoView({ block: "nearest" });
  });

  // Fetching what has changed, once for all that comes meanwhile: names, each with the event that
  // is to be shown, or with none where whatever is there now is wanted.
  let wanted = new Map();
  let isFetching = false;
  let fetchTimer;
  // When a form of this page went out: its answer takes the place of the page, and must not be lost
  // to what a fetch says meanwhile, which may already see what the form did. In milliseconds.
  let sent = 0;
  const patience = 30000;
  const isSending = () => Date.now() - sent < patience;
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented) sent = Date.now();
  });
  // A script of the page has sent a form, and shown what was answered: all that stands in the
  // content as of an event, or nothing.
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
  const placesOf = (isAsked) => [...document.querySelectorAll("[data-live]")]
    .filter((place) => place.dataset.live.split(" ").some(isAsked));
  const isInContent = (name) => placesOf((one) => one === name)
    .every((place) => content.contains(place));

  function refresh(some, within = 0, id) {
    for (const name of some) {
      // Another window's page may be of a newer version and know more.
      if (!shown.has(name) || isShown(name, id)) continue;
      const isAny = wanted.has(name) && !wanted.get(name);
      wanted.set(name, isAny ? undefined : id);
    }
    if (!wanted.size) return;
    clearTimeout(fetchTimer);
    fetchTimer = setTimeout(fetchPage, Math.random() * within);
  }

  // What came meanwhile is newer.
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
      // Nobody did anything: a session that nobody uses ends all the same.
      const answer = await fetch(location.href, {
        headers: { accept: "text/html", "x-page-refresh": "1" },
        signal: AbortSignal.timeout?.(patience),
      });
      const text = await answer.text();
      // What a form brings is newer than what was asked for before it.
      if (isSending() || answers !== before) return wantAgain(asked);
      // Whoever may no longer see the page is sent elsewhere, and so is this tab.
      if (answer.redirected) return location.reload();
      if (answer.status === 429 || answer.status >= 500) throw new Error(String(answer.status));
      if (polls) showLoss(false, heard = Date.now());
      if (!answer.ok) {
        // The page itself is gone, or may no longer be seen: what is there instead is shown. What
        // every page has, as the state of the service, does not say so.
        if (places.some((place) => content.contains(place))) location.reload();
        return;
      }
      const page = new DOMParser().parseFromString(text, "text/html");
      // Somebody else is signed in now, or nobody.
      const told = page.getElementById("live-script")?.dataset;
      if (told?.session !== words.session) return location.reload();
      // What is no longer there makes it another page: a ride that has ended.
      if (places.some((place) => !page.getElementById(place.id))) return location.reload();
      document.title = page.title;
      for (const place of places) swap(place, page.getElementById(place.id), since);
      for (const [name] of asked) shown.set(name, told.after);
    } catch {
      if (polls) showLoss(true, heard);
      // The line broke, or the server has no time: once more, unless the stream tells first.
      setTimeout(() => refresh(asked.map(([name]) => name)), 5000);
    } finally {
      isFetching = false;
      if (wanted.size) fetchPage();
    }
  }

  // Whether two forms are the same, and about the same ride.
  const isSame = (one, other) => one.action === other.action
    && one.elements.ride?.value === other.elements.ride?.value;

  // What somebody has typed stays in the same form.
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
    // Nothing is taken from under somebody's hands, unless its form is gone.
    const has = (form) => [...fresh.querySelectorAll("form")].some((one) => isSame(one, form));
    const isField = focused?.matches("input, select, textarea");
    if (isField && (!focused.form || has(focused.form))) {
      focused.addEventListener("blur", () => refresh(place.dataset.live.split(" ")), { once: true });
      return;
    }
    // What is wrong with a form can be read until it is sent anew.
    const flawed = place.querySelector("[aria-invalid]")?.form;
    if (flawed && has(flawed)) return;
    const typed = [...place.querySelectorAll("input:not([type=hidden]), textarea")]
      .filter((field) => field.id && field.value !== field.defaultValue);
    // The element itself stays: readers announce what changes in it.
    place.replaceChildren(...fresh.childNodes);
    wear();
    for (const field of typed) keep(field);
    if (focused) {
      const same = (other) => focused.id ? other.id === focused.id
        : other.textContent === focused.textContent;
      [...place.querySelectorAll(focused.localName)].find(same)?.focus();
    }
    place.dispatchEvent(new CustomEvent("refreshed", { bubbles: true, detail: since }));
  }

  // A driver's place in his queue comes in words, with the entry of the log of which they are: it
  // changes too often for whole pages. What is being fetched just now may be older.
  function move(place, id) {
    if (isFetching || isSending()) return refresh(["drive"], 0, id);
    const line = document.querySelector("[data-place]");
    if (!line || Number(line.dataset.place) >= place.at) return;
    const [title, said] = place[document.documentElement.lang];
    document.title = document.title.replace(line.textContent, () => title);
    line.textContent = title;
    line.dataset.place = place.at;
    const status = document.getElementById("drive-said");
    if (status.textContent !== said) status.textContent = said;
  }

  // What the listening tab has heard: {id, name, within} for an event, {id, place} of a queue,
  // {id, names, within} where anything may have happened, {isLost, since} of the line.
  function take(news) {
    if (news.name) refresh([news.name], news.within, news.id);
    if (news.names) refresh(news.names, news.within);
    if (news.place) move(news.place, news.id);
    const isTold = news.name || news.names || news.place;
    if (news.id && (isTold || isOlder(last, news.id))) {
      // An event went by before this page listened.
      if (!isTold) refresh(names);
      last = news.id;
    }
    // What was kept stays as old as it is until the page itself comes.
    if ("isLost" in news) showLoss(kept ? true : news.isLost, kept || news.since);
  }
  function tell(news) {
    take(news);
    channel.postMessage(news);
  }
  const state = () => ({ id: last, isLost, since: heard });

  // Listening: what only the tab does that has the lock.
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
      // After an outage all come back at once, and each fetches its page.
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
    // The session has ended or may do something else: as whoever this is now.
    source.addEventListener("end", () => {
      source.close();
      again(1000);
      source.wasEnded = true;
    });
    // Another window of this session listens in place of this one.
    source.addEventListener("replaced", () => {
      source.close();
      source = undefined;
    });
    source.onopen = hear;
    source.onerror = () => {
      miss();
      // Where the browser gives up, as after an error of a proxy, this does not. It may also be
      // that nobody is signed in any more: the page tells.
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

  // Whoever looks again sees it as it is: a device that slept has missed time, perhaps its line.
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
    // It was put away: what it shows is as old as that.
    sent = 0;
    start();
    refresh(names);
  });
  start();
})();
