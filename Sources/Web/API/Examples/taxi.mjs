// Calls a taxi for a guest and follows the ride to its end.
//
// Run it with VIAVAI_SERVER, the address of the city, and VIAVAI_KEY, the key of the application:
// node taxi.mjs "45.4641, 9.1919" "45.4840, 9.2040" "+39 333 1234567"
const server = process.env.VIAVAI_SERVER.replace(/\/$/, "");
const [from, to, contact] = process.argv.slice(2);

async function ask(path, fields) {
  const headers = { Authorization: `Bearer ${process.env.VIAVAI_KEY}` };
  const request = { headers, signal: AbortSignal.timeout(60_000) };
  if (fields) {
    headers["Content-Type"] = "application/json";
    // With its key, a request whose answer is lost can be sent again.
    headers["Idempotency-Key"] = crypto.randomUUID();
    Object.assign(request, { method: "POST", body: JSON.stringify(fields) });
  }
  const answer = await fetch(`${server}/api/${path}`, request);
  const value = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${value.detail}`);
  return value;
}

let ride = await ask("rides", { from, to, contact });
while (ride.state !== "ended") {
  console.log(ride.state, ride.taxi?.plate ?? "");
  ride = await ask(`rides/${ride.request}/wait?state=${ride.state}`);
}
console.log(ride.outcome, ride.fare?.text ?? "");
