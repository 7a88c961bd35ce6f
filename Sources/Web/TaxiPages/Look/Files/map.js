// Interactive maps: rides, taxis, zones. Pages give the same information as text.
//
// An element with data-map becomes a map. It may show marks and ways that another element lists
// (data-places), GeoJSON (data-source), or both. A script that adds to a map listens to the event
// "mapready".
"use strict";
(() => {
  const words = document.getElementById("map-script").dataset;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // For more shapes than this, a canvas is faster than elements.
  const mostElements = 100;
  const mostMarks = 60;
  // The time between two reports of a taxi within which its car moves; in milliseconds.
  const longestDrive = 2000;

  const make = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.textContent = text ?? "";
    return element;
  };
  const drawing = (box, shapes) => {
    const holder = make("i", "");
    holder.innerHTML = `<svg viewBox="${box}" aria-hidden="true">${shapes}</svg>`;
    return holder.firstChild;
  };
  // Long work is done in several tasks, between which the page responds.
  const pause = () => new Promise((goOn) => setTimeout(goOn));
  const idle = () => new Promise((goOn) => {
    if (window.requestIdleCallback) requestIdleCallback(goOn, { timeout: 1000 });
    else setTimeout(goOn, 100);
  });
  // Who types or touches goes first: work waits until they have rested, but not for ever.
  let touched = -Infinity;
  for (const kind of ["keydown", "pointerdown"]) {
    addEventListener(kind, ({ timeStamp }) => { touched = timeStamp; }, { passive: true });
  }
  async function calm() {
    for (let times = 0; times < 10 && performance.now() - touched < 300; times += 1) {
      await new Promise((goOn) => setTimeout(goOn, 300));
    }
    await idle();
  }
  // When the next frame has been drawn, so that its work does not add to what follows.
  const drawn = () => new Promise((goOn) => {
    requestAnimationFrame(() => setTimeout(goOn));
  });
  const isSeen = (place) => new Promise((goOn) => {
    new IntersectionObserver((all, observer) => {
      if (!all.some((one) => one.isIntersecting)) return;
      observer.disconnect();
      goOn();
    }, { rootMargin: "200px" }).observe(place);
  });
  const loaded = (element) => new Promise((resolve, reject) => {
    element.onload = resolve;
    element.onerror = reject;
  });

  // The library comes after the page is drawn, so that nothing waits for it.
  let library;
  const loadLibrary = () => library ??= loadedLibrary();
  async function loadedLibrary() {
    const coming = document.createElement("link");
    if (coming.relList.supports?.("preload")) {
      coming.rel = "preload";
      coming.as = "script";
      coming.href = words.library;
      const here = loaded(coming);
      document.head.append(coming);
      await here;
      await calm();
    }
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = words.libraryStyle;
    const code = document.createElement("script");
    code.src = words.library;
    const all = Promise.all([loaded(style), loaded(code)]);
    // Our own rules override the library's.
    document.querySelector("link[href$='/map.css']").before(style);
    document.head.append(code);
    await all;
  }

  function makeMap(place) {
    const frame = place.appendChild(make("div", "map waiting"));
    const map = L.map(frame, {
      zoomControl: false, attributionControl: Boolean(words.credit), minZoom: 8, maxZoom: 18,
      zoomSnap: 0.25,
      inertia: !isCalm, zoomAnimation: !isCalm, fadeAnimation: false,
      markerZoomAnimation: !isCalm, worldCopyJump: false,
    });
    frame.setAttribute("role", "application");
    frame.setAttribute("aria-label", words.label);
    map.attributionControl?.setPrefix(false);
    L.control.zoom({
      position: "topright", zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut,
    }).addTo(map);
    const [south, west, north, east] = (words.bounds ?? "35,6,47,19").split(",").map(Number);
    map.whole = L.latLngBounds([south, west], [north, east]);
    map.content = () => null;
    followUser(map, frame);
    return map;
  }

  // The still picture stays until the map has something to show.
  function addTiles(map, place) {
    const frame = map.getContainer();
    const tiles = L.tileLayer("/tiles/{z}/{x}/{y}.svg", {
      minZoom: 8, maxZoom: 18, attribution: words.credit, keepBuffer: 1,
    });
    const show = () => {
      frame.classList.remove("waiting");
      for (const picture of place.querySelectorAll(".still")) picture.hidden = true;
    };
    tiles.once("load", show);
    setTimeout(show, 8000);
    tiles.addTo(map);
  }

  // What hides a part of the map, from each of its edges, in pixels.
  function room(map) {
    const box = map.getContainer().getBoundingClientRect();
    const isLow = box.height < 220;
    const edges = map.isPlain ? { left: 16, top: 16, right: 16, bottom: 16 }
      : { left: 36, top: isLow ? 46 : 56, right: 78, bottom: isLow ? 26 : 28 };
    const covers = ".sheet, .drawer, .map-area > :not([data-map])";
    for (const cover of document.querySelectorAll(covers)) {
      const other = cover.getBoundingClientRect();
      const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (wide <= 0 || high <= 0) continue;
      const isBeside = high > 0.9 * box.height && wide < 0.7 * box.width;
      const isBelow = other.bottom + other.top > box.bottom + box.top;
      const edge = !isBeside ? isBelow ? "bottom" : "top"
        : other.left <= box.left + 2 ? "left" : "right";
      const taken = isBeside ? wide : high;
      if (taken < 0.6 * (isBeside ? box.width : box.height)) edges[edge] += taken;
    }
    return {
      paddingTopLeft: [edges.left, edges.top], paddingBottomRight: [edges.right, edges.bottom],
    };
  }

  function fit(map) {
    const content = map.content();
    const bounds = content ?? map.whole;
    const animate = !isCalm && Boolean(map.isReady);
    // A map of the whole city fills its frame; what happens outside it is not missed.
    if (map.fills || !content) {
      return map.setView(bounds.getCenter(), map.getBoundsZoom(bounds, true), { animate: false });
    }
    // Around a single place, streets with names tell where it is.
    const maxZoom = bounds.getNorthEast().equals(bounds.getSouthWest()) ? 16 : 17;
    map.fitBounds(bounds, { ...room(map), maxZoom, animate });
  }

  function locateIcon() {
    const icon = drawing("0 0 24 24", `<path d="M12 19a7 7 0 100-14 7 7 0 000 14zM12 2v3M12 19v3M2
      12h3M19 12h3M12 13a1 1 0 100-2 1 1 0 000 2z"/>`);
    icon.setAttribute("class", "icon");
    return icon;
  }

  // A map that the user has moved stays where it is, and has a button that leads back.
  function followUser(map, frame) {
    const back = make("button", "recentre round");
    back.type = "button";
    back.title = words.recentre;
    back.setAttribute("aria-label", words.recentre);
    back.append(locateIcon());
    back.hidden = true;
    frame.append(back);
    L.DomEvent.disableClickPropagation(back);
    const moved = () => { map.isMoved = true; back.hidden = false; };
    map.on("dragstart", moved);
    for (const name of ["wheel", "dblclick"]) {
      frame.addEventListener(name, moved, { passive: true });
    }
    frame.addEventListener("touchstart", (event) => {
      if (event.touches.length > 1) moved();
    }, { passive: true });
    frame.addEventListener("keydown", (event) => {
      if (/^(Arrow|[+=_-]$)/.test(event.key)) moved();
    });
    frame.addEventListener("click", (event) => {
      if (event.target.closest(".leaflet-control-zoom")) moved();
    });
    back.addEventListener("click", () => {
      map.isMoved = false;
      fit(map);
      back.hidden = true;
      frame.focus({ preventScroll: true });
    });
    // The layout of the page changes the size of the map, as when a drawer opens.
    let size = "";
    new ResizeObserver(([{ contentRect: { width, height } }]) => {
      const now = `${Math.round(width)} ${Math.round(height)}`;
      if (size && size !== now && width && height) {
        map.invalidateSize({ pan: false });
        if (!map.isMoved) fit(map);
      }
      size = now;
    }).observe(frame);
  }

  // Labels that overlap nothing. Each item has its position, the width of its label, and the sides
  // on which the label may be, as offsets from the position; the first free one is chosen.
  function placeLabels(map, items) {
    const size = map.getSize();
    const corner = map.containerPointToLayerPoint([0, 0]);
    // The buttons that zoom.
    const taken = [[corner.x + size.x - 60, corner.y, corner.x + size.x, corner.y + 110]];
    for (const { at, covers } of items) {
      const point = map.latLngToLayerPoint(at);
      if (covers) taken.push(covers.map((edge, n) => edge + (n % 2 ? point.y : point.x)));
    }
    for (const { at, width, covers, sides, show } of items) {
      if (!show) continue;
      const point = map.latLngToLayerPoint(at);
      const isFree = ([left, top, right, bottom]) => taken.every((other) =>
        right <= other[0] || left >= other[2] || bottom <= other[1] || top >= other[3]);
      // The names of areas are placed anew only when one zooms: they may be above or below.
      const isInside = ([left, top, right, bottom]) =>
        left >= corner.x && right <= corner.x + size.x
        && (!covers || (top >= corner.y && bottom <= corner.y + size.y));
      const chosen = Object.entries(sides).find(([, [x, y]]) => {
        const box = [point.x + x, point.y + y, point.x + x + width, point.y + y + 24];
        if (!isFree(box) || !isInside(box)) return false;
        taken.push(box);
        return true;
      });
      show(chosen?.[0]);
    }
  }

  // --- Rides -----------------------------------------------------------------------------------

  const shapes = {
    meeting: { size: [40, 48], anchor: [20, 46], letter: "A",
      path: "M20 46C13 37 4 29 4 19a16 16 0 0132 0c0 10-9 18-16 27z" },
    destination: { size: [40, 48], anchor: [20, 46], letter: "B",
      path: "M10 4h20a6 6 0 016 6v20a6 6 0 01-6 6h-4l-6 10-6-10h-4a6 6 0 01-6-6V10a6 6 0 016-6z" },
    stop: { size: [24, 24], anchor: [12, 12], path: "M12 21a9 9 0 100-18 9 9 0 000 18z" },
  };
  const car = `<path class="body" d="M8 2h12q6 0 7 8v30q0 6-6 6H7q-6 0-6-6V10q1-8 7-8z"/>
    <path class="glass" d="M5 18q9-6 18 0l-2 6H7zM7 38h14l2 4q-9 4-18 0z"/>
    <rect class="sign" x="9" y="28" width="10" height="5" rx="1.5"/>`;

  function markDrawing(kind) {
    if (kind === "taxi") return drawing("0 0 28 48", car);
    const { size, letter, path } = shapes[kind] ?? shapes.stop;
    const text = letter ? `<text x="20" y="26">${letter}</text>` : "";
    return drawing(`0 0 ${size.join(" ")}`, `<path d="${path}"/>${text}`);
  }

  function markIcon(kind) {
    const { size, anchor } = kind === "taxi" ? { size: [44, 44] } : shapes[kind] ?? shapes.stop;
    return L.divIcon({
      className: `point drawn ${kind}`, iconSize: size, iconAnchor: anchor,
      html: markDrawing(kind),
    });
  }

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
      if (axis) points.push(L.latLng(sums[0] / 1e5, sums[1] / 1e5));
      [shift, value, axis] = [0, 0, 1 - axis];
    }
    return points;
  }

  const metres = (one, other) => one.distanceTo(other);
  function bearing(one, other) {
    const east = (other.lng - one.lng) * Math.cos(one.lat * Math.PI / 180);
    return Math.atan2(east, other.lat - one.lat) * 180 / Math.PI;
  }

  // Where a line is nearest to a place: the number of its segment, and the distance in metres.
  function nearest(line, at) {
    const flat = ({ lat, lng }) => L.point(lng * Math.cos(at.lat * Math.PI / 180), lat);
    const point = flat(at);
    let best = { distance: Infinity, segment: 0 };
    for (let segment = 0; segment + 1 < line.length; segment += 1) {
      const [from, to] = [flat(line[segment]), flat(line[segment + 1])];
      const distance = L.LineUtil.pointToSegmentDistance(point, from, to) * 111_320;
      if (distance < best.distance) best = { distance, segment };
    }
    return best;
  }

  // The way from one place to another along a known line, otherwise straight.
  function pathBetween(lines, from, to) {
    for (const line of lines) {
      const [start, end] = [nearest(line, from), nearest(line, to)];
      if (start.distance > 40 || end.distance > 40 || end.segment < start.segment) continue;
      return [from, ...line.slice(start.segment + 1, end.segment + 1), to];
    }
    return [from, to];
  }

  // A car, which drives from report to report.
  class Car {
    constructor(mark, at) {
      this.mark = mark;
      this.at = at;
      this.heading = 0;
      this.reported = 0;
    }

    turn(heading) {
      this.heading = heading;
      const picture = this.mark.getElement()?.firstChild;
      if (picture) picture.style.transform = `rotate(${heading}deg)`;
    }

    // Goes to a place along lines; the heading is where the front points in the end, if known.
    drive(to, heading, lines, arrived) {
      const now = performance.now();
      const time = Math.min(longestDrive, this.reported ? now - this.reported : 0);
      this.reported = now;
      cancelAnimationFrame(this.frame);
      const path = pathBetween(lines, this.at, to);
      const steps = path.slice(1).map((place, n) => metres(path[n], place));
      const length = steps.reduce((sum, step) => sum + step, 0);
      const last = length > 3 ? bearing(path.at(-2), to) : this.heading;
      const end = () => {
        this.at = to;
        this.mark.setLatLng(to);
        this.turn(heading ?? last);
        arrived();
      };
      if (isCalm || document.hidden || length < 1 || length > 1500 || time < 100) return end();
      let before = now;
      const move = (moment) => {
        const share = Math.min(1, (moment - now) / time);
        if (share >= 1) return end();
        let left = share * length;
        let step = 0;
        while (step + 1 < steps.length && left > steps[step]) left -= steps[step++];
        const [from, next] = [path[step], path[step + 1]];
        const part = steps[step] ? left / steps[step] : 0;
        this.at = L.latLng(from.lat + part * (next.lat - from.lat),
          from.lng + part * (next.lng - from.lng));
        this.mark.setLatLng(this.at);
        // The front turns within a moment, the shorter way round.
        const wanted = steps[step] > 1 ? bearing(from, next) : this.heading;
        const turn = ((wanted - this.heading) % 360 + 540) % 360 - 180;
        this.turn(this.heading + turn * Math.min(1, Math.max(0, moment - before) / 150));
        before = moment;
        this.frame = requestAnimationFrame(move);
      };
      this.frame = requestAnimationFrame(move);
    }
  }

  // Shows the places and ways that another element contains, and follows its reloads.
  function followPlaces(map, id) {
    const marks = new Map();
    const lines = L.layerGroup().addTo(map);
    let ways = [];
    let shownKinds;

    function drawLines(all) {
      lines.clearLayers();
      const options = { interactive: false, smoothFactor: 1.5 };
      const add = (shape, names, isMeant) => {
        for (const { kind, points, color } of all) {
          if (!isMeant(kind)) continue;
          const own = color ? { color } : null;
          const className = `way ${names} ${kind}${own ? " own" : ""}`;
          shape(points, { ...options, ...own, className }).addTo(lines);
        }
      };
      add(L.polygon, "area", (kind) => kind === "zone");
      add(L.polyline, "casing", (kind) => kind !== "zone");
      add(L.polyline, "line", (kind) => kind !== "zone");
    }

    function makeMark(kind, at, label) {
      const mark = L.marker(at, {
        icon: markIcon(kind), interactive: false, keyboard: false,
        zIndexOffset: { taxi: 2000, stop: 500 }[kind] ?? 1000,
      }).addTo(map);
      const element = mark.getElement();
      element.setAttribute("role", "img");
      element.setAttribute("aria-label", label);
      if (kind !== "taxi" && label) element.append(make("span", "label", label));
      return { mark, kind, label, car: kind === "taxi" ? new Car(mark, L.latLng(at)) : null };
    }

    function showLabels() {
      placeLabels(map, [...marks.values()].map(({ mark, kind, width = 0, car: own }) => {
        if (own) return { at: mark.getLatLng(), covers: [-22, -22, 22, 22] };
        const label = mark.getElement().querySelector(".label");
        const isPin = kind !== "stop";
        return {
          at: mark.getLatLng(),
          width,
          covers: isPin ? [-18, -46, 18, 0] : [-10, -10, 10, 10],
          sides: isPin
            ? { right: [20, -40], left: [-20 - width, -40], below: [-width / 2, 2] }
            : { right: [14, -12], left: [-14 - width, -12], below: [-width / 2, 12] },
          show: label && ((side) => { label.dataset.side = side ?? "none"; }),
        };
      }));
    }

    function draw() {
      const source = document.getElementById(id);
      if (!source) return;
      const next = [...source.querySelectorAll("[data-line]")].map(({ dataset }) => ({
        kind: dataset.kind, points: decoded(dataset.line), color: dataset.colour,
      }));
      const before = ways.map(({ points }) => points);
      const listed = [...source.querySelectorAll("[data-at]")];
      const kinds = listed.map(({ dataset }) => dataset.kind).sort().join();
      const isNew = kinds !== shownKinds;
      shownKinds = kinds;
      const places = listed.map(({ dataset }) => L.latLng(dataset.at.split(",").map(Number)));
      const all = [...places, ...next.flatMap(({ points }) => points)];
      const bounds = all.length ? L.latLngBounds(all) : null;
      map.content = () => bounds;
      const isOut = () => places.some((at) => !map.getBounds().contains(at));
      if (!map.isMoved && (isNew || isOut())) fit(map);
      // While a car drives, the way that it came from stays.
      let isDriving = false;
      if (isNew) drawLines(ways = next);
      const shown = new Set();
      const counts = {};
      for (const { dataset } of listed) {
        const at = L.latLng(dataset.at.split(",").map(Number));
        const { kind, label, heading } = dataset;
        counts[kind] = (counts[kind] ?? 0) + 1;
        const key = `${kind} ${counts[kind]}`;
        shown.add(key);
        if (marks.has(key) && marks.get(key).label !== label) {
          marks.get(key).mark.remove();
          marks.delete(key);
        }
        if (!marks.has(key)) marks.set(key, makeMark(kind, at, label));
        const { mark, car: own } = marks.get(key);
        mark.getElement().classList.toggle("faint", "faint" in dataset);
        if (!own) {
          mark.setLatLng(at);
          continue;
        }
        isDriving = true;
        own.drive(at, heading == null ? undefined : Number(heading), before, () => {
          drawLines(ways = next);
        });
      }
      for (const [key, { mark, car: own }] of marks) {
        if (shown.has(key)) continue;
        cancelAnimationFrame(own?.frame);
        mark.remove();
        marks.delete(key);
      }
      if (!isDriving && !isNew) drawLines(ways = next);
      pause().then(() => {
        for (const one of marks.values()) {
          one.width ??= one.mark.getElement().querySelector(".label")?.offsetWidth ?? 0;
        }
        showLabels();
      });
    }
    draw();
    map.on("zoomend moveend", showLabels);
    document.addEventListener("refreshed", draw);
  }

  // --- Taxis and zones -------------------------------------------------------------------------

  const token = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const shapeStyle = (isFaint, level) => ({
    color: token({ busy: "amber", slow: "amber", short: "red", closed: "red" }[level] ?? "primary"),
    weight: { calm: 1, slow: 6, closed: 6 }[level] ?? (isFaint ? 1 : 2), opacity: isFaint ? 0.6 : 1,
    dashArray: level === "short" ? "8 5" : null,
    fillOpacity: isFaint ? 0.04 : { calm: 0.06, busy: 0.2, short: 0.22 }[level] ?? 0.1,
  });
  const rowOf = (id) => id == null ? null
    : document.querySelector(`[data-show="${CSS.escape(id)}"]`);

  // A press on a mark leads to the page about it, as its row does.
  function open(place, id, page) {
    const row = rowOf(id);
    const link = row?.matches("a") ? null : row?.querySelector("a[href]");
    if (link) return link.click();
    row?.scrollIntoView({ block: "nearest" });
    if (!page) return;
    const detail = { detail: page, bubbles: true, cancelable: true };
    if (place.dispatchEvent(new CustomEvent("open-page", detail))) location.assign(page);
  }

  // The name of a zone with its counts, as in "Centro 3/1".
  function areaLabel(place, { id, properties }) {
    const name = String(properties?.[place.dataset.name] ?? properties?.name ?? id ?? "");
    const counts = name.includes("/") ? [] : (properties?.words ?? "").match(/\d+/g) ?? [];
    return [name, counts.join("/")].filter(Boolean).join(" ");
  }

  // Zones and lines: replaced as a whole, because they seldom change.
  function drawAreas(map, place, features) {
    const edited = place.dataset.zone;
    const renderer = features.length > mostElements ? L.canvas() : L.svg();
    const labels = [];
    const style = (feature) => shapeStyle(Boolean(edited), feature.properties?.level);
    const group = L.geoJSON({ type: "FeatureCollection", features }, {
      renderer, style,
      filter: (feature) => !edited || String(feature.id) !== edited,
      interactive: features.some(({ properties }) => properties?.page),
      onEachFeature: (feature, layer) => {
        const page = feature.properties?.page;
        if (page) layer.on("click", () => open(place, feature.id, page));
        const text = feature.geometry.type.endsWith("Polygon") ? areaLabel(place, feature) : "";
        if (text) labels.push({ layer, text });
      },
    }).addTo(map);
    const makeLabel = (one) => {
      const { layer, text } = one;
      const box = layer.getBounds();
      one.at = layer.getCenter() ?? box.getCenter();
      one.box = box;
      one.mark = L.marker(one.at, {
        icon: L.divIcon({ className: "zone-label", iconSize: null, html: make("span", "", text) }),
        interactive: false, keyboard: false, zIndexOffset: 1000,
      });
    };
    const showLabels = () => placeLabels(map, labels.map(({ at, box, text, mark }) => {
      const width = 12 + 6.3 * text.length;
      const across = map.latLngToLayerPoint(box.getNorthEast()).x
        - map.latLngToLayerPoint(box.getSouthWest()).x;
      return {
        at, width, sides: across > 0.9 * width ? { middle: [-width / 2, -12] } : {},
        show: (side) => side ? mark.addTo(map) : mark.remove(),
      };
    }));
    // The labels come in a task of their own, unless the areas are replaced before.
    pause().then(() => {
      if (!map.hasLayer(group)) return;
      labels.forEach(makeLabel);
      showLabels();
      map.on("zoomend", showLabels);
    });
    const recolour = () => group.setStyle(style);
    dark.addEventListener("change", recolour);
    // A map does not release its canvas until it is told to.
    group.on("remove", () => {
      dark.removeEventListener("change", recolour);
      map.off("zoomend", showLabels);
      for (const { mark } of labels) mark?.remove();
      renderer.remove();
    });
    return group;
  }

  function pointMark(map, place, feature, at) {
    const { kind, heading, page } = feature.properties ?? {};
    const name = feature.properties?.[place.dataset.name] ?? String(feature.id ?? "");
    const icon = L.divIcon({ className: `point ${kind ?? ""}`, iconSize: [24, 24] });
    const isActive = Boolean(name);
    const mark = L.marker(at, {
      icon, title: name, interactive: isActive, keyboard: isActive, riseOnHover: true,
    }).addTo(map);
    if (isActive) {
      const element = mark.getElement();
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", name);
      const press = () => open(place, feature.id, page);
      if (!page) mark.bindPopup(make("span", "", name));
      mark.on("click", press);
      element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        press();
      });
    }
    if (heading != null) {
      const nose = mark.getElement().appendChild(make("i", "nose"));
      nose.style.transform = `rotate(${heading}deg)`;
    }
    return mark;
  }

  // Many points that nobody presses are drawn on one canvas, which a finger moves more easily than
  // as many elements. The shapes and colours are those of the legend.
  const stands = {
    free: ["M8 1a7 7 0 100 14a7 7 0 000-14z", "green"], offered: ["M8 1l7 7-7 7-7-7z", "amber"],
    coming: ["M2 1l13 7-13 7z", "primary"], there: ["M1 2h14l-7 13z", "amber"],
    aboard: ["M2 2h12v12H2z", "primary"],
  };
  function makeDots(map) {
    const renderer = L.canvas({ padding: 0.3 });
    const radius = 10;
    // Each kind is drawn once, and copied for each of its points.
    let pictures = {};
    const picture = (kind) => {
      const [path, colour] = stands[kind] ?? stands.free;
      const canvas = make("canvas");
      const scale = L.Browser.retina ? 2 : 1;
      canvas.width = canvas.height = 2 * radius * scale;
      const context = canvas.getContext("2d");
      context.scale(scale, scale);
      context.translate(radius - 6, radius - 6);
      context.scale(0.75, 0.75);
      const shape = new Path2D(path);
      context.lineWidth = 4;
      context.strokeStyle = token("paper");
      context.stroke(shape);
      context.fillStyle = token(colour);
      context.fill(shape);
      return canvas;
    };
    const Dot = L.CircleMarker.extend({
      _updatePath() {
        if (!renderer._drawing || this._empty()) return;
        const { x, y } = this._point;
        const { kind } = this.options;
        const shape = pictures[kind] ??= picture(kind);
        renderer._ctx.drawImage(shape, x - radius, y - radius, 2 * radius, 2 * radius);
      },
    });
    dark.addEventListener("change", () => {
      pictures = {};
      renderer._redraw();
    });
    return (at, kind) => new Dot(at, { renderer, kind, radius, interactive: false }).addTo(map);
  }

  // Where the points are; zones reach further than what happens in them.
  function around(box, count, areas) {
    const more = count < 3 && areas();
    if (more) box.extend(more);
    return box.isValid() ? box : null;
  }

  // The same of what is not drawn yet.
  function boundsOf({ features }) {
    const spots = (all) => Array.isArray(all[0]) ? all.flatMap(spots)
      : all.length ? [[all[1], all[0]]] : [];
    const [points, areas] = [[], []];
    for (const { geometry } of features ?? []) {
      (geometry?.type === "Point" ? points : areas).push(...spots(geometry?.coordinates ?? []));
    }
    return around(L.latLngBounds(points), points.length, () => L.latLngBounds(areas));
  }

  // The contents of a GeoJSON source. Points that stay keep their elements.
  function makeSource(map, place) {
    const points = new Map();
    let areas;
    let areaText;
    let makeDot;
    const pane = map.getPane("markerPane");
    map.on("zoomstart viewreset dragstart", () => pane.classList.remove("gliding"));
    async function update(data) {
      // Long work leaves time for others after each slice, in milliseconds.
      const slice = 12;
      let began = performance.now();
      const features = data.features ?? [];
      const flat = features.filter(({ geometry }) => geometry && geometry.type !== "Point");
      const text = JSON.stringify(flat);
      if (text !== areaText) {
        areas?.remove();
        areas = flat.length ? drawAreas(map, place, flat) : undefined;
        areaText = text;
        await pause();
      }
      pane.classList.toggle("gliding", points.size > 0 && points.size <= 200 && !isCalm);
      const shown = new Set();
      for (const [number, feature] of features.entries()) {
        if (feature.geometry?.type !== "Point") continue;
        if (performance.now() - began > slice) {
          await pause();
          began = performance.now();
        }
        const [x, y] = feature.geometry.coordinates;
        const key = feature.id ?? number;
        const signature = JSON.stringify([feature.properties]);
        shown.add(key);
        const old = points.get(key);
        if (old?.signature === signature) {
          // Most taxis wait: what stays where it is, is not drawn again.
          if (old.x !== x || old.y !== y) old.mark.setLatLng([old.y = y, old.x = x]);
          continue;
        }
        const isFocused = old?.mark.getElement?.() === document.activeElement;
        old?.mark.remove();
        const isDot = features.length > mostMarks && feature.id == null && !flat.length;
        if (isDot) makeDot ??= makeDots(map);
        const mark = isDot ? makeDot([y, x], feature.properties?.kind)
          : pointMark(map, place, feature, [y, x]);
        points.set(key, { mark, signature, x, y });
        if (isFocused) mark.getElement().focus({ preventScroll: true });
      }
      for (const [key, { mark }] of points) {
        if (shown.has(key)) continue;
        mark.remove();
        points.delete(key);
      }
      select();
    }
    function bounds() {
      const box = L.latLngBounds([...points.values()].map(({ mark }) => mark.getLatLng()));
      return around(box, points.size, () => areas?.getBounds());
    }

    // The mark of the page's selected row, above the others and within the map.
    let selected;
    function select() {
      const mark = points.get(place.dataset.selected)?.mark;
      if (selected !== mark) {
        selected?.getElement()?.classList.remove("selected");
        selected?.setZIndexOffset(0);
      }
      selected = mark;
      for (const row of document.querySelectorAll("[data-show].on")) row.classList.remove("on");
      rowOf(place.dataset.selected)?.classList.add("on");
      if (!mark) return;
      mark.getElement().classList.add("selected");
      mark.setZIndexOffset(3000);
    }
    new MutationObserver(() => {
      select();
      selected && map.panInside(selected.getLatLng(), { ...room(map), animate: !isCalm });
      rowOf(place.dataset.selected)?.scrollIntoView({ block: "nearest" });
    }).observe(place, { attributeFilter: ["data-selected"] });
    // A row shows its mark while it is pointed at.
    const point = (isOn) => ({ target }) => {
      const id = target.closest?.("[data-show]")?.dataset.show;
      points.get(id)?.mark.getElement()?.classList.toggle("on", isOn);
    };
    for (const name of ["pointerover", "focusin"]) document.addEventListener(name, point(true));
    for (const name of ["pointerout", "focusout"]) document.addEventListener(name, point(false));
    // A link to the map itself selects the mark of its row.
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[data-show][href^='#']");
      const mark = link && points.get(link.dataset.show)?.mark;
      if (!mark) return;
      event.preventDefault();
      place.scrollIntoView({ block: "nearest" });
      map.setView(mark.getLatLng(), Math.max(map.getZoom(), 15), { animate: false });
      place.dataset.selected = link.dataset.show;
      mark.getElement().focus({ preventScroll: true });
    });
    return { update, bounds };
  }

  async function load(place, isAgain) {
    const nothing = { type: "FeatureCollection", features: [] };
    if (!place.dataset.source) return nothing;
    try {
      const headers = isAgain ? { "x-page-refresh": "1" } : {};
      const answer = await fetch(place.dataset.source, { credentials: "same-origin", headers });
      if (answer.ok) return await answer.json();
    } catch {
      // Offline the map stays empty, but the table next to it does not.
    }
    // A failed request does not remove existing markers.
    return isAgain ? null : nothing;
  }

  // The map mirrors tables: it updates on the same events, every few seconds at most.
  function follow(map, place, source) {
    let isWaiting = false;
    // Nothing competes with a finger that moves the map.
    let isDragged = false;
    map.on("dragstart dragend", ({ type }) => { isDragged = type === "dragstart"; });
    async function renew(milliseconds) {
      if (isWaiting || isDragged) return;
      isWaiting = true;
      await new Promise((goOn) => setTimeout(goOn, milliseconds));
      const data = await load(place, true);
      if (data) await source.update(data);
      isWaiting = false;
    }
    const { every, still, follows } = place.dataset;
    if (every) {
      // Nobody sees what moves on a map that is scrolled away.
      let isOnScreen = true;
      new IntersectionObserver((all) => { isOnScreen = all.at(-1).isIntersecting; }).observe(place);
      const box = make("input");
      box.type = "checkbox";
      box.checked = isCalm;
      place.appendChild(make("label", "", still)).prepend(box);
      setInterval(() => {
        if (isOnScreen && !document.hidden && !box.checked) renew(0);
      }, every * 1000);
    }
    document.addEventListener("refreshed", ({ target }) => {
      if (follows && target.dataset.live?.split(" ").includes(follows)) renew(3000);
    });
  }

  async function start(place) {
    await isSeen(place);
    const coming = load(place);
    await idle();
    // Without the library, as offline, the still picture stays.
    if (!await loadLibrary().then(() => true, () => false)) return;
    await drawn();
    await calm();
    const map = makeMap(place);
    await pause();
    const { places, source: address, follows, every, zone, at, zoom } = place.dataset;
    const data = await coming;
    map.fills = Boolean(every) && !places;
    // Pins and their labels need room at the edges; areas do not.
    const shapes = places || zone || every || follows ? [] : data.features ?? [];
    map.isPlain = shapes.length > 0
      && shapes.every(({ geometry }) => geometry?.type.endsWith("Polygon"));
    if (places) followPlaces(map, places);
    else if (at) map.setView(at.split(",").map(Number), Number(zoom));
    else {
      // Drawing the whole city first would take as long again, and ask for tiles that nobody sees.
      const first = address && !zone && !every ? boundsOf(data) : null;
      if (first) map.content = () => first;
      fit(map);
    }
    // A map around a chosen point stays there when its size changes.
    if (at) map.isMoved = true;
    await pause();
    addTiles(map, place);
    await pause();
    if (address) {
      const source = makeSource(map, place);
      await source.update(data);
      // What is marked on a page with an area is in it.
      if (!zone && !every && (!places || source.bounds())) {
        const isFitted = Boolean(map.content());
        map.content = source.bounds;
        if (places || !isFitted) fit(map);
      }
      if (follows || every) follow(map, place, source);
    }
    map.isReady = true;
    const icon = (kind) => kind === "locate" ? locateIcon() : markDrawing(kind);
    const detail = { map, data, style: shapeStyle, icon };
    await scriptsRun;
    place.dispatchEvent(new CustomEvent("mapready", { bubbles: true, detail }));
  }

  // Scripts after this one, such as that of the pin, listen for "mapready" once they have run.
  const scriptsRun = new Promise((run) => {
    if (document.readyState === "complete") run();
    else document.addEventListener("DOMContentLoaded", run, { once: true });
  });
  const started = new WeakSet();
  function startAll() {
    if (!words.library) return;
    for (const place of document.querySelectorAll("[data-map]")) {
      if (started.has(place)) continue;
      started.add(place);
      start(place);
    }
  }
  startAll();
  // A page may get its map later, or another one.
  document.addEventListener("refreshed", startAll);
})();
