import Dispatching
import Geo
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md R74: the place to which a reserved taxi comes.
@Suite("Where a reservation starts", .serialized)
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
}
