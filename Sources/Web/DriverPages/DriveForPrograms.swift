package import Chronology
package import Dispatching
import Encoding
package import Fares
import HTTPTypes
package import Identity
import Localization
import Positions
package import Taxi
package import TaxiPages
import WebCore

/// The work of drivers, for programs that act for them: the same checks, without pages.
extension DriverPages: DriverWork {
    package func view(of driver: PersonNumber, at now: Moment) async throws -> DriverView {
        try await acting(driver, now) { $0.view }
    }

    package func setAvailable(
        _ isAvailable: Bool,
        _ driver: PersonNumber,
        at now: Moment
    ) async throws {
        try await acting(driver, now) { try await setDuty(isAvailable, $0) }
    }

    package func offer(to driver: PersonNumber, at now: Moment) async throws -> OfferShown? {
        try await acting(driver, now) { driver in
            // The program shows the driver offers until it stops asking, as a page would.
            taxiEvents.driverPages.noteLoad(driver.person, at: now)
            return try await seenOffer(driver)
        }
    }

    package func answer(
        _ answer: OfferAnswer,
        _ driver: PersonNumber,
        at now: Moment
    ) async throws {
        try await acting(driver, now) { driver in
            guard answer.accepts else {
                return try await refuse(
                    answer.request,
                    epoch: answer.epoch,
                    driver,
                    key: answer.key
                )
            }
            try await accept(
                answer.request,
                epoch: answer.epoch,
                driver,
                key: answer.key,
                at: now
            )
        }
    }

    package func report(
        _ position: DevicePosition,
        _ driver: PersonNumber,
        at now: Moment
    ) async throws {
        try await refusing {
            let taxi = try await reportingTaxi(of: driver, at: now)
            let report = PositionReport(
                at: now.adding(seconds: -position.ageSeconds),
                place: position.place,
                accuracyMetres: position.accuracyMetres
            )
            let faults = try use([report], sentAt: now, by: driver, in: taxi)
            guard faults.isEmpty else {
                let words = faults.map { $0.text.in(.english) }.joined(separator: " ")
                throw ProgramRefusal(
                    "position-not-used",
                    .unprocessableContent,
                    PositionTexts.notUsed.in(.english),
                    words,
                    fields: faults.map { .init("position", $0.name, $0.text.in(.english)) }
                )
            }
        }
    }

    package func ride(of driver: PersonNumber, at now: Moment) async throws -> RideShown? {
        try await acting(driver, now) { try await taxi.ride(of: $0.number) }
    }

    package func arrive(
        _ ride: RequestNumber,
        _ driver: PersonNumber,
        at now: Moment
    ) async throws {
        try await acting(driver, now) { driver in
            _ = try await rideNamed(ride, driver)
            try await arrive(driver, at: now)
        }
    }

    package func board(
        _ boarding: Boarding,
        _ driver: PersonNumber,
        at now: Moment
    ) async throws {
        try await acting(driver, now) { driver in
            var form = BoardingForm(
                code: boarding.code.trimmingBlanks(),
                aboard: "\(boarding.aboard)"
            )
            let before = try await rideNamed(boarding.ride, driver)
            let key = boarding.key.map { BoardingKey(text: $0, secret: boarding.secret) }
            if try await board(&form, before, driver, key) { return }
            let wrong = [("code", form.codeError), ("aboard", form.aboardError)].compactMap {
                name,
                error in
                error.map { ProgramRefusal.Field(name, "refused", $0.in(.english)) }
            }
            throw ProgramRefusal.fields(wrong)
        }
    }

    package func end(
        _ ending: RideEnding,
        _ driver: PersonNumber,
        at now: Moment
    ) async throws -> Money? {
        try await acting(driver, now) { driver in
            if ending.mayBeDone, let ended = try await endedRide(ending.ride, driver, at: now) {
                return ended.fare
            }
            let shown = try await rideToEnd(ending.ride, driver)
            let known = Set(surcharges(at: now).map(\.name))
            if let other = ending.surcharges.first(where: { !known.contains($0) }) {
                let detail = "The tariff has no surcharge \(other)."
                throw ProgramRefusal.fields([.init("surcharges", "not-offered", detail)])
            }
            let extras = Dictionary(ending.surcharges.map { ($0, Int64(1)) }, uniquingKeysWith: +)
            let reason = ending.reason.asOneLine
            if let error = missingReason(reason, shown, driver) {
                let text = error.in(.english)
                throw ProgramRefusal.fields([.init("reason", "missing", text)])
            }
            try await finish(driver, reason, extras)
            await taxi.settled()
            let rides = try await taxi.rides(of: driver.number, since: now)
            return rides.first { $0.request == shown.request }?.fare
        }
    }

    /// How long after the end of a ride a lost answer to its ending is asked for, in seconds; keys
    /// are kept as long.
    private static let endingKept: Int64 = 86_400

    /// A ride that the driver has completed; nil if there is none with this number.
    private func endedRide(
        _ ride: RequestNumber,
        _ driver: WorkingDriver,
        at now: Moment
    ) async throws -> DrivenRide? {
        let start = now.adding(seconds: -Self.endingKept)
        let rides = try await taxi.rides(ofDriver: driver.person.rawValue, since: start)
        return rides.first { $0.request == ride && $0.outcome == .completed }
    }

    // MARK: Refusals

    private func acting<Result: Sendable>(
        _ driver: PersonNumber,
        _ now: Moment,
        _ act: (WorkingDriver) async throws -> Result
    ) async throws -> Result {
        try await refusing {
            // The driver's last action counts, as on the page.
            await taxi.settled()
            return try await act(try await workingDriver(driver, at: now))
        }
    }

    /// Turns what a driver's page would explain into the same problem for programs.
    private func refusing<Result: Sendable>(
        _ act: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await act()
        } catch DispatchService.Failure.outcomeUnknown {
            // Repeated with its key, the message is told its outcome.
            throw DispatchService.Failure.outcomeUnknown
        } catch {
            guard let trouble = trouble(for: error) else { throw error }
            throw ProgramRefusal(
                trouble.name,
                trouble.status,
                trouble.title.in(.english),
                trouble.advice.in(.english)
            )
        }
    }
}
