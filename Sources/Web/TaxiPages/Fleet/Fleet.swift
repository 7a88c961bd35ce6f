package import Chronology
package import Dispatching
package import Drivers
package import Identity
package import Storage
package import Taxi
import WebCore

/// Synchronises the dispatcher's register of taxis with the drivers' documents.
///
/// The dispatcher identifies a taxi by a pseudonym, its number as text: neither the code nor the
/// plate is ever in the log (decision 0012). A taxi is registered while at least one of its drivers
/// is verified and not suspended. Its entry holds its capacity and the end of the licences.
///
/// A pass compares the whole register with all documents and sends the commands that make up the
/// difference. Passes are idempotent: one may run at any time, any number of times and on any
/// server. A command that fails now is sent again by the next pass.
package actor Fleet {
    /// The result of a pass.
    package struct Report: Hashable, Sendable {
        /// The number of commands that succeeded.
        package var done = 0
        /// The number of commands that the dispatcher refused.
        ///
        /// A later pass sends them again.
        package var refused = 0
        /// The number of taxis that are to be removed but still have a ride.
        package var riding = 0
        /// The number of requests and reservations of erased people that were cancelled.
        package var withdrawn = 0

        /// Whether there was nothing to do.
        package var isEmpty: Bool { self == Report() }
    }

    /// The number of commands that wait in the dispatcher's mailbox at once, which it processes as
    /// one batch.
    private static let commandsAtOnce = 1_000

    private let accounts: Accounts
    private let taxis: TaxiService
    private let zone: ZoneTable
    /// The running pass.
    ///
    /// The next one waits for it.
    private var current: Task<Report, any Error>?
    /// The pass that has not started yet.
    ///
    /// It will see everything written until now.
    private var next: Task<Report, any Error>?

    /// Creates the synchronisation for a city's fleet.
    ///
    /// - Parameters:
    ///   - accounts: the accounts with the drivers' documents.
    ///   - taxis: the taxi service.
    ///   - zone: the time zone in which a licence's last day ends.
    package init(_ accounts: Accounts, taxis: TaxiService, zone: ZoneTable) {
        self.accounts = accounts
        self.taxis = taxis
        self.zone = zone
    }

    /// Brings the register up to date with the documents.
    ///
    /// Passes run one at a time.
    ///
    /// - Returns: the result of this pass or of a later one.
    /// - Throws: `DispatchService.Failure.notServing` if another server is active, whose own passes
    ///   do the work within ``TaxiServiceRunner/fleetSeconds``; any `DatabaseFailure`.
    @discardableResult
    package func reconcile() async throws -> Report {
        if let next { return try await next.value }
        let before = current
        let task = Task {
            _ = await before?.result
            return try await self.pass()
        }
        next = task
        return try await task.value
    }

    private func pass() async throws -> Report {
        current = next
        next = nil
        let fleet = try await accounts.drivers.fleet().map { $0.form(in: zone) }
        let register = try await taxis.dispatch.read { $0.taxis }
        let plan = FleetPlan(register, fleet)
        var report = Report(riding: plan.riding)
        let dispatch = taxis.dispatch
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var rest = plan.commands[...]
            func giveNext() {
                guard let command = rest.popFirst() else { return }
                group.addTask {
                    do {
                        _ = try await dispatch.give(command)
                        return true
                    } catch is Refusal {
                        return false
                    } catch DispatchService.Failure.busy {
                        return false
                    }
                }
            }
            for _ in 0..<Self.commandsAtOnce { giveNext() }
            for try await isDone in group {
                if isDone { report.done += 1 } else { report.refused += 1 }
                giveNext()
            }
        }
        report.withdrawn = try await withdrawStrays()
        return report
    }

    /// Cancels the open requests of erased people.
    ///
    /// These are requests made during erasure or restored from a backup (F24).
    private func withdrawStrays() async throws -> Int {
        let people = try await taxis.passengersUnderWay().map { PersonNumber(passenger: $0) }
        var count = 0
        for person in try await accounts.erased(among: people) {
            count += try await taxis.withdrawAll(of: person.passenger, reason: "account deleted")
        }
        return count
    }

    /// Returns the dispatcher's number for a taxi; nil if the taxi is not in the register.
    package func number(of taxi: PersonNumber) async throws -> TaxiNumber? {
        try await taxis.number(of: taxi)
    }
}

extension TaxiService {
    /// Returns the dispatcher's number for a taxi; nil if the taxi is not in the register.
    package func number(of taxi: PersonNumber) async throws -> TaxiNumber? {
        let code = taxi.dispatcherCode
        return try await dispatch.read { state in
            state.taxis.last { $0.code == code && !$0.isRemoved }?.number
        }
    }

