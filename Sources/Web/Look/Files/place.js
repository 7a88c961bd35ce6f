// Where a passenger is, when he asks for it; the form takes an address all the same.
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
  // What he writes counts, whatever was measured before.
  field.addEventListener("input", () => { forget(); say(""); });

  function instead(text) {
    forget();
    say(text);
    field.focus();
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
