// Keys and the drawer of the console. Every page works without this script.
"use strict";
(() => {
  const search = document.querySelector("#console-find, main form[role=search] input");
  const isTyping = (element) => element.matches?.("input, select, textarea, [contenteditable]");
  const rows = () => [...document.querySelectorAll("a.pick")];

  // Arrows and j, k go through the rows; the browser opens the focused link with Enter.
  function step(by) {
    const all = rows();
    if (!all.length) return false;
    const isHere = (row) => row === document.activeElement;
    const place = all.findIndex(all.some(isHere) ? isHere : (row) => row.ariaCurrent === "true");
    const next = place < 0 ? (by > 0 ? 0 : all.length - 1) : place + by;
    all[Math.max(0, Math.min(all.length - 1, next))].focus();
    return true;
  }

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.isComposing) return;
    const isFind = (event.ctrlKey || event.metaKey) && key.toLowerCase() === "k";
    if (isFind || key === "/" && !isTyping(target) && !event.ctrlKey && !event.metaKey) {
      if (!search?.offsetParent) return;
      event.preventDefault();
      search.select();
      return search.focus();
    }
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (key === "Escape") {
      if (target === search) return search.blur();
      if (isTyping(target)) return;
      return document.querySelector(".drawer .shut")?.click();
    }
    // Within the map, arrows move the map.
    if (isTyping(target) || target.closest?.(".leaflet-container")) return;
    const isRow = target.matches?.("a.pick, body, h2");
    const by = key === "j" || key === "ArrowDown" && isRow ? 1
      : key === "k" || key === "ArrowUp" && isRow ? -1 : 0;
    if (by && step(by)) event.preventDefault();
  });

  // On a small map the legend waits until it is asked for. In a wider window the observer learns
  // the map's width, for which the script would have to lay out the page.
  const key = document.querySelector(".map-key");
  const width = new ResizeObserver(([{ target }]) => {
    width.disconnect();
    if (target.clientWidth < 700) key.open = false;
  });
  if (key && matchMedia("(max-width: 699px)").matches) key.open = false;
  else if (key) width.observe(key.parentElement);

  // Selecting a row changes the list and the drawer in place, so that the map stays as it is.
  const content = document.getElementById("content");
  const map = content?.querySelector("[data-map=operations]");
  if (!map || !window.history?.pushState) return;
  let turn = 0;
  let shown = location.pathname + location.search;
  async function show(address, isBack) {
    const own = ++turn;
    try {
      const answer = await fetch(address, { headers: { accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("content");
      const place = fresh?.querySelector("[data-map=operations]");
      if (own !== turn) return;
      if (!answer.ok || answer.redirected || !place) return location.assign(address);
      if (!isBack) history.pushState({}, "", address);
      shown = location.pathname + location.search;
      document.title = page.title;
      const last = content.querySelector("a.pick[aria-current]")?.id;
      const sheet = content.querySelector(".sheet");
      sheet.replaceChildren(...fresh.querySelector(".sheet").childNodes);
      content.querySelector(".drawer")?.remove();
      const drawer = fresh.querySelector(".drawer");
      if (drawer) content.append(drawer);
      map.dataset.selected = place.dataset.selected ?? "";
      const again = drawer ? drawer.querySelector("h2") : last && document.getElementById(last);
      again?.focus({ preventScroll: Boolean(drawer) });
      // On phones the drawer takes the place of the list.
      if (drawer) scrollTo(0, 0);
    } catch {
      location.assign(address);
    }
  }
  const isOwn = (link) => link.origin === location.origin && link.pathname === location.pathname;
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.pick, a.shut, .drawer a.row");
    if (!link || event.defaultPrevented || event.button || !isOwn(link)) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    show(link.href, false);
  });
  map.addEventListener("open-page", (event) => {
    const address = new URL(event.detail, location.href);
    if (!isOwn(address)) return;
    event.preventDefault();
    show(address.href, false);
  });
  // A skip link changes the fragment only.
  addEventListener("popstate", () => {
    if (location.pathname + location.search !== shown) show(location.href, true);
  });
})();
