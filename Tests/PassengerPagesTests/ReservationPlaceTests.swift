import Dispatching
import Geo
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md R74: the place to which a reserved taxi comes, and the one to which it goes.
@Suite("Where a reservation starts and ends", .serialized)
struct ReservationPlaceTests {
    @Test(
        "R74: where the device is if that is known to 50 m, else an address is asked for",
        arguments: [("50", true), ("50.1", false)]
    )
    func device(accuracy: String, isTaken: Bool) async throws {
        try await RideTown.open(.milanoB) { town in
            let visitor = try await town.passenger()
            let place = RideTown.place(500)
            var fields = RideTown.later()
            fields["from"] = ""
            fields["latitude"] = "\(place.latitudeDegrees)"
            fields["longitude"] = "\(place.longitudeDegrees)"
            fields["accuracy"] = accuracy
            let answer = try await town.fill(visitor, fields)
            guard isTaken else {
                #expect(answer.status == 422)
                #expect(answer.text.contains("50 m or better"), "\(answer.text)")
                let list = try await visitor.get("/reservations").text
                #expect(list.contains("You have no reservations"))
                return
            }
            #expect(answer.text.contains("Check your reservation"), "\(answer.text)")
            #expect(answer.text.contains("Corso Lungo 5"))
            let sent = try await town.confirm(visitor)
            #expect(sent.header("location")?.hasSuffix("?notice=booked") == true)
            let list = try await visitor.get("/reservations").text
            #expect(list.contains("You have 1 reservation"))
        }
    }

    @Test(
        "R74: the destination is where the device is if that is known to 50 m, else it is typed",
        arguments: [("50", true), ("50.1", false), ("", false)]
    )
    func destination(accuracy: String, isTaken: Bool) async throws {
        try await RideTown.open(.milanoB) { town in
            let visitor = try await town.passenger()
            let form = try await visitor.get("/taxi?when=later").text
            for name in ["to-latitude", "to-longitude", "to-accuracy"] {
                #expect(form.contains("<input type=\"hidden\" name=\"\(name)\" value=\"\">"))
            }
            let place = RideTown.place(1_700)
            var fields = RideTown.later()
            // The script fills the field in, with words that are no address.
            fields["to"] = "Corso Lungo 17 (±50 m)"
            fields["to-id"] = "here"
            fields["to-latitude"] = "\(place.latitudeDegrees)"
            fields["to-longitude"] = "\(place.longitudeDegrees)"
            fields["to-accuracy"] = accuracy
            let answer = try await town.fill(visitor, fields)
            guard isTaken else {
                #expect(answer.status == 422)
                let why = accuracy.isEmpty ? "does not tell us where you are" : "50 m or better"
                #expect(answer.text.contains(why), "\(answer.text)")
                let list = try await visitor.get("/reservations").text
                #expect(list.contains("You have no reservations"))
                return
            }
            #expect(answer.text.contains("Check your reservation"), "\(answer.text)")
            #expect(answer.text.contains("Corso Lungo 17"))
            let sent = try await town.confirm(visitor)
            let path = try #require(sent.header("location"))
            #expect(path.hasSuffix("?notice=booked"))
            let number = try RideTown.number(path)
            let passenger = try #require(try await town.site.session(of: visitor).person).passenger
            let made = try await town.taxi.reservation(number, for: passenger)
            #expect(made?.places?.destination == place)
        }
    }

    @Test("R74: what is typed as the destination counts, whatever the device has measured")
    func typed() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let place = RideTown.place(1_700)
            var fields = RideTown.later(to: 1_200)
            fields["to-id"] = ""
            fields["to-latitude"] = "\(place.latitudeDegrees)"
            fields["to-longitude"] = "\(place.longitudeDegrees)"
            fields["to-accuracy"] = "5"
            let answer = try await town.fill(visitor, fields)
            #expect(answer.text.contains("Corso Lungo 12"), "\(answer.text)")
            #expect(!answer.text.contains("Corso Lungo 17"))
        }
    }
}
