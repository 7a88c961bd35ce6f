// The driver's page: reports the position, counts down offers, alerts the driver and blocks forms
// without a connection. On the driver's other pages it only reports the position and alerts. All
// pages work without this script.
"use strict";
(() => {
  const words = document.getElementById("drive-script").dataset;
  const session = document.getElementById("live-script").dataset.session;
  const content = document.getElementById("content");
  const find = (id) => document.getElementById(id);
  const fill = (id, text) => {
    const place = find(id);
    if (place && place.textContent !== text) place.textContent = text;
  };
  const word = (name, value) => words[name].replace("%", value);
  // On other pages an alert only leads the driver to the page with the offer.
  const called = find("drive-call");
  const duty = () => (called ?? find("drive"))?.dataset.duty === "on";
  const isOffline = () => !navigator.onLine || document.documentElement.matches(".lost");
  // Storage may be unavailable, as in private windows.
  const kept = (act) => { try { return act(localStorage); } catch { return null; } };
  // The timeout of a request, in milliseconds.
  const patience = 15000;
  const late = () => AbortSignal.timeout?.(patience);

  // Position

  // The maximum number of positions per request, and their maximum age in milliseconds.
  const most = Number(words.most);
  const oldest = 3500000;
  const interval = { moving: Number(words.moving) * 1000, standing: Number(words.standing) * 1000 };
  // Positions of a previous driver on this device must not be sent for this one.
  const store = `positions ${session}`;
  // Whether the driver works with this browser.
  const works = `works ${session}`;
  let waiting = kept((all) => {
    for (const name of Object.keys(all)) {
      const isAnothers = /^(positions|works) /.test(name) && !name.endsWith(` ${session}`);
      if (isAnothers) all.removeItem(name);
    }
    const found = JSON.parse(all.getItem(store));
    return Array.isArray(found) ? found : null;
  }) ?? [];
  // The latest measurement, and the latest one that was due to be sent.
  let fix, last;
  let gps = "off";
  let fault = "";
  let isSending = false;
  let isAsking = false;
  let notBefore = 0;
  // During a ride, values that no event reports come with the response to a position: the interval
  // at which they are requested, in milliseconds, and the time of the last one.
  const rideEvery = 15000;
  let rideTold = 0;
  // Off duty the position matters only for going on duty, so it is measured less often, and only
  // while the page is visible. In milliseconds.
  const offDuty = 60000;

  const keep = () => kept((all) =>
    waiting.length ? all.setItem(store, JSON.stringify(waiting)) : all.removeItem(store));

  const metres = (one, other) => Math.hypot(
    (one.latitude - other.latitude) * 111195,
    (one.longitude - other.longitude) * 111195 * Math.cos(one.latitude * Math.PI / 180));

  // Moves the driver's car on the map at once; the server's next answer has the same place.
  function moveCar({ heading }) {
    const car = document.querySelector("#scene [data-kind=taxi]");
    if (!car) return;
    car.dataset.at = `${fix.latitude},${fix.longitude}`;
    if (heading >= 0) car.dataset.heading = Math.round(heading);
    find("scene").dispatchEvent(new CustomEvent("refreshed", { bubbles: true }));
  }

  function take({ coords, timestamp }) {
    const now = Date.now();
    isAsking = false;
    if (!isLeading) return;
    gps = "on";
    fix = {
      // Some receivers' clocks use a different epoch.
      at: Math.abs(timestamp - now) < 60000 ? Math.min(Math.round(timestamp), now) : now,
      latitude: Number(coords.latitude.toFixed(7)),
      longitude: Number(coords.longitude.toFixed(7)),
      accuracy: Math.ceil(coords.accuracy),
    };
    const isMoving = !last || coords.speed > 1 || metres(last, fix) > Math.max(15, fix.accuracy);
    // Allow some tolerance for a receiver whose period equals the interval.
    if (!last || fix.at - last.at >= interval[isMoving ? "moving" : "standing"] - 500) {
      last = fix;
      waiting.push(fix);
      waiting.splice(0, waiting.length - most);
      // A phone may close the page without an event.
      if (isOffline()) keep();
      sending = flush();
    }
    const { speed, heading } = coords;
    dispatchEvent(new CustomEvent("position", { detail: { ...fix, speed, heading } }));
    moveCar(coords);
    draw();
  }

  function miss({ code }) {
    isAsking = false;
    // For a receiver that has worked before, the age of the last position shows its silence.
    if (code === 1) gps = "denied";
    draw();
  }

  const exactly = { enableHighAccuracy: true, maximumAge: 0, timeout: patience };
  let watch, beat, sending;
  let askedAt = 0;
  // Whether this window reports the position.
  let isLeading = false;
  function locate() {
    // In the demo the car drives by itself, so the position of this device does not count.
    if (words.driven) return;
    if (watch != null || !navigator.geolocation) return;
    if (gps !== "on") gps = "seeking";
    if (duty()) watch = navigator.geolocation.watchPosition(take, miss, exactly);
    else ask();
    draw();
  }

  function ask() {
    if (isAsking) return;
    isAsking = true;
    askedAt = Date.now();
    navigator.geolocation.getCurrentPosition(take, miss, exactly);
  }

  function unwatch() {
    if (watch != null) navigator.geolocation.clearWatch(watch);
    watch = null;
  }

  // Starts measuring if the driver has come to report a position or has given permission before.
  async function begin() {
    isLeading = true;
    clearInterval(beat);
    beat = setInterval(tick, interval.moving);
    if (!navigator.geolocation) gps = "none";
    const answer = await navigator.permissions?.query({ name: "geolocation" }).catch(() => {});
    if (answer) {
      answer.onchange = () => {
        if (answer.state === "granted" && gps === "denied") {
          unwatch();
          locate();
        }
      };
    }
    // Only the driver's main page asks for permission.
    const mayAsk = duty() && !called;
    const isWanted = duty() || !called;
    if (isLeading && (mayAsk || isWanted && answer?.state === "granted")) locate();
    draw();
  }

  // Hands position reports over to another window.
  function rest() {
    isLeading = isAsking = false;
    clearInterval(beat);
    unwatch();
    gps = "off";
    flush();
    draw();
  }

  // Only one window of a browser reports the position, since two would contradict each other. The
  // visible window takes over from the others, because phones do not measure for hidden ones.
  let wish;
  async function lead(steal) {
    wish?.abort();
    const own = wish = new AbortController();
    const how = steal ? { steal } : { signal: own.signal };
    try {
      await navigator.locks.request("positions", how, () => {
        begin();
        return new Promise(() => {});
      });
    } catch ({ name }) {
      // Ignore this result if the window has sent a newer lock request in the meantime.
      if (own.signal.aborted || name !== "AbortError") return;
      rest();
      lead(false);
    }
  }
  const look = async () => {
    if (!navigator.locks || isLeading || document.hidden) return;
    // A page that would not measure must not take over from one that does, and a device that is not
    // in the taxi must not report at all.
    if (called) {
      if (!kept((all) => all.getItem(works))) return;
      const answer = await navigator.permissions?.query({ name: "geolocation" }).catch(() => {});
      if (!duty() || answer?.state !== "granted" || isLeading) return;
    }
    lead(true);
  };

  function tick() {
    const isAtWork = duty();
    if (!isAtWork) unwatch();
    else if (!called || gps !== "off") locate();
    const age = Date.now() - (fix?.at ?? 0);
    // Many receivers report nothing while standing still unless they are asked.
    if (isAtWork && gps === "on" && age >= interval.standing) ask();
    const isSeen = !called && !document.hidden;
    const pause = Math.min(age, Date.now() - askedAt);
    if (!isAtWork && isSeen && ["on", "seeking"].includes(gps) && pause >= offDuty) ask();
    flush();
    follow();
    draw();
    grow();
    repeat();
  }

  const isRiding = () => ["way", "meter", "near"].some((name) => find(`ride-${name}`));

  // Reloads the ride while this device sends no positions: they may come from another device or, in
  // the demo, from the simulated car, and no event reports them. A device that sends them gets the
  // way ahead on the map from time to time. In milliseconds.
  const followEvery = words.driven ? 5000 : rideEvery;
  const wayEvery = 60000;
  let followed = Date.now();
  let drawn = Date.now();
  function follow() {
    const now = Date.now();
    if (!isRiding() && !words.driven) followed = drawn = now;
    if (isSending || document.hidden || isOffline()) return;
    if (now - Math.max(rideTold, followed) < followEvery && now - drawn < wayEvery) return;
    followed = drawn = now;
    dispatchEvent(new CustomEvent("outdated", { detail: "drive" }));
  }

  // Increments waiting times with a monotonic clock, in the server's wording
  // (`DriveWords.duration`).
  const births = new WeakMap();
  function grow() {
    const place = document.querySelector("[data-age]");
    if (!place) return;
    const now = performance.now();
    if (!births.has(place)) births.set(place, now - place.dataset.age * 1000);
    const age = Math.max(0, Math.round((now - births.get(place)) / 1000));
    const minutes = Math.floor(age % 3600 / 60);
    place.textContent = age < 100 ? `${age} s`
      : age < 5970 ? `${Math.round(age / 60)} min` : `${Math.floor(age / 3600)} h ${minutes} min`;
  }

  // A position that the driver entered stays valid while the page is visible: the script requests
  // the page, and the server counts this as a confirmation.
  let beats = 0;
  function repeat() {
    const seconds = Number(find("drive")?.dataset.repeat);
    beats += 1;
    if (!seconds || document.hidden || beats * interval.moving < seconds * 1000) return;
    beats = 0;
    const headers = { accept: "text/html", "x-page-refresh": "1" };
    fetch("/drive", { headers }).catch(() => {});
  }

  async function flush() {
    const now = Date.now();
    if (isSending || !waiting.length || !navigator.onLine || now < notBefore) return;
    waiting = waiting.filter(({ at }) => at <= now && now - at < oldest);
    const batch = new Set(waiting.slice(0, most));
    if (!batch.size) return;
    const ride = isRiding() && now - rideTold >= rideEvery;
    isSending = true;
    try {
      await heed(await fetch("/drive/positions", {
        method: "POST",
        headers: {
          accept: "application/problem+json", "content-type": "application/json",
          "x-form-token": document.querySelector("[name=token]").value,
        },
        body: JSON.stringify({ sentAt: Date.now(), positions: [...batch], ride }),
        signal: late(),
      }), batch);
    } catch {
      // The connection failed. The next heartbeat tries again, even after the page was closed.
      keep();
    } finally {
      isSending = false;
      draw();
    }
  }

  async function heed(answer, batch) {
    const { status } = answer;
    if (status === 429 || status >= 500) {
      const seconds = Number(answer.headers.get("retry-after")) || 5;
      notBefore = Date.now() + 1000 * Math.min(seconds, 60);
      keep();
    } else if (status === 413) {
      waiting.splice(0, Math.ceil(waiting.length / 2));
    } else if ([200, 204, 400, 422].includes(status)) {
      // Any other response, as from a captive portal, means that the server received nothing.
      const told = status === 204 ? {} : await answer.json();
      waiting = waiting.filter((position) => !batch.has(position));
      keep();
      // Rate limiting by the server does not concern the driver.
      fault = told.faults
        ? told.faults.filter((one) => !["outdated", "too-often"].includes(one.fault))
          .map((one) => one.detail).join(" ")
        : told.detail ?? "";
      if (status === 200) rideTold = Date.now();
      for (const name of ["way", "meter"]) if (told[name]) fill(`ride-${name}`, told[name]);
      if (told.near != null) fill("ride-near", told.near);
    } else {
      // The driver has signed out, another driver has taken the taxi, or the documents have
      // expired. Reload once to show the reason, but do not repeat this if the page shows none.
      waiting = [];
      keep();
      notBefore = Date.now() + 60000;
      if (!called) location.reload();
    }
  }

  // Status display

  let shown = "";
  function draw() {
    if (called) return;
    const measures = isLeading && ["on", "seeking"].includes(gps);
    if (measures && duty()) kept((all) => all.setItem(works, "1"));
    const age = fix ? Math.round((Date.now() - fix.at) / 1000) : 0;
    const usual = duty() ? interval.standing : offDuty;
    const isSilent = gps === "on" && age > Math.max(30, usual / 500);
    const state = words.driven ? "driven" : isSilent ? "silent" : gps;
    const text = { on: word("on", fix?.accuracy ?? 0), silent: word("silent", age) }[state];
    fill("device-gps", `${text ?? words[state]} ${state === "on" ? fault : ""}`.trim());
    const isOut = isOffline();
    fill("device-line", isOut ? word("offline", waiting.length) : words.online);
    const mark = (id, isBad) => { if (find(id)) find(id).dataset.bad = String(isBad); };
    mark("device-gps", !["driven", "on", "seeking"].includes(state));
    mark("device-line", isOut);
    const button = find("device-locate");
    if (button) button.hidden = state !== "off";
    // Announce changes of state, but not running numbers.
    if (shown && shown !== state && gps !== "off") say(text ?? words[state]);
    shown = state;
  }
  const say = (text) => fill("device-said", text);
  const refuse = (text) => fill("device-refused", text);

  // Offers

  let offer;
  let end = 0;
  let openedAt = -Infinity;
  let counter, alarm, sound;

  // The server sends an offer's remaining milliseconds. They are counted by a monotonic clock from
  // the time of the page request, so that the network delay is deducted.
  function lookAtOffer(since) {
    const place = find("offer-left");
    const name = place?.dataset.offer ?? "";
    if (place) end = since + Number(place.dataset.left);
    if (name === offer) return;
    // A driver who loads a page expects new content. Only an automatic change can surprise a click.
    if (offer != null) openedAt = performance.now();
    offer = name;
    silence();
    clearInterval(counter);
    if (!place) return;
    say(document.querySelector("#drive h1").textContent);
    // An offer on a cached page may have expired.
    if (end > performance.now()) {
      ring();
      alarm = setInterval(ring, 2000);
    }
    let isShort = false;
    const count = () => {
      const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      const left = seconds ? word("left", seconds) : words.over;
      fill("offer-left", `${seconds} s`);
      const part = Math.max(0, end - performance.now()) / 10 / Number(place.dataset.of);
      document.querySelector(".ring .left")?.setAttribute("stroke-dasharray", `${part} 100`);
      if (!seconds) {
        clearInterval(counter);
        silence();
        fill("offer-over", left);
        say(left);
      } else if (seconds <= 10 && !isShort) {
        isShort = true;
        say(left);
      }
    };
    counter = setInterval(count, 250);
    count();
  }

  const call = () => kept((all) => all.getItem("alert")) ?? "both";
  function wakeSound() {
    if (!window.AudioContext) return;
    sound ??= new AudioContext();
    if (sound.state === "suspended") sound.resume().catch(() => {});
  }
  function ring() {
    const how = call();
    if (how === "both" || how === "sound") {
      wakeSound();
      [880, 1175, 880].forEach((pitch, number) => {
        if (sound?.state !== "running") return;
        const start = sound.currentTime + number * 0.22;
        const [tone, volume] = [sound.createOscillator(), sound.createGain()];
        tone.frequency.value = pitch;
        volume.gain.setValueAtTime(0.5, start);
        volume.gain.exponentialRampToValueAtTime(0.001, start + 0.2);
        tone.connect(volume).connect(sound.destination);
        tone.start(start);
        tone.stop(start + 0.2);
      });
    }
    // Browsers refuse to vibrate before the first interaction, and log a warning.
    const mayShake = navigator.userActivation?.hasBeenActive !== false;
    if (mayShake && (how === "both" || how === "vibration")) navigator.vibrate?.([300, 150, 300]);
  }
  function silence() {
    clearInterval(alarm);
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(0);
  }

  // Actions

  // Ignore a click right after an automatic change, because it was meant for the previous content.
  addEventListener("click", (event) => {
    if (performance.now() - openedAt > 400 || !event.target.closest("#drive form")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#drive, #answer") || form.method !== "post") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // Send one form at a time, because the order of two responses is undefined.
    if (!document.querySelector("form[data-sent]")) send(form, event.submitter);
  }, true);

  // The navigation link of drivers who want it to open automatically.
  const way = () => content.querySelector("a[data-opens]");

  // Going on duty needs a current position, which is rarely measured off duty.
  const measure = () => new Promise((resolve) => {
    setTimeout(resolve, 6000);
    navigator.geolocation.getCurrentPosition((found) => {
      last = undefined;
      take(found);
      resolve(sending);
    }, resolve, { ...exactly, timeout: 5000 });
  });

  // A decision is sent now or not at all. It is never queued.
  async function send(form, button) {
    refuse("");
    if (isOffline()) return refuse(words.refused);
    form.dataset.sent = "1";
    silence();
    const fields = new URLSearchParams(new FormData(form));
    if (button?.name) fields.append(button.name, button.value);
    const label = button?.textContent;
    if (button?.dataset.busy) button.textContent = button.dataset.busy;
    // The response already shows the effect of the form, so its event is not needed.
    dispatchEvent(new Event("sending"));
    const isStart = form.action.endsWith("/drive/duty") && !duty();
    if (isStart && isLeading && gps === "on") await measure();
    const since = performance.now();
    const old = way()?.href;
    let after = "";
    try {
      const answer = await fetch(form.action, {
        method: "POST", headers: { accept: "text/html" }, body: fields, signal: late(),
      });
      after = turn(answer, await answer.text(), since);
      // Most browsers let a click open another app. In the others, the link stays visible.
      if (after != null && way()?.href !== old) way()?.click();
    } catch {
      // The form may have arrived. It can be sent again, because it has the same key.
      refuse(words.unclear);
    } finally {
      delete form.dataset.sent;
      if (label) button.textContent = label;
      // Not if the page is about to be left.
      if (after != null) dispatchEvent(new CustomEvent("answered", { detail: after }));
    }
  }

  // Shows the response without leaving the page, which keeps the position. Returns the ID of the
  // event up to which the page is now current; nothing if the page is left after all.
  function turn(answer, text, since) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.getElementById("content");
    const isHere = !answer.redirected || new URL(answer.url).pathname === "/drive";
    if (!fresh || !isHere || page.getElementById("live-script")?.dataset.session !== session) {
      return location.assign(answer.redirected ? answer.url : "/drive");
    }
    for (const script of fresh.querySelectorAll("script")) script.remove();
    let after = "";
    if (fresh.querySelector("#drive") || !find("drive")) {
      document.body.className = page.body.className;
      replace(fresh);
      after = page.getElementById("live-script").dataset.after;
    } else {
      stand(fresh);
    }
    document.title = page.title;
    if (answer.redirected) history.replaceState(null, "", answer.url);
    // Move the focus to the error message, if there is one.
    (content.querySelector("[data-focus]") ?? content).focus();
    scrollTo(0, 0);
    content.querySelector(".sheet")?.scrollTo(0, 0);
    dress(since);
    return after;
  }

  // Shows a new state of the page. The map stays: it moves to its new content.
  function replace(fresh) {
    const places = [...content.querySelectorAll("[data-live]")];
    const isSame = places.every((place) => fresh.querySelector(`#${place.id}`));
    if (!isSame || !find("drive")) return content.replaceChildren(...fresh.childNodes);
    find("answer")?.remove();
    for (const place of places) {
      const other = fresh.querySelector(`#${place.id}`);
      for (const { name, value } of other.attributes) place.setAttribute(name, value);
      place.hidden = other.hidden;
      place.replaceChildren(...other.childNodes);
    }
    find("scene")?.dispatchEvent(new CustomEvent("refreshed", { bubbles: true }));
  }

  // A response that is not the driver's page, such as a form error, is shown in its place until the
  // driver continues. Live updates go to the hidden page behind it, so that the next offer still
  // appears.
  let before;
  function stand(answer) {
    const page = find("drive");
    const old = find("answer");
    // Let the driver read the outcome of an offer undisturbed.
    if (!old) before = offer ? null : page.querySelector("h1")?.textContent;
    old?.remove();
    page.before(make("div", "answer", "", content));
    // The map of this page stays.
    find("answer").append(...(answer.querySelector(".sheet, .wide") ?? answer).childNodes);
    document.body.className = "map-sheet has-tabs";
    page.hidden = true;
    page.replaceChildren();
  }

  // Whether the hidden page must be shown: it has an offer, or the driver's state has changed.
  const goesOn = (page) => page.querySelector("#offer-left")
    || before != null && page.querySelector("h1")?.textContent !== before;

  let wake;
  async function stayAwake() {
    const isNeeded = duty() && !document.hidden && (!called || isLeading);
    try {
      if (isNeeded && (!wake || wake.released)) {
        wake = await navigator.wakeLock?.request("screen");
      } else if (!isNeeded) {
        await wake?.release();
      }
    } catch {
      // Browsers may refuse a wake lock, for example when the battery is low.
    }
  }

  const make = (name, id, text, to) => {
    const element = document.createElement(name);
    element.id = id;
    element.textContent = text;
    if (name === "button") element.type = "button";
    to.append(element);
    return element;
  };

  // The navigation comes with the first ride, after its page is drawn.
  let navigation;
  function loadNavigation() {
    if (navigation || !find("guide")) return;
    navigation = document.createElement("script");
    navigation.src = words.navigation;
    document.head.append(navigation);
  }

  // Adds the controls that only work with scripts to a new page.
  function dress(since) {
    const bar = find("device");
    if (bar && !find("device-locate")) make("button", "device-locate", words.locate, bar);
    const place = find("device-alert");
    if (place && !find("alert")) {
      make("label", "alert-label", words.alert, place).htmlFor = "alert";
      const choice = make("select", "alert", "", place);
      for (const how of ["both", "sound", "vibration", "screen"]) {
        choice.append(new Option(words[how], how, false, how === call()));
      }
      make("button", "alert-try", words.try, place);
    }
    drawn = Date.now();
    const notices = find("drive-notices");
    if (notices) notices.hidden = window.Notification?.permission === "granted";
    lookAtOffer(since);
    loadNavigation();
    stayAwake();
    draw();
    grow();
  }

  addEventListener("pointerdown", wakeSound, { once: true });
  addEventListener("keydown", wakeSound, { once: true });

  addEventListener("online", () => { notBefore = 0; flush(); draw(); });
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => { look(); stayAwake(); flush(); });
  if (!navigator.locks) begin();
  else if (!called) lead(!document.hidden);

  if (called) {
    look();
    stayAwake();
    setInterval(() => { look(); stayAwake(); }, interval.moving);
    const heed = () => {
      silence();
      if (!called.textContent.trim()) return;
      ring();
      // Stop the alarm offline, because the end of the offer would not arrive.
      alarm = setInterval(() => isOffline() || ring(), 2000);
    };
    called.addEventListener("refreshed", heed);
    return heed();
  }

  addEventListener("refreshed", ({ target, detail: since }) => {
    if (target.id !== "drive") return;
    if (find("answer")) {
      if (!goesOn(target)) return target.replaceChildren();
      find("answer").remove();
      target.hidden = false;
    }
    refuse("");
    dress(since);
  });
  addEventListener("click", ({ target }) => {
    if (target.id === "device-locate") {
      look();
      locate();
    }
    if (target.id === "alert-try") ring();
  });
  addEventListener("change", ({ target }) => {
    if (target.id === "alert") kept((all) => all.setItem("alert", target.value));
  });
  addEventListener("offline", draw);

  const { kept: keptAt } = document.documentElement.dataset;
  const asked = performance.getEntriesByType("navigation")[0]?.requestStart || performance.now();
  dress(keptAt ? performance.now() - (Date.now() - keptAt) : asked);
})();
