"""Live feeds for servers under test: files over HTTP, and what they say about Milan."""

import datetime
import http.server
import json
import subprocess
import threading
from email.utils import format_datetime

from pages import data_folder
from site_under_test import PROGRAMS, ROOT

# The timetable of October 2014, moved to the days of the tests' clock.
WEEKS = 638


class FeedServer:
    """Publishes files, which a test may change."""

    def __init__(self):
        self.files = {}
        files = self.files

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = files.get(self.path.partition("?")[0])
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, path):
        return f"http://127.0.0.1:{self.server.server_port}{path}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def import_milan(folder):
    """Milan's streets and its public transport as a city file; nothing without the real data."""
    data = data_folder(ROOT) / "milan"
    if not (data / "atm_gtfs_2014.zip").exists():
        return None
    city = folder / "milan.city"
    subprocess.run(
        [PROGRAMS / "viavai", "city", "import", "--osm", data / "milan.osm.pbf"]
        + ["--gtfs", f"{data / 'atm_gtfs_2014.zip'}@+{WEEKS}w", "--out", city],
        check=True,
        capture_output=True,
    )
    return city


def drive(city, start, end, moment, traffic):
    """The drive between two places as the command line finds it, in a file of traffic."""
    answer = subprocess.run(
        [PROGRAMS / "viavai", "plan", "--city", city, "--from", start, "--to", end]
        + ["--depart", f"{moment:%Y-%m-%dT%H:%M}", "--modes", "car", "--json"]
        + ["--traffic", traffic],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(answer.stdout)["itineraries"][0]


def decoded(text):
    """The points of an encoded polyline (precision 5), as latitudes and longitudes."""
    points, values, position = [], [0, 0], 0
    while position < len(text):
        for axis in (0, 1):
            number, shift = 0, 0
            while True:
                bits = ord(text[position]) - 63
                position += 1
                number |= (bits & 31) << shift
                shift += 5
                if bits < 32:
                    break
            values[axis] += ~(number >> 1) if number & 1 else number >> 1
        points.append((values[0] / 1e5, values[1] / 1e5))
    return points


def line(points, hours, kmh):
    """A street of a table of traffic; points are pairs of latitude and longitude."""
    return {
        "type": "Feature",
        "geometry": {"type": "LineString", "coordinates": [[x, y] for y, x in points]},
        "properties": {"speeds": [{"hours": hours, "kmh": kmh}]},
    }


def sharing(base, stations, now):
    """The files of shared bicycles at stations (GBFS 2.3), by their paths below an address.

    A station is its name, latitude, longitude, bicycles and free docks.
    """
    files = {
        "system_information": {
            "system_id": "bici",
            "language": "it",
            "name": "BiciMi",
            "timezone": "Europe/Rome",
        },
        "vehicle_types": {
            "vehicle_types": [
                {
                    "vehicle_type_id": "bicycle",
                    "form_factor": "bicycle",
                    "propulsion_type": "human",
                    "default_pricing_plan_id": "ride",
                }
            ]
        },
        "system_pricing_plans": {
            "plans": [
                {
                    "plan_id": "ride",
                    "name": "Corsa",
                    "currency": "EUR",
                    "price": 1.5,
                    "is_taxable": False,
                }
            ]
        },
        "station_information": {
            "stations": [
                {
                    "station_id": name,
                    "name": name,
                    "lat": latitude,
                    "lon": longitude,
                    "rental_uris": {"web": f"https://rent.example/?station={name}&type=bicycle"},
                }
                for name, latitude, longitude, _, _ in stations
            ]
        },
        "station_status": {
            "stations": [
                {
                    "station_id": name,
                    "num_bikes_available": bicycles,
                    "vehicle_types_available": [
                        {"vehicle_type_id": "bicycle", "count": bicycles}
                    ],
                    "num_docks_available": docks,
                    "is_installed": True,
                    "is_renting": True,
                    "is_returning": True,
                    "last_reported": now,
                }
                for name, _, _, bicycles, docks in stations
            ]
        },
    }
    head = {"last_updated": now, "ttl": 60, "version": "2.3"}
    index = {"it": {"feeds": [{"name": name, "url": f"{base}/{name}.json"} for name in files]}}
    return {
        f"/{name}.json": json.dumps(head | {"data": data}).encode()
        for name, data in {"gbfs": index, **files}.items()
    }


def table(lines):
    return json.dumps({"type": "FeatureCollection", "features": lines}).encode()


def forecast(day, rain, zone):
    """The forecast from a day on in the form of Open-Meteo: rain in some of its hours."""
    midnight = datetime.datetime.combine(day, datetime.time(0), zone)
    hours = [midnight + datetime.timedelta(hours=hour) for hour in range(120)]
    utc = [hour.astimezone(datetime.timezone.utc) for hour in hours]
    wet = [hour.date() == day and hour.hour in rain for hour in hours]
    return json.dumps(
        {
            "latitude": 45.46,
            "longitude": 9.19,
            "utc_offset_seconds": 0,
            "timezone": "GMT",
            "hourly_units": {"precipitation": "mm", "precipitation_probability": "%"},
            "hourly": {
                "time": [f"{hour:%Y-%m-%dT%H:%M}" for hour in utc],
                "precipitation": [2.0 if is_wet else 0.0 for is_wet in wet],
                "precipitation_probability": [90 if is_wet else 0 for is_wet in wet],
            },
        }
    ).encode()


def strike(day, hours, published):
    """The Italian register with a strike of Milan's public transport on a day."""
    date = f"{day:%d/%m/%Y}"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Elenco Scioperi in Programma</title>
<pubDate>{format_datetime(published.astimezone(datetime.timezone.utc))}</pubDate>
<item><title>Data inizio: {date} - Settore: Trasporto pubblico locale - Rilevanza: Locale - \
Regione: Lombardia - Provincia: Milano</title>
<description><![CDATA[modalità: {hours}<br/>Data fine: {date}<br/>\
Settore: Trasporto pubblico locale<br/>Rilevanza: Locale<br/>Regione: Lombardia<br/>\
Provincia: Milano<br/>Sindacati: OSR FILT-CGIL<br/>\
Categoria interessata: PERSONALE SOC. ATM DI MILANO<br/>Data proclamazione: 28/12/2026<br/>\
Data ricezione: 28/12/2026]]></description>
<guid>http://scioperi.mit.gov.it/{day:%j}</guid></item></channel></rss>""".encode()
