import Chronology
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// How far ahead drivers can see reservations, in seconds.
    private static let reservationsSeen: Int64 = 86_400

    /// The next reservation in the city, which belongs to no driver yet: it is offered to the queue
    /// of its zone.
    ///
    /// Drivers see its time and zone, but not the passenger (ui.md 4.5).
    func nextReservation(_ driver: WorkingDriver, _ context: RequestContext) async throws -> Row? {
        guard
            let next = try await taxi.nextReservation(withinSeconds: Self.reservationsSeen)
        else { return nil }
        let isOwn = next.zone == driver.view.zoneName
        let words = ReserveTexts.next(clockTime(next.due), next.zone)
        return Row(
            .calendar,
            "\(context.say(ReserveTexts.next)): \(context.say(words))",
            detail: "\(context.say(isOwn ? HomePageTexts.reservedHere : HomePageTexts.reserved))"
        )
    }
}
