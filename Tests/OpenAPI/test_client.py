"""A client that a well-known generator makes from the document plays the scenarios of
Tests/WebAppTests/Demo/APIScenarioTests.swift."""

import datetime
import importlib
import pathlib
import subprocess
import sys
import time

import pytest

# The clock of the sandbox is 20 times as fast: a ride takes a minute or two.
RIDE_LIMIT = 300


@pytest.fixture(scope="session")
def generated(server, tmp_path_factory):
    """The package with the client."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "config.yaml").write_text("post_hooks: []\n")
    program = pathlib.Path(sys.executable).with_name("openapi-python-client")
    ran = subprocess.run(
        [program, "generate", "--url", server + "/api/openapi.json", "--meta", "none"]
        + ["--output-path", folder / "city_client", "--config", folder / "config.yaml"],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Warning" not in ran.stdout + ran.stderr, ran.stdout + ran.stderr
    sys.path.insert(0, str(folder))
    return importlib.import_module("city_client")


class Caller:
    """Calls operations with a key or token, by their names."""

    def __init__(self, generated, server, token):
        self.package = generated.__name__
        self.client = generated.AuthenticatedClient(base_url=server, token=token, timeout=60)

    def body(self, name, fields):
        models = importlib.import_module(f"{self.package}.models")
        words = "".join(part.capitalize() for part in name.replace(".", "_").split("_"))
        return getattr(models, words + "Body").from_dict(fields)

    def call(self, group, name, body=None, **fields):
        module = importlib.import_module(
            f"{self.package}.api.{group}.{name.replace('.', '_')}"
        )
        if body is not None:
            fields["body"] = self.body(name, body)
        answer = module.sync_detailed(client=self.client, **fields)
        assert answer.status_code in (200, 201), f"{name}: {answer.content}"
        return answer.parsed

    def follow(self, request):
        """The states of a ride until it ends, and the ended ride."""
        states = []
        end = time.monotonic() + RIDE_LIMIT
        while time.monotonic() < end:
            ride = self.call("rides", "rides.read", request=request)
            if not states or states[-1] != ride.state:
                states.append(ride.state)
            if ride.state == "ended":
                return states, ride
            time.sleep(0.5)
        raise AssertionError(f"the ride does not end: {states}")


def test_a_hotel_calls_a_taxi_for_a_guest(generated, sandbox):
    desk = Caller(generated, sandbox.server, sandbox.key)
    start, end = sandbox.places["from"], sandbox.places["to"]
    estimate = desk.call("rides", "rides.estimate", from_=start, to=end)
    assert estimate.fare.minor_units > 0
    called = desk.call("rides", "rides.call", {**sandbox.places, "contact": "+39 333 1234567"})
    states, last = desk.follow(called.request)
    assert "aboard" in states, states
    assert last.outcome == "completed"
    receipt = desk.call("rides", "rides.receipt", request=called.request)
    assert receipt.text
    assert called.request in [ride.request for ride in desk.call("rides", "rides.list").items]


def test_a_traveller_plans_a_trip_and_keeps_an_appointment(generated, sandbox):
    traveller = Caller(generated, sandbox.server, sandbox.token)
    start, end = sandbox.places["from"], sandbox.places["to"]
    plan = traveller.call("places_and_trips", "trips.plan", from_=start, to=end)
    assert plan.itineraries
    day = "2099-01-16"
    event = {"title": "Visit", "date": day, "time": "10:00", "minutes": 45}
    added = traveller.call("calendar", "calendar.add", event)
    changed = traveller.call(
        "calendar", "calendar.change", {"time": "11:00", "minutes": 30}, event=added.event
    )
    assert (changed.ends - changed.starts).total_seconds() == 1_800
    date = datetime.date.fromisoformat(day)
    listed = traveller.call("calendar", "calendar.list", first=date, last=date)
    assert [one.title for one in listed.items] == ["Visit"]
    planned = traveller.call("calendar", "calendar.day", date=date)
    assert [task.uid for task in planned.tasks] == [changed.uid]
    traveller.call("calendar", "calendar.remove", event=added.event)
    assert traveller.call("calendar", "calendar.list", first=date, last=date).items == []
    called = traveller.call("rides", "rides.call", sandbox.places)
    assert traveller.follow(called.request)[1].outcome == "completed"
