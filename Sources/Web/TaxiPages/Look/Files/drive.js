// A driver's page at work: where he is, the time that an offer leaves, what calls him, and what is
// not sent without a connection. His other pages say where he is too, and call him; all work
// without.
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
  // On his other pages he is called to the one on which he answers; nothing else is done there.
  const called = find("drive-call");
  const duty = () => (called ?? find("drive"))?.dataset.duty === "on";
  const isOffline = () => !navigator.onLine || document.documentElement.matches(".lost");
  // Browsers may keep nothing for a page, as in private windows.
  const kept = (act) => { try { return act(localStorage); } catch { return null; } };
  // Milliseconds until a request is believed to be lost.
  const patience = 15000;
  const late = () => AbortSignal.timeout?.(patience);

  // Where he is.

  // How many positions the server takes at once, and how old they may be, in milliseconds.
  const most = Number(words.most);
  const oldest = 3500000;
  const interval = { moving: Number(words.moving) * 1000, standing: Number(words.standing) * 1000 };
  // Positions of whoever drove before on this device are nobody else's.
  const store = `positions ${session}`;
  // Whether this browser is the one by which he works.
  const works = `works ${session}`;
  let waiting = kept((all) => {
    for (const name of Object.keys(all)) {
      const isAnothers = /^(positions|works) /.test(name) && !name.endsWith(` ${session}`);
      if (isAnothers) all.removeItem(name);
    }
    const found = JSON.parse(all.getItem(store));
    return Array.isArray(found) ? found : null;
  }) ?? [];
  // What was measured last, and what of it was to be sent last.
  let fix, last;
  let gps = "off";
  let fault = "";
  let isSending = false;
  let isAsking = false;
  let notBefore = 0;
  // What runs on during a ride, of which no event is told, comes with the answer to a position: how
  // often it is asked for, in milliseconds, and when it came last.
  const rideEvery = 15000;
  let rideTold = 0;
  // Off duty his place matters only to become available: while he looks, it is measured so seldom.
  const offDuty = 60000;

  const keep = () => kept((all) =>
    waiting.length ? all.setItem(store, JSON.stringify(waiting)) : all.removeItem(store));

  const metres = (one, other) => Math.hypot(
    (one.latitude - other.latitude) * 111195,
    (one.longitude - other.longitude) * 111195 * Math.cos(one.latitude * Math.PI / 180));

  function take({ coords, timestamp }) {
    const now = Date.now();
    isAsking = false;
    if (!isLeading) return;
    gps = "on";
    fix = {
      // Some clocks of receivers count from elsewhere.
      at: Math.abs(timestamp - now) < 60000 ? Math.min(Math.round(timestamp), now) : now,
      latitude: Number(coords.latitude.toFixed(7)),
      longitude: Number(coords.longitude.toFixed(7)),
      accuracy: Math.ceil(coords.accuracy),
    };
    const isMoving = !last || coords.speed > 1 || metres(last, fix) > Math.max(15, fix.accuracy);
    // A little less, so that a receiver that beats with the interval is not missed each time.
    if (!last || fix.at - last.at >= interval[isMoving ? "moving" : "standing"] - 500) {
      last = fix;
      waiting.push(fix);
      waiting.splice(0, waiting.length - most);
      // A telephone may close the page without a word.
      if (isOffline()) keep();
      sending = flush();
    }
    draw();
  }

  function miss({ code }) {
    isAsking = false;
    // Silence of a receiver that has worked is shown by the age of its last word.
    if (code === 1) gps = "denied";
    draw();
  }

  const exactly = { enableHighAccuracy: true, maximumAge: 0, timeout: patience };
  let watch, beat, sending;
  let askedAt = 0;
  // Whether this window is the one that says where he is.
  let isLeading = false;
  function locate() {
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

  // Asks for the place where that is what the driver came for, or has allowed before.
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
    // Only the page of his work asks whether it may.
    const mayAsk = duty() && !called;
    const isWanted = duty() || !called;
    if (isLeading && (mayAsk || isWanted && answer?.state === "granted")) locate();
    draw();
  }

  // Another window says it from now on.
  function rest() {
    isLeading = isAsking = false;
    clearInterval(beat);
    unwatch();
    gps = "off";
    flush();
    draw();
  }

  // One window of a browser says where he is: two would contradict each other. It is the one that
  // he looks at, which takes that from the others: telephones measure nothing for a hidden window.
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
      // Where this window has asked otherwise meanwhile, that counts.
      if (own.signal.aborted || name !== "AbortError") return;
      rest();
      lead(false);
    }
  }
  const look = async () => {
    if (!navigator.locks || isLeading || document.hidden) return;
    // A page that would not measure takes nothing from one that does; another device of his than
    // the one in the taxi says nothing.
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
    // Many receivers say nothing while nothing moves: asked, they do.
    if (isAtWork && gps === "on" && age >= interval.standing) ask();
    const isSeen = !called && !document.hidden;
    const pause = Math.min(age, Date.now() - askedAt);
    if (!isAtWork && isSeen && ["on", "seeking"].includes(gps) && pause >= offDuty) ask();
    flush();
    draw();
    grow();
    repeat();
  }

  // How long he has waited runs on, by a clock that nobody sets, in the words of the server
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

  // Whoever said himself where he is, since nothing measures it, is heard as long as he has his page
  // before him: it looks again, and the server takes that for his word.
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
    const isRiding = ["way", "meter", "near"].some((name) => find(`ride-${name}`));
    const ride = isRiding && now - rideTold >= rideEvery;
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
      // The line broke: it is tried again with the next beat, also after the page was closed.
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
      // What is no answer of ours, as of a net that wants a log-in first, has taken nothing.
      const told = status === 204 ? {} : await answer.json();
      waiting = waiting.filter((position) => !batch.has(position));
      keep();
      // That the server has heard enough is none of the driver's business.
      fault = told.faults
        ? told.faults.filter((one) => !["outdated", "too-often"].includes(one.fault))
          .map((one) => one.detail).join(" ")
        : told.detail ?? "";
      if (status === 200) rideTold = Date.now();
      for (const name of ["way", "meter"]) if (told[name]) fill(`ride-${name}`, told[name]);
      if (told.near != null) fill("ride-near", told.near);
    } else {
      // Signed out, another has the wheel, or the papers have ended: the page says which. It is
      // asked once: a page that says nothing of the kind is not asked for again and again.
      waiting = [];
      keep();
      notBefore = Date.now() + 60000;
      if (!called) location.reload();
    }
  }

  // What is in plain sight.

  let shown = "";
  function draw() {
    if (called) return;
    const measures = isLeading && ["on", "seeking"].includes(gps);
    if (measures && duty()) kept((all) => all.setItem(works, "1"));
    const age = fix ? Math.round((Date.now() - fix.at) / 1000) : 0;
    const usual = duty() ? interval.standing : offDuty;
    const isSilent = gps === "on" && age > Math.max(30, usual / 500);
    const state = isSilent ? "silent" : gps;
    const text = { on: word("on", fix?.accuracy ?? 0), silent: word("silent", age) }[state];
    fill("device-gps", `${text ?? words[state]} ${state === "on" ? fault : ""}`.trim());
    const isOut = isOffline();
    fill("device-line", isOut ? word("offline", waiting.length) : words.online);
    const mark = (id, isBad) => { if (find(id)) find(id).dataset.bad = String(isBad); };
    mark("device-gps", !["on", "seeking"].includes(state));
    mark("device-line", isOut);
    const button = find("device-locate");
    if (button) button.hidden = state !== "off";
    // Read out when it changes, not as figures run.
    if (shown && shown !== state && gps !== "off") say(text ?? words[state]);
    shown = state;
  }
  const say = (text) => fill("device-said", text);
  const refuse = (text) => fill("device-refused", text);

  // Offers.

  let offer;
  let end = 0;
  let openedAt = -Infinity;
  let counter, alarm, sound;

  // How many milliseconds an offer has left is the server's word; they are counted by a clock that
  // nobody sets, from when the page was asked for: what its way took is not left any more.
  function lookAtOffer(since) {
    const place = find("offer-left");
    const name = place?.dataset.offer ?? "";
    if (place) end = since + Number(place.dataset.left);
    const choice = find("device-alert");
    if (choice) choice.hidden = Boolean(place);
    if (name === offer) return;
    // Whoever loads a page looks at what comes; under a finger it changes by itself only.
    if (offer != null) openedAt = performance.now();
    offer = name;
    silence();
    clearInterval(counter);
    if (!place) return;
    say(document.querySelector("#drive h1").textContent);
    // What was kept may be over.
    if (end > performance.now()) {
      ring();
      alarm = setInterval(ring, 2000);
    }
    let isShort = false;
    const count = () => {
      const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      const left = seconds ? word("left", seconds) : words.over;
      fill("offer-left", left);
      if (find("offer-bar")) find("offer-bar").value = seconds;
      if (!seconds) {
        clearInterval(counter);
        silence();
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
    // Before a first touch browsers refuse it, and complain.
    const mayShake = navigator.userActivation?.hasBeenActive !== false;
    if (mayShake && (how === "both" || how === "vibration")) navigator.vibrate?.([300, 150, 300]);
  }
  function silence() {
    clearInterval(alarm);
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(0);
  }

  // What he does.

  // Whoever was about to press something else has not read what is under the finger now.
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
    // One at a time: of two answers nobody knows which came first.
    if (!document.querySelector("form[data-sent]")) send(form, event.submitter);
  }, true);

  // The link to the way, of whoever wishes that it opens by itself.
  const way = () => content.querySelector("a[data-opens]");

  // Who becomes available does so where he is now: off duty that is seldom measured.
  const measure = () => new Promise((resolve) => {
    setTimeout(resolve, 6000);
    navigator.geolocation.getCurrentPosition((found) => {
      last = undefined;
      take(found);
      resolve(sending);
    }, resolve, { ...exactly, timeout: 5000 });
  });

  // A decision is sent now or not at all.
  async function send(form, button) {
    refuse("");
    if (isOffline()) return refuse(words.refused);
    form.dataset.sent = "1";
    silence();
    const fields = new URLSearchParams(new FormData(form));
    if (button?.name) fields.append(button.name, button.value);
    const label = button?.textContent;
    if (button?.dataset.busy) button.textContent = button.dataset.busy;
    // What the form does is told as an event too; the answer shows it already.
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
      // Browsers let a press lead on to another program; where they do not, the link is there.
      if (after != null && way()?.href !== old) way()?.click();
    } catch {
      // It may have arrived. The same form may be sent again: it has the same key.
      refuse(words.unclear);
    } finally {
      delete form.dataset.sent;
      if (label) button.textContent = label;
      // Not where the page is about to be left.
      if (after != null) dispatchEvent(new CustomEvent("answered", { detail: after }));
    }
  }

  // Shows what was answered without leaving the page, which knows where he is. Returns up to which
  // event all that is shown now shows everything; nothing where the page is left after all.
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
      content.replaceChildren(...fresh.childNodes);
      after = page.getElementById("live-script").dataset.after;
    } else {
      stand(fresh);
    }
    document.title = page.title;
    if (answer.redirected) history.replaceState(null, "", answer.url);
    // What is wrong is read first.
    (content.querySelector("[data-focus]") ?? content).focus();
    scrollTo(0, 0);
    dress(since);
    return after;
  }

  // An answer that is not his page, as what was wrong with a form, stands in its place until he
  // goes on. What tells of events waits behind it: the next offer must reach him all the same.
  let before;
  function stand(answer) {
    const page = find("drive");
    const old = find("answer");
    // What became of an offer is read in peace.
    if (!old) before = offer ? null : page.querySelector("h1")?.textContent;
    old?.remove();
    page.before(make("div", "answer", "", content));
    find("answer").append(...answer.childNodes);
    page.hidden = true;
    page.replaceChildren();
  }

  // Whether the page that waits is to be seen: there is an offer, or he does something else now.
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
      // A battery that is low is reason enough for browsers to refuse it.
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

  // What a page that is new needs: controls that only a script has a use for.
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
    const notices = find("drive-notices");
    if (notices) notices.hidden = window.Notification?.permission === "granted";
    lookAtOffer(since);
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
      // Whoever hears nothing more does not hear either that it is over.
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
