"""Plans a trip, takes a taxi to the end of the ride, and notes the next visit in the calendar.

Run it with VIAVAI_SERVER, the address of the city, and VIAVAI_TOKEN, the token of a person, which
lasts as long as the sandbox, and ten minutes in the city:
python3 trip.py "45.4641, 9.1919" "45.4840, 9.2040"
"""

import datetime, json, os, sys, urllib.error, urllib.parse, urllib.request, uuid

SERVER, TOKEN = os.environ["VIAVAI_SERVER"].rstrip("/"), os.environ["VIAVAI_TOKEN"]

def ask(path, fields=None, **query):
    address = f"{SERVER}/api/{path}?{urllib.parse.urlencode(query)}"
    headers = {"Authorization": f"Bearer {TOKEN}"}
    if fields:  # With its key, a request whose answer is lost can be sent again.
        headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    body = json.dumps(fields).encode() if fields else None
    try:
        request = urllib.request.Request(address, body, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {json.load(error)['detail']}")

start, end = sys.argv[1:]
for trip in ask("plan", **{"from": start, "to": end})["itineraries"][:1]:
    print(f"By {trip['kind']} it takes {trip['durationSeconds'] // 60} minutes. Taking a taxi.")

ride = ask("rides", {"from": start, "to": end})
while ride["state"] != "ended":
    print(ride["state"], ride["taxi"]["plate"] if ride["taxi"] else "", flush=True)
    ride = ask(f"rides/{ride['request']}/wait", state=ride["state"])
if ride["outcome"] != "completed":
    sys.exit(f"No ride: {ride['outcome']}")
print(f"Arrived for {ride['fare']['text']}." if ride["fare"] else "Arrived.")

day = datetime.date.fromisoformat(ride["ended"][:10]) + datetime.timedelta(days=1)
place = {"latitude": ride["destination"]["lat"], "longitude": ride["destination"]["lon"]}
event = {"title": "Second visit", "date": f"{day}", "time": "10:00", "minutes": 45, **place}
print("Noted:", ask("calendar/events", event)["starts"])
