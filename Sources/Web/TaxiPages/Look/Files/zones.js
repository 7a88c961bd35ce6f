// The zone editor: corners of a border on a map. The form beside it does the same without a map.
"use strict";
(() => {
  const words = document.getElementById("zones-script").dataset;
  const make = (name, className, text) => {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text ?? "";
    return element;
  };

  // All rings of a zone in GeoJSON order, without the repeated last vertex.
  function borders(feature) {
    const geometry = feature?.geometry;
    if (!geometry) return [];
    const areas = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    return areas.flat().map((ring) => ring.slice(0, -1).map(([x, y]) => [y, x]));
  }

  const degrees = (number) => String(Number(number.toFixed(7)));

  // The table of vertices is authoritative: the map displays it and writes changes into it.
  function editZone(map, place, form, feature, style) {
    const table = form.querySelector("[data-vertices]");
    const field = (row, name) => row.querySelector(`[name=${name}]`);
    const first = Number(form.dataset.first);
    const count = Number(form.elements.count.value);
    const all = borders(feature);
    const border = all[Number(form.dataset.border)] ?? [];
    const before = border.slice(0, first);
    const after = border.slice(first + count);
    const template = table.rows[0].cloneNode(true);
    const others = all.filter((_, number) => number !== Number(form.dataset.border));
    L.polygon(others, { ...style(), interactive: false }).addTo(map);
    const area = L.polygon([], { ...style(), interactive: false }).addTo(map);
    // An invisible line that is wide enough to touch.
    const edge = L.polyline([], { weight: 28, opacity: 0, bubblingMouseEvents: false }).addTo(map);
    const markers = L.layerGroup().addTo(map);
    const status = make("p", "hidden");
    status.setAttribute("role", "status");
    const steps = { undo: [], redo: [] };
    let marks = [];
    let now = read();

    function read() {
      return [...table.rows].map((row) => [
        field(row, "latitude").value, field(row, "longitude").value,
      ]);
    }
    const located = ([latitude, longitude]) => {
      const at = [latitude, longitude].map((text) => Number(text.trim().replace(",", ".")));
      const isPlace = latitude.trim() && longitude.trim()
        && Math.abs(at[0]) <= 90 && Math.abs(at[1]) <= 180;
      return isPlace ? at : null;
    };
    const corners = () => read().map(located);

    function number(row, index) {
      const shown = first + index + 1;
      row.id = `vertex-${shown}`;
      row.cells[0].textContent = shown;
      for (const item of row.querySelectorAll("[aria-label]")) {
        item.setAttribute("aria-label", item.getAttribute("aria-label").replace(/\d+/, shown));
      }
      for (const button of row.querySelectorAll("button")) {
        button.value = button.value.replace(/\d+$/, index);
      }
    }

    function write(values) {
      while (table.rows.length > values.length) table.deleteRow(-1);
      while (table.rows.length < values.length) table.append(template.cloneNode(true));
      values.forEach(([latitude, longitude], index) => {
        const row = table.rows[index];
        number(row, index);
        for (const [name, value] of [["latitude", latitude], ["longitude", longitude]]) {
          field(row, name).value = value;
          field(row, name).removeAttribute("aria-invalid");
        }
      });
    }

    function drawArea() {
      const line = [...before, ...corners().filter(Boolean), ...after];
      area.setLatLngs(line);
      edge.setLatLngs(line.length ? [...line, line[0]] : []);
    }

    // Vertices too close to others for a touch are hidden at this zoom level. The table has them
    // all, and the focused one is always visible.
    function draw(focused) {
      drawArea();
      markers.clearLayers();
      const all = corners();
      const point = (at) => map.latLngToLayerPoint(at);
      const shown = all[focused] ? [point(all[focused])] : [];
      marks = all.map((at, index) => {
        if (!at) return null;
        if (index !== focused) {
          if (shown.some((other) => other.distanceTo(point(at)) < 34)) return null;
          shown.push(point(at));
        }
        return mark(at, index);
      });
    }
    map.on("zoomend", () => draw());

    // Saves the current state for undo.
    function commit(words, focused) {
      steps.undo.push(now);
      steps.redo = [];
      now = read();
      finish(words, focused);
    }

    function finish(words, focused) {
      const last = focused == null ? undefined : Math.min(focused, table.rows.length - 1);
      draw(last);
      showSteps();
      if (words) status.textContent = words;
      if (last != null) marks[last]?.getElement()?.focus();
    }

    function put(index, at) {
      field(table.rows[index], "latitude").value = degrees(at.lat);
      field(table.rows[index], "longitude").value = degrees(at.lng);
    }

    function remove(index) {
      if (before.length + after.length + table.rows.length <= 3 || table.rows.length === 1) {
        status.textContent = words.few;
        return;
      }
      write(read().filter((_, other) => other !== index));
      commit(words.removed, index);
    }

    function mark(at, index) {
      const name = `${words.vertex} ${first + index + 1}`;
      const icon = L.divIcon({ className: "vertex", iconSize: [32, 32] });
      const marker = L.marker(at, { icon, draggable: true, title: name, autoPan: true });
      marker.addTo(markers);
      const element = marker.getElement();
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", name);
      marker.on("drag", () => { put(index, marker.getLatLng()); drawArea(); });
      marker.on("dragend", () => commit(words.moved, index));
      element.addEventListener("focus", () => table.rows[index]?.classList.add("on"));
      element.addEventListener("blur", () => table.rows[index]?.classList.remove("on"));
      element.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 20 : 2;
        const move = {
          ArrowUp: [0, -step], ArrowDown: [0, step], ArrowLeft: [-step, 0], ArrowRight: [step, 0],
        }[event.key];
        if (!move && event.key !== "Delete") return;
        event.preventDefault();
        event.stopPropagation();
        if (!move) return remove(index);
        const point = map.latLngToContainerPoint(marker.getLatLng()).add(move);
        put(index, map.containerPointToLatLng(point));
        commit(words.moved, index);
      });
      return marker;
    }

    // Insert a vertex into the nearest edge that has an end in the table.
    edge.on("click", (event) => {
      const known = corners();
      const point = map.latLngToLayerPoint(event.latlng);
      const end = after[0] ?? before[0] ?? known[0];
      let best = { distance: Infinity, index: 0 };
      known.forEach((at, index) => {
        const next = index + 1 < known.length ? known[index + 1] : end;
        if (!at || !next) return;
        const [from, to] = [at, next].map((corner) => map.latLngToLayerPoint(corner));
        const distance = L.LineUtil.pointToSegmentDistance(point, from, to);
        if (distance < best.distance) best = { distance, index: index + 1 };
      });
      if (best.distance > 20) return;
      const values = read();
      values.splice(best.index, 0, [degrees(event.latlng.lat), degrees(event.latlng.lng)]);
      write(values);
      commit(words.added, best.index);
    });

    // The map follows typing. Leaving the field completes an undo step.
    table.addEventListener("input", () => draw());
    table.addEventListener("change", () => commit());
    table.addEventListener("focusin", (event) => {
      const marker = marks[event.target.closest("tr")?.sectionRowIndex];
      marker?.getElement()?.classList.add("on");
      if (marker && !map.getBounds().contains(marker.getLatLng())) map.panTo(marker.getLatLng());
    });
    table.addEventListener("focusout", () => {
      for (const marker of marks) marker?.getElement()?.classList.remove("on");
    });

    const buttons = {};
    function showSteps() {
      for (const name of ["undo", "redo"]) {
        buttons[name].setAttribute("aria-disabled", String(!steps[name].length));
      }
    }
    function step(from, to) {
      const values = steps[from].pop();
      if (!values) return;
      steps[to].push(now);
      now = values;
      write(values);
      finish(words[from]);
    }
    // Keep vertices clear of the zoom buttons, where they could not be dragged.
    const room = { paddingTopLeft: [40, 40], paddingBottomRight: [80, 40] };
    const fit = () => map.fitBounds(area.getBounds(), room);
    const row = make("p", "actions");
    for (const [name, act] of [
      ["undo", () => step("undo", "redo")], ["redo", () => step("redo", "undo")], ["fit", fit],
    ]) {
      buttons[name] = row.appendChild(make("button", "", words[name]));
      buttons[name].type = "button";
      buttons[name].addEventListener("click", act);
    }
    place.prepend(make("p", "hint", words.help), row, status);
    showSteps();
    draw();
    // Start with the part of the border in the table, so that its vertices are well separated.
    const own = corners().filter(Boolean);
    if (own.length) map.fitBounds(L.latLngBounds(own), room);
  }

  document.addEventListener("mapready", ({ target: place, detail: { map, data, style } }) => {
    const form = document.querySelector("form[data-zone-editor]");
    if (!form?.querySelector("[data-vertices] tr") || !place.dataset.zone) return;
    const feature = data.features?.find(({ id }) => String(id) === place.dataset.zone);
    editZone(map, place, form, feature, style);
  });
})();
