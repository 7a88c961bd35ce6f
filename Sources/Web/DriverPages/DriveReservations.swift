import Chronology
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// How far ahead drivers can see reservations, in seconds.
    private static let reservationsSeen: Int64 = 86_400

    /// The next reservation in the city, with the details that drivers may see: time and zone, but
    /// not the passenger (ui.md 4.5).
    func nextReservation(_ context: RequestContext) async throws -> HTML? {
        guard
            let next = try await taxi.nextReservation(withinSeconds: Self.reservationsSeen)
        else { return nil }
        let words = ReserveTexts.next(clockTime(next.due), next.zone)
        return """
            <p>\(context.say(ReserveTexts.next)): <b>\(context.say(words))</b></p>
            """
    }
}
