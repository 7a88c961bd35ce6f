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
            try await setDuty(true, driver)
            return driveOn("available", context)
        case "off":
            try await setDuty(false, driver)
            return driveOn("unavailable", context)
        default: throw Failure.badRequest
        }
    }

    /// Sets the driver on or off duty.
    func setDuty(_ isOnDuty: Bool, _ driver: WorkingDriver) async throws {
        do {
            if isOnDuty {
                _ = try await taxi.beginShift(driver.number, driver.person.rawValue)
            } else {
                _ = try await taxi.endShift(driver.number, driver.person.rawValue)
            }
        } catch Refusal.alreadyOnDuty {} catch Refusal.alreadyOffDuty {}
    }
}
