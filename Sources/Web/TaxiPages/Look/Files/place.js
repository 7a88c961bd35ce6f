// The device's position as the pickup point, on request. The form always accepts an address too.
"use strict";
(() => {
  const words = document.getElementById("place-script").dataset;
  const row = document.getElementById("locating");
  const button = document.createElement("button");
  button.type = "button";
  button.id = "locate";
  button.textContent = words.use;
  const told = document.createElement("span");
  told.setAttribute("role", "status");
  row.append(button, " ", told);
  const field = document.getElementById("field-from");
  const { latitude, longitude, accuracy } = field.form.elements;
  const say = (text) => { told.textContent = text; };

  function forget() {
    for (const one of [latitude, longitude, accuracy]) one.value = "";
  }
  // A typed address overrides a measured position.
  field.addEventListener("input", () => { forget(); say(""); });

  function instead(text) {
    forget();
    say(text);
    field.focus();
  }

  // Suggests places during typing. A chosen one carries its identifier, so that the server does not
  // ask again which place is meant.
  for (const typed of document.querySelectorAll("#field-from, #field-to")) {
    const list = document.createElement("datalist");
    list.id = `${typed.id}-list`;
    typed.after(list);
    typed.setAttribute("list", list.id);
    const id = document.createElement("input");
    id.type = "hidden";
    id.name = `${typed.name}-id`;
    typed.after(id);
    let places = [];
    typed.addEventListener("input", async () => {
      const chosen = places.find(({ shown }) => shown === typed.value);
      id.value = chosen?.id ?? "";
      if (chosen) typed.value = chosen.name;
      const text = typed.value;
      if (chosen) return;
      await new Promise((goOn) => setTimeout(goOn, 250));
      if (typed.value !== text || text.length < 3 || text.length > 100) return;
      const headers = { "x-place": encodeURIComponent(text) };
      const answer = await fetch("/taxi/suggestions.json", { headers }).catch(() => null);
      const found = answer?.ok ? await answer.json() : [];
      if (typed.value !== text) return;
      places = found;
      list.replaceChildren(...found.map(({ shown }) => new Option(shown)));
    });
  }

  button.addEventListener("click", () => {
    if (!navigator.geolocation) return instead(words.none);
    say(words.busy);
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      const metres = Math.ceil(coords.accuracy);
      const allowed = Number(words.allowed);
      if (allowed >= 0 && metres > allowed) return instead(words.vague.replace("%", metres));
      latitude.value = coords.latitude.toFixed(7);
      longitude.value = coords.longitude.toFixed(7);
      accuracy.value = metres;
      field.value = "";
      say(words.found.replace("%", metres));
    }, ({ code }) => instead(code === 1 ? words.denied : words.none), {
      enableHighAccuracy: true, maximumAge: 10000, timeout: 15000,
    });
  });
})();
