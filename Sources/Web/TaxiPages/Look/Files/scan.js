// Reads the code of a pass with the camera, where the browser knows codes. Nothing but the code
// that is read leaves the device, and the field can be typed in as before.
"use strict";
(() => {
  const button = document.getElementById("scan-button");
  const field = document.getElementById("field-code");
  const words = button.dataset;
  const said = document.getElementById("scan-said");
  const say = (text) => { said.textContent = text; };
  // How often the picture is looked at, and after how long the camera is given up, in milliseconds.
  const pause = 200;
  const patience = 60000;

  if (!("BarcodeDetector" in window && navigator.mediaDevices?.getUserMedia)) return;
  button.hidden = false;

  // The camera while it is on; a press on the button ends it.
  let end = null;

  async function scan() {
    const video = document.createElement("video");
    video.playsInline = true;
    video.muted = true;
    video.className = "still";
    video.setAttribute("aria-label", words.picture);
    let isOver = false;
    let stream = null;
    const label = button.textContent;
    end = () => {
      isOver = true;
      stream?.getTracks().forEach((track) => track.stop());
      video.remove();
      button.textContent = label;
      end = null;
    };
    button.textContent = words.stop;
    say(words.looking);
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch {
      end?.();
      return say(words.denied);
    }
    // It was stopped, or the page left, before the camera was permitted.
    if (isOver) return stream.getTracks().forEach((track) => track.stop());
    video.srcObject = stream;
    said.after(video);
    try {
      const detector = new BarcodeDetector();
      await video.play();
      const until = Date.now() + patience;
      while (!isOver && Date.now() < until) {
        const code = (await detector.detect(video))[0]?.rawValue.trim();
        if (isOver) return;
        if (code) {
          // A code that the field cannot hold is not that of a pass.
          if (code.length > Number(words.limit)) {
            say(words.none);
          } else {
            field.value = code;
            end();
            say(words.found);
            return field.focus();
          }
        }
        await new Promise((resume) => setTimeout(resume, pause));
      }
      if (!isOver) say(words.none);
    } catch {
      say(words.none);
    }
    end?.();
  }

  button.addEventListener("click", () => {
    if (!end) return scan();
    end();
    say("");
  });
  addEventListener("pagehide", () => end?.());
})();
