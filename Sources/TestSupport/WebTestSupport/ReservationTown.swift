package import Chronology
package import Dispatching
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebApp

/// Helpers for tests of reservations in a town; its clocks show Friday 15 January 2027, 9:00.
extension RideTown {
    /// The input for a reservation, by default for 6:00 the next day.
    package static func later(
        day: String = "2027-01-16",
        time: String = "06:00",
        from: Double = 500,
        to: Double = 1_500
    ) -> [String: String] {
        [
            "from": typed(from), "to": typed(to), "seats": "1", "when": "later", "date": day,
            "time": time,
        ]
    }

    /// Reserves a taxi through the pages; returns the path of the reservation.
    package func reserve(
        _ visitor: Visitor,
        _ fields: [String: String] = later(),
        on form: String = "/taxi"
    ) async throws -> String {
        let check = try await fill(visitor, fields, on: form)
        #expect(check.status == 200, "\(check.text)")
        let sent = try await confirm(visitor)
        let path = try #require(sent.header("location"), "\(sent.text)")
        #expect(path.hasSuffix("?notice=booked") || path.hasSuffix("?notice=changed"), "\(path)")
        return String(path.prefix { $0 != "?" })
    }

    /// Advances the clock to a moment at which all taxis wait in their queue.
    package func wait(until moment: Moment) async throws {
        let seconds = (moment.milliseconds - site.clock.now.milliseconds) / 1_000
        site.clock.advance(seconds: seconds)
        let taxi = taxi
        for number in taxis {
            try await report(number, at: 100)
            try await site.until("the taxi waits") {
                try await report(number, at: 100)
                // It may have been taken off duty meanwhile, since no report arrived.
                _ = try? await taxi.dispatch.give(.goOnDuty(number))
                return try await taxi.dispatch.read { $0.taxi(number)?.status == .available }
            }
        }
    }

    /// The time of a reservation.
    package func due(_ path: String) async throws -> Moment {
        let number = try Self.number(path)
        return try #require(try await taxi.dispatch.read { $0.request(number)?.due })
    }

    /// Waits until a taxi has an offer.
    package func untilAsked(_ number: TaxiNumber) async throws {
        let taxi = taxi
        try await site.until("the taxi is asked") {
            try await taxi.offer(to: number) != nil
        }
    }
}
