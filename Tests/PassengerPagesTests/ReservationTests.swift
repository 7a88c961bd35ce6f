import Chronology
import Dispatching
import Drivers
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md 1.4, SA2, SA3, SB10, UA2, UA3 on pages without scripts, under both presets.
@Suite("Reservations on pages", .serialized)
struct ReservationTests {
    @Test(
        "SA2, SA3, SB10: reserved the day before, at 05:50 the first in the queue accepts (R81)",
        arguments: [Policy.milanoA, .milanoB]
    )
    func sb10(policy: Policy) async throws {
        try await RideTown.open(policy, taxis: 2) { town in
            let visitor = try await town.passenger()
            let form = try await visitor.get("/taxi?when=later")
            // Until a day is typed, the row says what is chosen.
            #expect(form.text.contains("<b>Reserve for later</b>"))
            for name in ["when", "date", "time", "to"] {
                #expect(form.text.contains("name=\"\(name)\""), "\(name)")
            }
            let span = policy == .milanoA ? "at most 15 days ahead" : "at most 48 hours ahead"
            #expect(form.text.contains(span), "\(form.text)")
            // Issue 30: both are needed, and the example is a day to come.
            for name in ["Day", "Time"] {
                let label = form.text.firstMatch(
                    of: try Regex("<label[^>]*>\(name)([^/]*)</label>")
                )
                #expect(label != nil && label?[1].substring?.contains("optional") == false)
            }
            #expect(form.text.contains("Such as 2027-01-16."))
            let check = try await town.fill(visitor, RideTown.later())
            #expect(check.text.contains("A taxi on Saturday 16 January, 06:00"), "\(check.text)")
            #expect(check.text.contains("Check your reservation"))
            #expect(check.text.contains("Corso Lungo 5") && check.text.contains("€"))
            // Nothing is sent before it is confirmed (R46).
            #expect(try await town.taxi.dispatch.read { $0.requests.isEmpty })
            let path = try await town.reserve(visitor)
            let booked = try await visitor.get(path + "?notice=booked")
            #expect(booked.text.contains("Your taxi is reserved."))
            // Issue 30: what was agreed is still shown.
            #expect(booked.text.contains("€"), "\(booked.text)")
            #expect(booked.text.contains("At 05:50 we ask the taxis"), "\(booked.text)")
            #expect(booked.text.contains("at most 20 times") == (policy == .milanoA))
            let list = try await visitor.get("/reservations")
            #expect(list.text.contains("You have 1 reservation"))
            #expect(list.text.contains("Saturday 16 January, 06:00"))
            // It does not get in the way: a taxi can still be called for now (R68).
            #expect(try await visitor.get("/taxi").text.contains("Where are you going?"))

            let due = try await town.due(path)
            try await town.wait(until: due.adding(seconds: -601))
            #expect(try await town.taxi.offer(to: town.taxis[0]) == nil)
            try await town.wait(seconds: 1)
            try await town.untilAsked(town.taxis[0])
            #expect(try await visitor.get(path).text.contains("Asking the first taxi in line"))
            try await town.accept(town.taxis[0])
            let found = try await visitor.get(path)
            #expect(found.text.contains("Your taxi arrives in about"), "\(found.text)")
            let signs = try await town.signs(town.taxis[0])
            #expect(found.text.contains(signs.code))
            // R80: once a taxi is assigned, it cannot be deleted.
            let kept = try await visitor.get(path + "/cancel")
            #expect(kept.status == 409)
            let sent = try await visitor.submit([:], on: "/taxi?when=later", to: path + "/cancel")
            #expect(sent.status == 409, "\(sent.text)")
            #expect(try await visitor.get("/reservations").text.contains("a taxi was found"))
        }
    }

    @Test(
        "R75, R76: from 2 hours to 15 days or 48 hours ahead, to the minute; else why, in words",
        arguments: [(Policy.milanoA, "2027-01-30"), (.milanoB, "2027-01-17")]
    )
    func limits(policy: Policy, last: String) async throws {
        try await RideTown.open(policy) { town in
            let visitor = try await town.passenger()
            let wishes: [(day: String, time: String, words: String?)] = [
                ("2027-01-15", "11:00", nil), (last, "09:00", nil),
                ("2027-01-15", "10:59", "Reserve at least 2 hours ahead: from Friday 15"),
                (last, "09:01", "Reserve at most"), ("2027-01-14", "12:00", "This time has passed"),
                ("", "12:00", "Enter a day"), ("2027-01-16", "", "Enter a time"),
                ("2027-02-30", "12:00", "This day does not exist"),
                ("2027-01-16", "24:00", "This time does not exist"),
            ]
            for wish in wishes {
                let fields = RideTown.later(day: wish.day, time: wish.time)
                let answer = try await town.fill(visitor, fields)
                guard let words = wish.words else {
                    #expect(answer.text.contains("Check your reservation"), "\(wish)")
                    continue
                }
                #expect(answer.status == 422, "\(wish)")
                #expect(answer.text.contains(words), "\(wish): \(answer.text)")
                #expect(answer.text.contains("role=\"alert\""))
            }
            // The limit is checked on confirmation too, not only when the form is filled in (I17).
            _ = try await town.fill(visitor, RideTown.later(day: "2027-01-15", time: "11:00"))
            town.site.clock.advance(seconds: 1)
            let late = try await town.confirm(visitor)
            #expect(late.status == 422 && late.text.contains("too soon to reserve"))
        }
    }

