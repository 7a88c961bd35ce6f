// Choosing a point: a map that moves under a fixed pin, with the address of the point.
"use strict";
document.addEventListener("mapready", ({ target: place, detail: { map, icon } }) => {
  const form = document.getElementById("pin");
  if (!form || !place.dataset.pin) return;
  const address = document.getElementById("pin-address");
  const { latitude, longitude } = form.elements;
  const pin = document.createElement("div");
  pin.className = `point drawn ${place.dataset.pin} fixed-pin`;
  pin.append(icon(place.dataset.pin));
  map.getContainer().append(pin);
  for (const still of document.querySelectorAll(".pin-still")) still.hidden = true;

  let asked = 0;
  let timer;
  function take() {
    const { lat, lng } = map.getCenter().wrap();
    latitude.value = lat.toFixed(7);
    longitude.value = lng.toFixed(7);
    return `${latitude.value},${longitude.value}`;
  }
  async function tell() {
    const at = take();
    const number = ++asked;
    const answer = await fetch("/places/address.json", { headers: { "x-position": at } })
      .catch(() => null);
    const found = answer?.ok ? await answer.json() : {};
    if (number !== asked) return;
    address.textContent = found.address ?? `${address.dataset.none} (${at.replace(",", ", ")})`;
    address.removeAttribute("aria-busy");
  }
  map.on("movestart", () => {
    pin.classList.add("lifted");
    address.setAttribute("aria-busy", "true");
  });
  map.on("moveend", () => {
    pin.classList.remove("lifted");
    take();
    clearTimeout(timer);
    timer = setTimeout(tell, 300);
  });
  tell();

  // The device's position moves the map, and the person still decides.
  if (!navigator.geolocation) return;
  const button = document.createElement("button");
  button.type = "button";
  button.id = "locate";
  button.className = "recentre round";
  button.title = place.dataset.locate;
  button.setAttribute("aria-label", place.dataset.locate);
  button.append(icon("locate"));
  button.addEventListener("click", () => {
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      map.setView([coords.latitude, coords.longitude], Math.max(17, map.getZoom()));
    }, () => {}, { enableHighAccuracy: true, maximumAge: 10000, timeout: 15000 });
  });
  map.getContainer().append(button);
});
