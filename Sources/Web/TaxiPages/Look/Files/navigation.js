// Guides a driver along the way that the page of the ride shows: the next turn, spoken and written,
// and a new way where they have left it. What is loaded goes on without a connection. The page
// lists all turns without this script.
"use strict";
(() => {
  // A car on a way through the streets. Positions go in, and what is to be said comes out; it has
  // no clock and knows no page, so that tests can drive it.
  class Course {
    // The way as [latitude, longitude] of each point, the steps with the point of each, and the
    // course of the same drive until now, if any.
    constructor(points, steps, before) {
      this.origin = before?.origin ?? points[0];
      this.east = 111195 * Math.cos(this.origin[0] * Math.PI / 180);
      this.points = points.map((point) => this.flat(point));
      let along = 0;
      this.along = this.points.map(([x, y], n) =>
        along += n ? Math.hypot(x - this.points[n - 1][0], y - this.points[n - 1][1]) : 0);
      this.total = along;
      this.steps = steps.map((step) => ({ ...step, metres: this.along[step.point] ?? 0 }));
      // The urgency with which each step has been announced: 1 for far, 2 for near, 3 for now. On
      // another way, what is near is said again; a driver who has left a way may come to the same
      // turn once more.
      const isKnown = before && before.state !== "left";
      const told = (key) => before.said[before.steps.findIndex((step) => step.key === key)] ?? 0;
      this.said = steps.map(({ key }) => isKnown ? Math.min(1, told(key)) : 0);
      // The estimated distance covered, and the speed, in metres and seconds.
      this.place = 0;
      this.speed = before?.speed ?? 0;
      this.state = "new";
      this.misses = 0;
      // The last position, those of the last seconds, those that may be errors, and until when a
      // receiver may be wrong.
      this.last = before?.last;
      this.trail = before?.trail ?? [];
      this.held = before?.held ?? [];
      this.doubt = before?.doubt ?? 0;
    }

    flat([latitude, longitude]) {
      return [(longitude - this.origin[1]) * this.east, (latitude - this.origin[0]) * 111195];
    }

    // A measured position: {at, latitude, longitude, accuracy, speed, heading}, in milliseconds,
    // metres and degrees; speed and heading may be missing. A way is left only after two positions
    // in a row that say so.
    report({ at, latitude, longitude, accuracy, speed, heading }) {
      const spot = this.flat([latitude, longitude]);
      if (accuracy > 60) return this.pass(at);
      const fix = { at, spot, accuracy };
      if (this.last && !this.isPossible(this.last, fix, speed)) {
        // A jump. If the next ones agree with it, it was no error.
        const before = this.held.at(-1);
        if (before && !this.isPossible(before, fix, speed)) this.held = [];
        this.held.push(fix);
        if (this.held.length < 5) return this.pass(at);
        this.isFresh = true;
        this.trail = [];
      }
      this.held = [];
      this.accept(fix, speed, heading);
      return this.due(this.place);
    }

    // Whether a car can come from one position to another in the time between them.
    isPossible(from, to, speed) {
      const seconds = Math.max(0, to.at - from.at) / 1000;
      const most = Math.min(50, Math.max(this.speed, speed ?? 0) + 4 * Math.min(seconds, 10));
      const slack = from.accuracy + to.accuracy + 10;
      const [x, y] = [to.spot[0] - from.spot[0], to.spot[1] - from.spot[1]];
      return Math.hypot(x, y) <= most * seconds + slack;
    }

    accept(fix, speed, heading) {
      const seconds = this.last ? Math.max(0.1, (fix.at - this.last.at) / 1000) : 0;
      const away = ({ spot }) => [fix.spot[0] - spot[0], fix.spot[1] - spot[1]];
      // Many receivers measure neither speed nor direction.
      const trail = this.trail.filter(({ at }) => at > fix.at - 6000);
      const since = trail.find(({ at }) => at > fix.at - 3500) ?? this.last;
      const pace = speed
        ?? (since ? Math.hypot(...away(since)) / Math.max(0.1, (fix.at - since.at) / 1000) : 0);
      const start = trail.findLast((one) => Math.hypot(...away(one)) > 8 + fix.accuracy);
      const way = start && away(start);
      const course = heading >= 0 && pace > 2 ? heading
        : way ? Math.atan2(...way) * 180 / Math.PI : null;
      this.trail = [...trail, fix];
      const isNew = this.state === "new";
      const turn = this.steps.find(({ metres }) => metres > this.place + 3)?.metres ?? this.total;
      const moved = this.place + this.speed * seconds;
      // Nobody knows how a driver went on at a turn that they took unseen.
      const expected = this.isFresh ? null : seconds > 3 ? Math.min(moved, turn - 10) : moved;
      // A new way mostly begins where the car is.
      const drift = Math.max(0.5 * this.speed, seconds > 3 ? 5 : 0);
      const depth = isNew ? 50 : 20 + fix.accuracy + drift * seconds;
      const width = heading >= 0 ? 60 : 90;
      let found = this.nearest(fix, course, expected, depth, width);
      // A way begins on the street, a car perhaps in a yard beside it.
      const most = (isNew ? 60 : 15) + 1.5 * fix.accuracy;
      // Back on the same street, after a U-turn of the way itself.
      if (found.turn > 130) {
        const other = this.nearest(fix, course, null, depth, 30);
        if (other.turn < 60 && other.metres > this.place) found = other;
      }
      const isAside = found.distance > (found.turn > 50 ? Math.max(12, 0.7 * most) : most);
      // After a gap, a receiver needs a moment to be right again, unless it says what was expected.
      const reach = Math.max(this.speed, 12) * 1.3 * seconds + 60;
      const isOdd = isAside
        || found.metres < this.place - 60 || found.metres > this.place + reach;
      if ((!this.last || seconds > 5 && !this.isFresh) && isOdd) this.doubt = fix.at + 4000;
      const isBack = found.turn > 130 && pace > 2 && found.metres < this.place - 12;
      this.isFresh = false;
      this.last = fix;
      this.heading = course;
      this.speed = Math.min(50, this.speed && speed == null ? (this.speed + pace) / 2 : pace);
      const end = this.points.at(-1);
      const rest = Math.hypot(end[0] - fix.spot[0], end[1] - fix.spot[1]);
      // At the end a driver looks for a place to stop.
      const isThere = this.total - this.place < 100 && rest < 100;
      if ((isAside || isBack) && !isThere) {
        this.misses += 1;
        if (this.misses > 1 && fix.at > this.doubt) this.state = "left";
        return;
      }
      this.misses = 0;
      this.state = "on";
      if (!isAside && (found.metres > this.place || found.metres < this.place - 15)) {
        this.place = found.metres;
      }
    }

    // The place of the way where the car most probably is: near, not far from where it was
    // expected, and in the direction in which it drives.
    nearest({ spot, accuracy }, course, expected, depth, width) {
      const breadth = Math.max(accuracy, 8);
      let best = { score: Infinity };
      for (let n = 0; n + 1 < this.points.length; n += 1) {
        const [[x, y], [toX, toY]] = [this.points[n], this.points[n + 1]];
        const [east, north] = [toX - x, toY - y];
        const square = east * east + north * north;
        if (!square) continue;
        const share = ((spot[0] - x) * east + (spot[1] - y) * north) / square;
        const part = Math.min(1, Math.max(0, share));
        const distance = Math.hypot(spot[0] - x - part * east, spot[1] - y - part * north);
        const metres = this.along[n] + part * Math.sqrt(square);
        const bearing = Math.atan2(east, north) * 180 / Math.PI;
        const turn = course == null ? 0 : Math.abs(((course - bearing) % 360 + 540) % 360 - 180);
        const ahead = expected == null ? 0 : (metres - expected) / depth;
        const score = (distance / breadth) ** 2 + ahead ** 2 + (turn / width) ** 2;
        if (score < best.score) best = { score, distance, metres, turn };
      }
      return best.score < Infinity ? best : { distance: 0, metres: 0, turn: 0 };
    }

    // Time passes without a usable position, as in a tunnel: the car goes on at its speed, but not
    // beyond its next turn, where nobody knows what it does.
    pass(at) {
      const seconds = this.last ? (at - this.last.at) / 1000 : 0;
      if (seconds < 1.5 || seconds > 60 || this.speed < 2) return this.due(this.place);
      const next = this.steps.find(({ metres }) => metres > this.place + 3) ?? this.steps.at(-1);
      return this.due(Math.min(this.place + this.speed * seconds, next.metres - 4));
    }

    // What is shown and said at a place of the way.
    due(place) {
      const next = this.steps.findIndex(({ metres }, n) =>
        metres > place + 3 || n === this.steps.length - 1);
      const rest = Math.max(0, this.steps[next].metres - place);
      const told = { next, rest, state: this.state, say: [] };
      if (this.state !== "on" || this.misses || this.last.at < this.doubt) return told;
      const { speed } = this;
      const within = (seconds, least, most) => Math.min(most, Math.max(least, seconds * speed));
      const near = within(9, 60, 250);
      const isEnd = next === this.steps.length - 1;
      const stage = rest <= (isEnd ? 30 : within(3.5, 20, 80)) ? 3 : rest <= near ? 2
        : rest <= within(25, 200, 800) && rest > near + 5 * speed || !this.isBegun ? 1 : 0;
      this.isBegun = true;
      if (stage <= this.said[next]) return told;
      this.said[next] = stage;
      const gap = isEnd ? Infinity : this.steps[next + 1].metres - this.steps[next].metres;
      const then = stage > 1 && gap <= within(6, 60, 120) && !this.said[next + 1];
      if (then) this.said[next + 1] = 2;
      told.say.push({ step: next, stage, rest, then });
      return told;
    }
  }
  if (typeof document === "undefined") {
    globalThis.Course = Course;
    return;
  }

  const find = (id) => document.getElementById(id);
  const fill = (id, text) => {
    const place = find(id);
    if (place && place.textContent !== text) place.textContent = text;
  };
  const { lang } = document.documentElement;
  const kept = (act) => { try { return act(localStorage); } catch { return null; } };
  // How long a request may take, and the time between two of them, in milliseconds.
  const patience = 15000;
  const pause = 3000;
  let course, line, last;
  let isAsking = false;
  let asked = 0;

  // The points of a line in the encoded polyline format, with five decimals.
  function decoded(text) {
    const points = [];
    const sums = [0, 0];
    let [shift, value, axis] = [0, 0, 0];
    for (const letter of text) {
      const bits = letter.charCodeAt(0) - 63;
      value |= (bits & 31) << shift;
      shift += 5;
      if (bits & 32) continue;
      sums[axis] += value & 1 ? ~(value >> 1) : value >> 1;
      if (axis) points.push([sums[0] / 1e5, sums[1] / 1e5]);
      [shift, value, axis] = [0, 0, 1 - axis];
    }
    return points;
  }

  const items = () => [...document.querySelectorAll("#guide-steps li")];
  const words = () => find("guide").dataset;
  const turn = (number) => items()[number]?.querySelector("span").textContent ?? "";

  // Takes the way that the page shows, if it is another one.
  function adopt() {
    const next = find("guide") && find("scene")?.querySelector("[data-kind=route]")?.dataset.line;
    if (next === line) return show();
    const before = course;
    line = next;
    course = undefined;
    if (!line) return hush();
    const points = decoded(line);
    course = new Course(points, items().map((item, number) => {
      const point = Number(item.dataset.point);
      return { point, key: `${points[point]} ${turn(number)}` };
    }), before);
    if (last) heed(course.report(last));
    else show();
  }

  // Speech

  const isSilent = () => kept((all) => all.getItem("voice")) === "off";
  const hush = () => window.speechSynthesis?.cancel();
  function speak(text) {
    if (isSilent() || !window.speechSynthesis) return;
    const spoken = new SpeechSynthesisUtterance(text);
    spoken.lang = lang;
    hush();
    speechSynthesis.speak(spoken);
  }
  const number = (value, digits) =>
    new Intl.NumberFormat(lang, { maximumFractionDigits: digits }).format(value);
  // The distance to be said: what nobody can measure is not said exactly.
  function spoken(metres) {
    if (metres >= 950) return words().kilometres.replace("%", number(metres / 1000, 1));
    const step = metres < 100 ? 10 : 50;
    return words().metres.replace("%", number(Math.max(step, Math.round(metres / step) * step), 0));
  }
  const shown = (metres) => metres < 995
    ? `${metres < 20 ? Math.round(metres) : Math.round(metres / 10) * 10} m`
    : `${number(Math.round(metres / 100) / 10, 1)} km`;
  const small = (text) => text.charAt(0).toLowerCase() + text.slice(1);

  function announce({ step, stage, rest, then }) {
    const isEnd = step === course.steps.length - 1;
    let text = turn(step);
    if (stage < 3) text = words().ahead.replace("%1", spoken(rest)).replace("%2", small(text));
    else if (isEnd) text = words().there;
    if (then) text = words().then.replace("%1", text).replace("%2", small(turn(step + 1)));
    speak(text);
  }

  // Display

  function heed(told) {
    for (const one of told.say) announce(one);
    show(told);
    if (told.state === "left") renew();
  }

  function show(told = course?.due(course.place)) {
    if (!told || !find("guide")) return;
    dress();
    const list = items();
    const icon = list[told.next]?.querySelector("svg");
    if (icon) find("guide-icon").replaceChildren(icon.cloneNode(true));
    fill("guide-left", shown(told.rest));
    fill("guide-text", turn(told.next));
    const after = turn(told.next + 1);
    fill("guide-after", after && words().after.replace("%", small(after)));
    list.forEach((item, number) => item.classList.toggle("done", number < told.next));
    if (told.state !== "left") fill("guide-said", "");
  }

  // The switch of the voice, which only works with scripts.
  function dress() {
    if (find("guide-voice") || !window.speechSynthesis) return;
    const button = document.createElement("button");
    button.type = "button";
    button.id = "guide-voice";
    button.textContent = words().voice;
    button.setAttribute("aria-pressed", String(!isSilent()));
    find("guide").append(button);
  }

  // A new way, from where the car is and in the direction in which it drives. The server answers
  // with the page, so that all of it shows the same way.
  async function renew() {
    if (isAsking || Date.now() - asked < pause) return;
    asked = Date.now();
    fill("guide-said", navigator.onLine ? words().lost : words().noLine);
    isAsking = true;
    const fields = new URLSearchParams({
      token: document.querySelector("#guide-steps + form [name=token]").value,
      latitude: last.latitude, longitude: last.longitude,
    });
    if (course.heading != null) fields.append("heading", Math.round(course.heading));
    // What is on its way shows the old way.
    dispatchEvent(new Event("sending"));
    try {
      const answer = await fetch("/drive/way", {
        method: "POST", headers: { accept: "text/html" }, body: fields,
        signal: AbortSignal.timeout?.(patience),
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [scene, drive] = ["scene", "drive"].map((id) => page.getElementById(id));
      if (!answer.ok || !scene || !drive?.querySelector("#guide")) throw new Error("no way");
      const isOther = scene.querySelector("[data-line]")?.dataset.line !== line;
      for (const id of ["guide", "guide-steps"]) {
        find(id)?.replaceWith(page.getElementById(id));
      }
      find("scene").replaceChildren(...scene.childNodes);
      if (isOther) speak(words().newWay);
      find("scene").dispatchEvent(new CustomEvent("refreshed", { bubbles: true }));
    } catch {
      fill("guide-said", words().noLine);
    } finally {
      isAsking = false;
      dispatchEvent(new CustomEvent("answered", { detail: "" }));
    }
  }

  function take(position) {
    last = position;
    if (course) heed(course.report(position));
  }
  addEventListener("position", ({ detail }) => take(detail));
  // In the demo the car drives by itself, and the page tells where it is.
  const isDriven = Boolean(find("drive-script").dataset.driven);
  document.addEventListener("refreshed", () => {
    const at = isDriven && find("scene")?.querySelector("[data-kind=taxi]")?.dataset.at;
    if (at && at !== last?.text) {
      const [latitude, longitude] = at.split(",").map(Number);
      last = { at: Date.now(), latitude, longitude, accuracy: 10, text: at };
      if (course && find("scene").querySelector("[data-line]")?.dataset.line === line) take(last);
    }
    adopt();
  });
  addEventListener("click", ({ target }) => {
    if (target.id !== "guide-voice") return;
    const isOn = isSilent();
    kept((all) => isOn ? all.removeItem("voice") : all.setItem("voice", "off"));
    target.setAttribute("aria-pressed", String(isOn));
    if (!isOn) hush();
  });
  addEventListener("pagehide", hush);
  // Without positions, as in a tunnel, time passes.
  setInterval(() => {
    if (course && last) heed(course.pass(Date.now()));
  }, 1000);
  adopt();
})();