    /// Cancels a person's open requests and ends their work as a driver before erasure (F24).
    package func leave(_ person: PersonNumber, in data: Database) async throws {
        try await leave(person, try await LeavingTaxi.taxi(of: person, in: data))
    }

    /// Cancels a person's open requests and ends their work as a driver before erasure (F24).
    ///
    /// - Parameters:
    ///   - person: the person to be erased.
    ///   - driven: the taxi that the person drives; nil if there is none.
    /// - Throws: `LeavingObstacle`; ``Failure/notServing`` if another server is active.
    package func leave(_ person: PersonNumber, _ driven: LeavingTaxi?) async throws {
        if let obstacle = try await underWay(of: person, driven?.taxi).obstacle { throw obstacle }
        try await cancelAll(of: person.passenger)
        guard let driven, let number = try await number(of: driven.taxi) else { return }
        if driven.hasOthers {
            try await leaveShift(number, person.rawValue)
        } else {
            try await retire(number)
        }
    }

    /// Returns what a person has under way, as a passenger and as the driver of a taxi.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - driven: the taxi that the person drives; nil if there is none.
    /// - Returns: what is cancelled when the person leaves, and what prevents leaving.
    /// - Throws: ``Failure/notServing`` if another server is active.
    package func underWay(of person: PersonNumber, _ driven: PersonNumber?) async throws -> UnderWay
    {
        var found = try await underWay(of: person.passenger)
        guard let driven, let number = try await number(of: driven) else { return found }
        // In a shared taxi, only the current driver's work prevents that driver from leaving.
        if let driver = try await shift(of: number), driver != person.rawValue { return found }
        found.obstacle = try await obstacle(toLeaving: number) ?? found.obstacle
        return found
    }
}

/// The commands that bring a register up to date with a fleet.
package struct FleetPlan: Sendable {
    /// The commands, in no particular order.
    package private(set) var commands: [Command] = []
    /// The number of taxis that are to be removed but still have a ride.
    package private(set) var riding = 0

    /// Compares a register, including removed taxis, with the wanted fleet.
    ///
    /// Taxis whose code is not a pseudonym of this site are ignored.
    package init(_ register: [Taxi], _ fleet: [TaxiForm]) {
        var wanted = Dictionary(fleet.map { ($0.code, $0) }) { first, _ in first }
        for taxi in register where !taxi.isRemoved && PersonNumber(dispatcherCode: taxi.code) != nil
        {
            var form = taxi.form
            if let wish = wanted.removeValue(forKey: taxi.code) {
                if form != wish { commands.append(.change(taxi.number, wish)) }
            } else if taxi.status != .riding {
                commands.append(.remove(taxi.number))
            } else {
                // The licence is over: the driver finishes the current ride and gets no other.
                riding += 1
                form.licensedUntil = Moment(milliseconds: 0)
                if form != taxi.form { commands.append(.change(taxi.number, form)) }
            }
        }
        commands += fleet.filter { wanted[$0.code] != nil }.map { .register($0) }
    }
}

extension Taxi {
    /// The taxi's registered data.
    fileprivate var form: TaxiForm {
        TaxiForm(code: code, capacity: capacity, licensedUntil: licensedUntil)
    }
}

extension FleetTaxi {
    /// The taxi's data for the dispatcher.
    ///
    /// The licence ends at midnight after its last day.
    package func form(in zone: ZoneTable) -> TaxiForm {
        let end = zone.instant(lastDay.adding(days: 1), second: 0)
        return TaxiForm(
            code: taxi.dispatcherCode,
            capacity: Capacity(
                seats: UInt8(clamping: vehicle.seats),
                wheelchair: vehicle.wheelchair
            ),
            licensedUntil: Moment(milliseconds: end.seconds * 1_000)
        )
    }
}

extension PersonNumber {
    /// The code that the dispatcher and its log use for a taxi with this number.
    package var dispatcherCode: String { "\(rawValue)" }

    /// The number of the taxi with a dispatcher code; nil if the code is not a pseudonym of this
    /// site.
    package init?(dispatcherCode code: String) {
        guard let number = Int64(code), number > 0, "\(number)" == code else { return nil }
        self.init(rawValue: number)
    }

    /// The pseudonym that the dispatcher uses for a passenger.
    package var passenger: PassengerNumber {
        PassengerNumber(rawValue: UInt64(bitPattern: rawValue))
    }

    /// The person with a dispatcher's passenger pseudonym.
    package init(passenger: PassengerNumber) {
        self.init(rawValue: Int64(bitPattern: passenger.rawValue))
    }
}
