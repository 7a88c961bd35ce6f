// Place fields: suggestions while somebody types, and the device's position on request. The form
// always accepts a typed address too.
"use strict";
(() => {
  const words = document.getElementById("place-script").dataset;
  const told = document.getElementById("located") ?? document.createElement("span");
  const say = (text) => { told.textContent = text; };
  const fresh = (address, headers) =>
    fetch(address, { headers }).then((answer) => answer.ok ? answer.json() : null, () => null);
  // The measured position, from which distances count.
  let here = "";

  // --- Suggestions: a combobox with a list (WAI-ARIA) --------------------------------------------

  // Returns how to say that a script has filled the field in, with what the form sends as its ID.
  function suggest(typed) {
    const list = document.createElement("ul");
    list.id = `${typed.id}-list`;
    list.className = "suggestions";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", typed.labels[0]?.firstChild?.textContent.trim() ?? "");
    list.hidden = true;
    (typed.closest(".end, .field") ?? typed.parentElement).append(list);
    const id = document.createElement("input");
    id.type = "hidden";
    id.name = `${typed.name}-id`;
    // What was typed when the place was suggested: the place is found by it again.
    const query = id.cloneNode();
    query.name = `${typed.name}-typed`;
    typed.after(id, query);
    for (const [name, value] of Object.entries({
      role: "combobox", autocomplete: "off", "aria-autocomplete": "list",
      "aria-expanded": "false", "aria-controls": list.id,
    })) typed.setAttribute(name, value);
    let places = [];
    let at = -1;

    function close() {
      list.hidden = true;
      at = -1;
      typed.setAttribute("aria-expanded", "false");
      typed.removeAttribute("aria-activedescendant");
    }
    function open() {
      if (!places.length) return close();
      list.hidden = false;
      typed.setAttribute("aria-expanded", "true");
      list.scrollIntoView({ block: "nearest" });
    }
    function mark(number) {
      at = number;
      [...list.children].forEach((item, index) => {
        item.setAttribute("aria-selected", String(index === at));
      });
      const item = list.children[at];
      if (!item) return typed.removeAttribute("aria-activedescendant");
      typed.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    }
    function fill(text, key) {
      typed.value = text;
      id.value = key;
      places = [];
      close();
    }
    function choose(number) {
      const place = places[number];
      if (!place) return;
      query.value = typed.value;
      // A chosen pickup replaces a measured position.
      typed.dispatchEvent(new CustomEvent("chosen"));
      fill(place.name, place.id);
    }

    typed.addEventListener("input", async () => {
      id.value = "";
      const text = typed.value;
      if (text.trim().length < 2 || text.length > 100) {
        places = [];
        return close();
      }
      await new Promise((goOn) => setTimeout(goOn, 200));
      if (typed.value !== text || id.value) return;
      const headers = { "x-place": encodeURIComponent(text) };
      if (here) headers["x-position"] = here;
      const found = await fresh("/places/suggestions.json", headers) ?? [];
      if (typed.value !== text || id.value || document.activeElement !== typed) return;
      places = found;
      list.innerHTML = found.map(({ html }) => html).join("");
      [...list.children].forEach((item, index) => { item.id = `${typed.id}-${index}`; });
      mark(-1);
      open();
    });
    typed.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      const isOpen = !list.hidden;
      const count = places.length;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && count) {
        event.preventDefault();
        if (!isOpen) open();
        // From the last suggestion the arrow leads back to what was typed, and on to the first.
        mark((at + step + 1 + count + 1) % (count + 1) - 1);
      } else if (event.key === "Enter" && isOpen && at >= 0) {
        event.preventDefault();
        choose(at);
      } else if (event.key === "Escape" && isOpen) {
        event.preventDefault();
        close();
      }
    });
    typed.addEventListener("blur", close);
    // A press must not take the focus from the field, which would close the list before the click.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      choose([...list.children].indexOf(event.target.closest("li")));
    });
    return fill;
  }
  const fills = {};
  for (const typed of document.querySelectorAll("#field-from, #field-to, #field-place")) {
    fills[typed.name] = suggest(typed);
  }

  // --- The device's position ---------------------------------------------------------------------

  // Only what starts somewhere can start or end here.
  const field = document.getElementById("field-from");
  if (!field) return;

  // Adds a button that fills the field of one end in with the position; returns what it does.
  function addLocator(typed, slot, parts, use, found) {
    const measured = ["latitude", "longitude", "accuracy"].map(
      (part) => typed.form.elements[parts + part]);
    const button = document.createElement("button");
    button.type = "button";
    button.id = `${parts}locate`;
    button.className = "plain round";
    button.title = use;
    button.setAttribute("aria-label", use);
    button.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12
    19a7 7 0 100-14 7 7 0 000 14zM12 2v3M12 19v3M2 12h3M19 12h3M12 13a1 1 0 100-2 1 1 0 000
    2z"/></svg>`;
    slot.append(button);
    if (!told.isConnected) {
      told.setAttribute("role", "status");
      button.after(told);
    }

    function forget() {
      for (const one of measured) one.value = "";
      say("");
    }
    // A typed or chosen address overrides a measured position.
    typed.addEventListener("input", forget);
    typed.addEventListener("chosen", forget);

    function locate(isAsked) {
      const fail = (text) => {
        button.removeAttribute("aria-busy");
        if (!isAsked) return;
        forget();
        say(text);
        typed.focus();
      };
      if (!navigator.geolocation) return fail(words.none);
      const before = typed.value;
      if (isAsked) say(words.busy);
      button.setAttribute("aria-busy", "true");
      navigator.geolocation.getCurrentPosition(async ({ coords }) => {
        const metres = Math.ceil(coords.accuracy);
        const allowed = Number(words.allowed);
        here = `${coords.latitude.toFixed(7)},${coords.longitude.toFixed(7)}`;
        if (allowed >= 0 && metres > allowed) return fail(words.vague.replace("%", metres));
        const place = await fresh("/places/address.json", { "x-position": here });
        button.removeAttribute("aria-busy");
        // What was typed meanwhile counts.
        if (typed.value !== before) return say("");
        const name = place?.address ?? here.replace(",", ", ");
        fills[typed.name](`${name} (±${metres} m)`, "here");
        [measured[0].value, measured[1].value] = here.split(",");
        measured[2].value = metres;
        say(found.replace("%", metres));
      }, ({ code }) => fail(code === 1 ? words.denied : words.none), {
        enableHighAccuracy: true, maximumAge: 10000, timeout: 15000,
      });
    }
    button.addEventListener("click", () => locate(true));
    return locate;
  }

  const locate = addLocator(field, document.getElementById("locating"), "", words.use, words.found);
  const goal = document.getElementById("field-to");
  if (goal?.form.elements["to-latitude"]) {
    const slot = document.createElement("span");
    slot.className = "locate";
    goal.closest(".end").append(slot);
    addLocator(goal, slot, "to-", words.useTo, words.foundTo);
  }

  // A pickup that the server only guessed gives way to the position, if the device may be asked
  // without a question to the person.
  if (document.querySelector("form[data-guess]")) {
    navigator.permissions?.query({ name: "geolocation" }).then(({ state }) => {
      if (state === "granted") locate(false);
    }, () => {});
  }
})();
