import Chronology
import Crypto
import Dispatching
import Drivers
import Encoding
import Foundation
import Identity
import Localization
import Storage
import Taxi
import TaxiPages
import WebCore

extension RegisterPages {
    /// The maximum number of reservations in the dispatcher's mailbox at once.
    private static let reservationsAtOnce = 200

    /// A valid reservation from the previous system.
    private struct OldReservation: Sendable {
        var line: Int
        var order: RideOrder
        var due: Moment
    }

    /// Imports open reservations from a previous system (R10) and makes each a reservation of this
    /// service.
    ///
    /// After all rows have been checked, they are sent to the dispatcher one by one. If the import
    /// is all-or-nothing and the dispatcher rejects a row, the reservations made so far are
    /// withdrawn.
    func importReservations(
        _ bytes: [UInt8],
        _ mode: ImportMode,
        by session: Session,
        at now: Moment
    ) async throws -> ImportOutcome {
        let lines = try CSVTable(bytes).values(
            of: ReservationColumn.self,
            optional: ReservationColumn.optional
        )
        let limits = try await taxi.dispatch.read { state in
            (
                least: state.policy[.reserveMin], most: state.policy[.reserveMax],
                known: Set(state.requests.compactMap { OldTrip($0) })
            )
        }
        var good: [OldReservation] = []
        var rejected: [ImportOutcome.Rejected] = []
        var seen: [OldTrip: Int] = [:]
        for line in lines {
            var reader = TripLine(zone: web.settings.zoneTable)
            let found = try await reservation(line, &reader)
            if let found {
                let trip = OldTrip(passenger: found.order.passenger, at: found.due)
                let earliest = now.adding(seconds: limits.least * 3_600)
                if found.due < earliest {
                    reader.reject(TripTexts.due, TripTexts.tooSoon(limits.least))
                }
                if found.due > now.adding(seconds: limits.most * 3_600) {
                    reader.reject(TripTexts.due, TripTexts.tooFar(limits.most))
                }
                if limits.known.contains(trip) {
                    reader.reject(TripTexts.due, TripTexts.known)
                } else if let first = seen[trip] {
                    let reason = FieldProblem.Kind.repeated(line: first).text(for: .line)
                    reader.reject(TripTexts.due, reason)
                }
                if reader.problems.isEmpty {
                    seen[trip] = line.number
                    good.append(found)
                }
            }
            if !reader.problems.isEmpty {
                rejected.append(.init(line: line.number, problems: reader.problems))
            }
        }
        guard mode.enters(allAreGood: rejected.isEmpty), !good.isEmpty else {
            return ImportOutcome(good: good.count, entered: 0, rejected: rejected)
        }
        return try await enter(good, besides: rejected, mode, by: session, at: now)
    }

    /// Creates valid reservations together with their audit log entry.
    private func enter(
        _ good: [OldReservation],
        besides others: [ImportOutcome.Rejected],
        _ mode: ImportMode,
        by session: Session,
        at now: Moment
    ) async throws -> ImportOutcome {
        // Each reservation carries the audit log entry, so that the first one to be durable stores
        // it.
        let act = try accounts.noting(
            .enterReservations,
            object: "\(good.count) reservations",
            by: session,
            at: now
        )
        let (made, refused) = try await reserve(good, noting: act)
        let rejected = (others + refused).sorted { $0.line < $1.line }
        let isUndone = mode == .allOrNothing && !refused.isEmpty
        if isUndone {
            let undone = try accounts.noting(
                .undoReservations,
                object: "\(made.count) reservations",
                by: session,
                at: now
            )
            for request in made {
                let command = Command.withdraw(request, reason: "import undone")
                _ = try await taxi.dispatch.give(command) { _ in [undone] }
            }
        }
        try await accounts.settleActs()
        return ImportOutcome(
            good: made.count,
            entered: isUndone ? 0 : made.count,
            rejected: rejected
        )
    }

    private func reservation(
        _ line: CSVTable.Line<ReservationColumn>,
        _ reader: inout TripLine
    ) async throws -> OldReservation? {
        guard let values = line.values else {
            reader.reject(
                FormField.line.label,
                FieldProblem.Kind.badFormat.text(for: .line)
            )
            return nil
        }
        let person = try await passenger(values[.email], isRequired: true, &reader)
        let due = reader.moment(values[.due], TripTexts.due)
        let origin = reader.place(
            values[.originLatitude],
            values[.originLongitude],
            TripTexts.origin,
            isRequired: true
        )
        if let origin, taxi.zone(at: origin) == nil {
            reader.reject(TripTexts.origin, TripTexts.outside)
        }
        let destination = reader.place(
            values[.destinationLatitude],
            values[.destinationLongitude],
            TripTexts.destination,
            isRequired: true
        )
        let needs = reader.needs(values[.seats], values[.wheelchair])
        guard reader.problems.isEmpty, let person, let due, let origin else { return nil }
        var order = RideOrder(person, from: origin, to: destination, needs: needs)
        order.originDescription = values[.origin]
        order.destinationDescription = values[.destination]
        return OldReservation(line: line.number, order: order, due: due)
    }

    /// The pseudonym of the passenger with an e-mail address.
    private func passenger(
        _ email: String?,
        isRequired: Bool,
        _ reader: inout TripLine
    ) async throws -> PassengerNumber? {
        let email = (email ?? "").trimmingBlanks()
        if email.isEmpty, !isRequired { return nil }
        guard let person = try await accounts.findPerson(email) else {
            reader.reject(FormField.email.label, TripTexts.unknownPerson)
            return nil
        }
        return person.passenger
    }

