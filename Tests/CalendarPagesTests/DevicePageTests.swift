import Agenda
import Chronology
import Encoding
import Geo
import Identity
import TestClock
import Testing
import WebApp
import WebTestSupport

/// V77, V78: a device in the car is paired on its page, and says where the car is.
@Suite("Devices on pages", .serialized)
struct DevicePageTests {
    private static let page = "/calendar/vehicles/car/device"
    private static let secret = "c0ffee-c0ffee-c0ffee"

    private static func person(_ town: RideTown, _ name: String = "pia") async throws -> Visitor {
        let visitor = try await town.passenger(name)
        let settings = CalendarTown.base(at: 0) + ["means": "car"]
        _ = try await visitor.submit(settings, on: "/calendar/settings")
        return visitor
    }

    private static func register(_ town: RideTown) async throws -> DeviceSecret {
        let device = try #require(DeviceSecret(identifier: "VV-0001", secret: secret))
        try await town.site.installation.agenda.register([device])
        return device
    }

    /// What the device sends, a number of seconds after now.
    private static func report(
        _ town: RideTown,
        _ device: DeviceSecret,
        at metres: Double,
        seconds: Int64 = 0
    ) -> [String: String] {
        let place = RideTown.place(metres)
        let (latitude, longitude) = ("\(place.latitudeDegrees)", "\(place.longitudeDegrees)")
        let time = "\(town.site.clock.now.milliseconds / 1_000 + seconds)"
        let text = "\(device.identifier) \(time) \(latitude) \(longitude)"
        return [
            "device": device.identifier, "time": time, "lat": latitude, "lon": longitude,
            "signature": device.signature(of: text).hex,
        ]
    }

    private static func spot(_ town: RideTown, _ visitor: Visitor) async throws -> Coordinate? {
        let person = try #require(try await town.site.session(of: visitor).person)
        let settings = try await town.site.installation.agenda.settings(of: person)
        return settings.parked[.car]?.place.position
    }

    @Test("V77, V78: once it is paired, plans begin where the device was last")
    func paired() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let device = try await Self.register(town)
            #expect(try await visitor.get("/calendar/vehicles/car").text.contains(Self.page))
            let pairing = ["identifier": " vv-0001 ", "secret": Self.secret]
            let sent = try await visitor.submit(pairing, on: Self.page)
            #expect(sent.header("location") == "/calendar/vehicles?notice=paired")
            #expect(try await visitor.follow(sent).text.contains("The device is paired."))
            let silent = try await visitor.get("/calendar/vehicles/car").text
            #expect(silent.contains("VV-0001 reports where it is."))
            #expect(silent.contains("It has not reported yet."))
            // The device has neither a session nor a page.
            let box = town.site.visitor()
            let answer = try await box.post(
                "/devices/report",
                Self.report(town, device, at: 900)
            )
            #expect(answer.status == 204, "\(answer.text)")
            #expect(try await Self.spot(town, visitor) == RideTown.place(900))
            let shown = try await visitor.get("/calendar/vehicles/car").text
            #expect(shown.contains("Last on") && !shown.contains("has not reported"))
            let place = RideTown.place(900)
            #expect(
                shown.contains(
                    "name=\"place-at\" value=\"\(place.latitude) \(place.longitude)\""
                )
            )
            // Nobody else sees the device, or where it is.
            let other = try await Self.person(town, "eve")
            let theirs = try await other.get("/calendar/vehicles/car").text
            #expect(!theirs.contains("VV-0001") && !theirs.contains("\(place.longitude)"))
        }
    }

    @Test("V78: a wrong secret and a second pairing are refused with the reason, until unpaired")
    func refused() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let device = try await Self.register(town)
            let wrong = try await visitor.submit(
                ["identifier": "VV-0001", "secret": "wrong-wrong-wrong-wrong"],
                on: Self.page
            )
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("We know no device with this identifier"))
            #expect(wrong.text.contains("value=\"VV-0001\"") && !wrong.text.contains("wrong-wr"))
            let empty = try await visitor.submit(["identifier": "", "secret": ""], on: Self.page)
            #expect(empty.problem("identifier") != nil && empty.problem("secret") != nil)
            let right = ["identifier": "VV-0001", "secret": Self.secret]
            #expect(try await visitor.submit(right, on: Self.page).status == 303)
            let other = try await Self.person(town, "eve")
            let second = try await other.submit(right, on: Self.page)
            #expect(
                second.status == 422 && second.text.contains("is already paired with a vehicle")
            )
            let unpaired = try await visitor.submit(
                [:],
                on: "/calendar/vehicles/car",
                to: "\(Self.page)/unpair"
            )
            #expect(try await visitor.follow(unpaired).text.contains("The device is unpaired."))
            #expect(try await other.submit(right, on: Self.page).status == 303)
            // Its reports are now of the other's car.
            let sent = try await town.site.visitor().post(
                "/devices/report",
                Self.report(town, device, at: 300)
            )
            #expect(sent.status == 204)
            #expect(try await Self.spot(town, other) == RideTown.place(300))
            #expect(try await Self.spot(town, visitor) == nil)
        }
    }

    @Test("V78: reports that are forged, repeated, old or of no paired device change nothing")
    func reports() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let device = try await Self.register(town)
            let box = town.site.visitor()
            func send(_ fields: [String: String]) async throws -> Int {
                Int(try await box.post("/devices/report", fields).status)
            }
            let report = Self.report(town, device, at: 900)
            #expect(try await send(report) == 403)
            let right = ["identifier": "VV-0001", "secret": Self.secret]
            #expect(try await visitor.submit(right, on: Self.page).status == 303)
            #expect(try await send(report + ["lat": "45.1"]) == 403)
            #expect(try await send(report + ["signature": "00"]) == 403)
            #expect(try await send(report + ["signature": "no"]) == 400)
            #expect(try await send(["device": "VV-0001"]) == 400)
            #expect(try await send(Self.report(town, device, at: 900, seconds: -301)) == 409)
            #expect(try await send(Self.report(town, device, at: 900, seconds: 301)) == 409)
            #expect(try await Self.spot(town, visitor) == nil)
            #expect(try await send(report) == 204)
            #expect(try await send(report) == 409)
        }
    }

    @Test("V77: where it stands is chosen on the map, and stored by the form")
    func map() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let form = "/calendar/vehicles/car"
            let sent = try await visitor.submit(["point": "yes"], on: form)
            let map = "\(form)/point/from"
            #expect(sent.header("location") == map)
            let page = try await visitor.follow(sent)
            #expect(page.text.contains("Where does it stand?"))
            #expect(try await visitor.get("\(map)/map.svg").status == 200)
            let place = RideTown.place(700)
            let chosen = try await visitor.submit(
                [
                    "latitude": "\(place.latitudeDegrees)",
                    "longitude": "\(place.longitudeDegrees)",
                ],
                on: map
            )
            #expect(chosen.header("location") == "\(form)?chosen=yes")
            #expect(try await Self.spot(town, visitor) == nil)
            let back = try await visitor.follow(chosen)
            let at = "\(place.latitude) \(place.longitude)"
            #expect(back.text.contains("name=\"place-at\" value=\"\(at)\""), "\(back.text)")
            // Another visit begins with where it stands, not with the point.
            let again = try await visitor.get("\(form)?chosen=yes").text
            #expect(!again.contains("value=\"\(at)\""))
        }
    }
}
