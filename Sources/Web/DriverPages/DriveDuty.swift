import Dispatching
import HTTPTypes
import Identity
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// Sets the driver on or off duty (R14 to R16, R18, R19).
    ///
    /// The next page confirms the change, or gives the reason for a refusal. A request for the
    /// current state is not an error, so submitting twice has the same effect as submitting once.
    func changeDuty(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        switch context.form["wish"] {
        case "on":
            do {
                _ = try await taxi.beginShift(driver.number, driver.person.rawValue)
            } catch Refusal.alreadyOnDuty {}
            return driveOn("available", context)
        case "off":
            do {
                _ = try await taxi.endShift(driver.number, driver.person.rawValue)
            } catch Refusal.alreadyOffDuty {}
            return driveOn("unavailable", context)
        default: throw Failure.badRequest
        }
    }
}