    /// Sends reservations to the dispatcher in batches.
    private func reserve(
        _ wanted: [OldReservation],
        noting act: SQL
    ) async throws -> (made: [RequestNumber], refused: [ImportOutcome.Rejected]) {
        var made: [RequestNumber] = []
        var refused: [ImportOutcome.Rejected] = []
        try await withThrowingTaskGroup(
            of: (OldReservation, Result<RequestNumber, Refusal>).self
        ) { group in
            var rest = wanted[...]
            func giveNext() {
                guard let next = rest.popFirst() else { return }
                group.addTask { [taxi] in
                    do {
                        return (
                            next,
                            .success(
                                try await taxi.reserve(
                                    next.order,
                                    due: next.due,
                                    isImported: true,
                                    with: [act]
                                ).request
                            )
                        )
                    } catch let refusal as Refusal {
                        return (next, .failure(refusal))
                    }
                }
            }
            for _ in 0..<Self.reservationsAtOnce { giveNext() }
            for try await (asked, result) in group {
                switch result {
                case .success(let request): made.append(request)
                case .failure(let refusal):
                    let reason = TripTexts.refused(refusal)
                    refused.append(
                        .init(line: asked.line, problems: [(field: TripTexts.due, reason: reason)])
                    )
                }
                giveNext()
            }
        }
        return (made, refused)
    }

    /// Imports past rides from a previous system (R10) into the history, marked with their origin.
    func importRides(
        _ bytes: [UInt8],
        _ mode: ImportMode,
        by session: Session,
        at now: Moment
    ) async throws -> ImportOutcome {
        let lines = try CSVTable(bytes).values(of: RideColumn.self, optional: RideColumn.optional)
        var good: [(line: Int, ride: OldRide)] = []
        var rejected: [ImportOutcome.Rejected] = []
        for line in lines {
            var reader = TripLine(zone: web.settings.zoneTable)
            if let ride = try await ride(line, &reader, before: now) {
                good.append((line.number, ride))
            } else {
                rejected.append(.init(line: line.number, problems: reader.problems))
            }
        }
        let store = OldRideStore(in: database)
        var seen = try await store.known(good.map(\.ride))
        good = good.filter { line, ride in
            if seen.insert(ride).inserted { return true }
            let problem = (field: TripTexts.asked, reason: TripTexts.known)
            rejected.append(.init(line: line, problems: [problem]))
            return false
        }
        rejected.sort { $0.line < $1.line }
        guard mode.enters(allAreGood: rejected.isEmpty), !good.isEmpty else {
            return ImportOutcome(good: good.count, entered: 0, rejected: rejected)
        }
        let act = try accounts.noting(
            .enterRides,
            object: "\(good.count) rides",
            by: session,
            at: now
        )
        try await store.enter(good.map(\.ride), with: [act])
        try await accounts.settleActs()
        return ImportOutcome(good: good.count, entered: good.count, rejected: rejected)
    }

    private func ride(
        _ line: CSVTable.Line<RideColumn>,
        _ reader: inout TripLine,
        before now: Moment
    ) async throws -> OldRide? {
        guard let values = line.values else {
            reader.reject(
                FormField.line.label,
                FieldProblem.Kind.badFormat.text(for: .line)
            )
            return nil
        }
        let person = try await passenger(values[.email], isRequired: false, &reader)
        let asked = reader.moment(values[.asked], TripTexts.asked)
        let ended = reader.moment(values[.ended], TripTexts.ended)
        if let asked, let ended, ended < asked || ended > now {
            reader.reject(TripTexts.ended, TripTexts.endsFirst)
        }
        var (code, driver): (String?, Int64?) = (nil, nil)
        let written = (values[.taxiCode] ?? "").trimmingBlanks()
        if !written.isEmpty {
            let taxi = try await accounts.drivers.findTaxi(written)
            code = taxi?.dispatcherCode
            // If several drivers share a taxi, the driver is unknown.
            if let taxi {
                let drivers = try await accounts.drivers.people(driving: taxi)
                driver = drivers.count == 1 ? drivers[0].rawValue : nil
            }
            if code == nil { reader.reject(FormField.taxiCode.label, TripTexts.unknownTaxi) }
        }
        let origin = reader.place(
            values[.originLatitude],
            values[.originLongitude],
            TripTexts.origin,
            isRequired: false
        )
        let destination = reader.place(
            values[.destinationLatitude],
            values[.destinationLongitude],
            TripTexts.destination,
            isRequired: false
        )
        guard reader.problems.isEmpty, let asked, let ended else { return nil }
        // Without an account, nobody could request the deletion of places, so they are not stored.
        var places: RidePlaces?
        if let person, let origin {
            places = RidePlaces(
                passenger: person,
                meeting: origin,
                meetingDescription: values[.origin],
                destination: destination,
                destinationDescription: values[.destination]
            )
        }
        return OldRide(
            person,
            taxiCode: code,
            driver: driver,
            asked: asked,
            ended: ended,
            places: places
        )
    }
}

/// The key that identifies duplicate reservations: the same passenger at the same time.
private struct OldTrip: Hashable, Sendable {
    var passenger: PassengerNumber
    var at: Moment

    init(passenger: PassengerNumber, at: Moment) {
        self.passenger = passenger
        self.at = at
    }

    init?(_ request: Request) {
        guard let due = request.due else { return nil }
        self.init(passenger: request.form.passenger, at: due)
    }
}
