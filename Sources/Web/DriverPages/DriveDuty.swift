import Dispatching
import HTTPTypes
import Identity
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// The driver turns his switch (R14 to R16, R18, R19).
    ///
    /// It is acknowledged on the next page, or refused with the reason. What holds already is no
    /// fault: pressing twice does what once does.
    func changeDuty(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        switch visit.form["wish"] {
        case "on":
            do {
                _ = try await taxi.beginShift(seat.number, seat.person.rawValue)
            } catch Refusal.alreadyOnDuty {}
            return driveOn("available", visit)
        case "off":
            do {
                _ = try await taxi.endShift(seat.number, seat.person.rawValue)
            } catch Refusal.alreadyOffDuty {}
            return driveOn("unavailable", visit)
        default: throw Failure.badRequest
        }
    }
}