    @Test("UA2, R73: a destination is asked for again where it is missing, under both presets")
    func destination() async throws {
        for policy in [Policy.milanoA, .milanoB] {
            try await RideTown.open(policy) { town in
                let visitor = try await town.passenger()
                var fields = RideTown.later()
                fields["to"] = ""
                let asked = try await town.fill(visitor, fields)
                #expect(asked.status == 422)
                #expect(asked.text.contains("a reservation needs one"))
                #expect(asked.text.contains("value=\"2027-01-16\""))
                visitor.language = "it"
                let again = try await town.fill(visitor, fields)
                #expect(again.text.contains("per una prenotazione serve"))
            }
        }
    }

    @Test(
        "R73: a place, day or hour that is none is asked for again, and nothing is reserved",
        arguments: [
            ("from", "Zzyzx 1", "We cannot find this place"),
            ("to", "Zzyzx 1", "We cannot find this place"),
            ("date", "2027-02-30", "This day does not exist."),
            ("date", "soon", "This day does not exist."), ("date", "", "Enter a day."),
            ("date", "2027-01-14", "This time has passed."),
            ("time", "24:30", "This time does not exist."),
            ("time", "noon", "This time does not exist."), ("time", "", "Enter a time."),
        ]
    )
    func invalid(field: String, value: String, advice: String) async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            var fields = RideTown.later()
            fields[field] = value
            let asked = try await town.fill(visitor, fields)
            #expect(asked.status == 422)
            #expect(asked.text.contains(advice), "\(asked.text)")
            // If both day and time are past, the error is on the time, which can be made later.
            let wrong = advice == "This time has passed." ? "time" : field
            #expect(asked.text.contains("href=\"#field-\(wrong)\""))
            // Valid input need not be typed again.
            let kept = field == "date" ? "06:00" : "2027-01-16"
            #expect(asked.text.contains("value=\"\(kept)\""))
            let list = try await visitor.get("/reservations").text
            #expect(list.contains("You have no reservations"))
            // The same form with that field corrected makes a reservation.
            _ = try await town.reserve(visitor)
        }
    }

    @Test("R72: who has no account is asked to sign in, and keeps what was filled in")
    func guests() async throws {
        try await RideTown.open(.milanoA) { town in
            let guest = town.site.visitor()
            #expect(try await guest.get("/taxi").text.contains("To reserve, you need an account"))
            let check = try await town.fill(guest, RideTown.later())
            #expect(check.text.contains("A reservation belongs to an account"))
            #expect(!check.text.contains("action=\"/taxi/request\""))
            #expect(check.text.contains("next=%2Ftaxi%2Fcheck"))
            let list = try await guest.get("/reservations")
            #expect(list.header("location")?.hasPrefix("/login?") == true)
        }
        try await RideTown.open(.milanoB) { town in
            let refused = try await town.site.visitor().get("/taxi?when=later")
            #expect(refused.status == 403)
        }
    }

    @Test("a reservation is changed: hour, place and people; the old one is gone (R80)")
    func change() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let other = try await town.passenger("ugo")
            let path = try await town.reserve(visitor)
            // Nobody else can see, change or delete it (I27, R130).
            #expect(try await other.get(path).status == 404)
            let foreign = try await other.submit([:], on: "/reservations", to: path + "/change")
            #expect(foreign.status == 404)
            #expect(try await other.get("/reservations").text.contains("You have no reservations"))

            let begun = try await visitor.press(path + "/change", on: path)
            #expect(begun.header("location") == "/taxi")
            let form = try await visitor.get("/taxi")
            #expect(form.text.contains("You are changing a reservation"))
            #expect(form.text.contains("value=\"2027-01-16\""))
            #expect(form.text.contains("value=\"06:00\""))
            let now = try await town.fill(visitor, ["from": RideTown.typed(500), "when": "now"])
            #expect(now.status == 422 && now.text.contains("can only be moved to another time"))
            var fields = RideTown.later(time: "07:30", from: 700)
            fields["seats"] = "3"
            let check = try await town.fill(visitor, fields)
            #expect(check.text.contains("Change the reservation"))
            // Until the change is confirmed, the old reservation stands.
            #expect(try await visitor.get("/reservations").text.contains("06:00"))
            let new = try await town.reserve(visitor, fields)
            #expect(new != path)
            let list = try await visitor.get("/reservations")
            #expect(list.text.contains("You have 1 reservation"))
            #expect(list.text.contains("07:30") && list.text.contains("3 people"))
            #expect(!list.text.contains("06:00"))
            #expect(try await visitor.get(path).text.contains("You have cancelled it"))
            // The form asks for a new taxi again.
            #expect(!(try await visitor.get("/taxi").text.contains("You are changing")))
        }
    }

    @Test("less than 2 hours before it is only deleted, and a refused change leaves it as it was")
    func lateChange() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.reserve(
                visitor,
                RideTown.later(day: "2027-01-15", time: "12:00")
            )
            _ = try await visitor.press(path + "/change", on: path)
            town.site.clock.advance(seconds: 3_500)
            let fields = RideTown.later(day: "2027-01-15", time: "12:30")
            _ = try await town.fill(visitor, fields)
            town.site.clock.advance(seconds: 2_000)
            let late = try await town.confirm(visitor)
            #expect(late.status == 422 && late.text.contains("too soon to reserve"))
            let page = try await visitor.get(path)
            #expect(
                page.text.contains("Less than 2 hours before the pickup, it can only be deleted")
            )
            #expect(!page.text.contains(path + "/change"))
            #expect(try await visitor.get("/reservations").text.contains("12:00"))
        }
    }

    @Test(
        "R80: a reservation is deleted, with the consequence stated first, whatever the preset",
        arguments: [Policy.milanoA, .milanoB]
    )
    func delete(policy: Policy) async throws {
        try await RideTown.open(policy) { town in
            let visitor = try await town.passenger()
            let path = try await town.reserve(visitor)
            let asked = try await visitor.get(path + "/cancel")
            #expect(asked.text.contains("Delete your reservation?"))
            #expect(asked.text.contains("No taxi is on its way yet"))
            let done = try await visitor.submit([:], on: path + "/cancel")
            #expect(done.status == 303)
            #expect(try await visitor.get(path).text.contains("You have cancelled it"))
            let list = try await visitor.get("/reservations")
            #expect(list.text.contains("You have no reservations"))
            #expect(list.text.contains("href=\"/taxi?when=later\""))
        }
    }

    @Test("UA3, R79: nobody is free; [A] tries again and says when, [B] gives up, both tell")
    func notFound() async throws {
        for policy in [Policy.milanoA, .milanoB] {
            try await RideTown.open(policy, taxis: 0) { town in
                let visitor = try await town.passenger()
                let path = try await town.reserve(visitor)
                let due = try await town.due(path)
                let request = try RideTown.number(path)
                let taxi = town.taxi
                try await town.wait(until: due.adding(seconds: -600))
                if policy == .milanoA {
                    try await town.site.until("it was tried") {
                        try await taxi.dispatch.read { $0.request(request)?.tries == 1 }
                    }
                    let tried = try await visitor.get(path)
                    #expect(tried.text.contains("No taxi could come yet: we have asked once."))
                    #expect(tried.text.contains("We try again at 05:52"), "\(tried.text)")
                    #expect(tried.text.contains("for the last time at 06:30"))
                    try await town.wait(until: due.adding(seconds: 1_801))
                }
                try await town.site.until("it was given up") {
                    try await taxi.dispatch.read { $0.request(request) == nil }
                }
                let told = try await visitor.get(path)
                #expect(told.text.contains("No taxi was found in time"), "\(told.text)")
            }
        }
    }

    @Test("another ride under way is in nobody's way before, and is said where it is (R68)")
    func busy() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let ride = try await town.call(visitor)
            // During a ride the reservation form is still available.
            #expect(try await visitor.get("/taxi").status == 303)
            #expect(try await visitor.get("/taxi?when=later").status == 200)
            let path = try await town.reserve(
                visitor,
                RideTown.later(day: "2027-01-15", time: "11:30"),
                on: "/taxi?when=later"
            )
            try await town.accept(town.taxis[0])
            let due = try await town.due(path)
            let request = try RideTown.number(path)
            let taxi = town.taxi
            town.site.clock.advance(
                seconds: (due.milliseconds - town.site.clock.now.milliseconds) / 1_000 - 600
            )
            try await town.site.until("it was tried") {
                try await taxi.dispatch.read { ($0.request(request)?.tries ?? 0) > 0 }
            }
            let page = try await visitor.get(path)
            #expect(page.text.contains("You have another ride in progress"), "\(page.text)")
            #expect(try await visitor.get("/privacy").text.contains(ride))
        }
    }

    @Test("drivers see the hour and the zone of the next reservation, and nothing else (4.5)")
    func driver() async throws {
        try await DriverTown.atWork { town, driver in
            #expect(!(try await town.page(driver).contains("Next reservation")))
            var order = RideOrder(
                PassengerNumber(rawValue: 7),
                from: DriverTown.brera,
                to: DriverTown.centro
            )
            order.originDescription = "Via Solferino 1"
            let due = town.clock.now.adding(seconds: 9_000)
            _ = try await town.taxi.reserve(order, due: due)
            // It is looked up for all drivers together, every few seconds.
            town.clock.advance(seconds: 10)
            let page = try await town.page(driver)
            #expect(page.contains("Next reservation") && page.contains(", Brera"))
            #expect(!page.contains("Solferino"))
        }
    }
}
