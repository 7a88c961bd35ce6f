// Choosing a point: a map that moves under a fixed pin, with the address below the pin.
"use strict";
