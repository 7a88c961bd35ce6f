package import Chronology
package import Dispatching
package import Drivers
package import Identity
package import Storage
package import Taxi
import WebCore

/// Keeps the dispatcher's register of taxis what the drivers' papers make it.
///
/// The dispatcher knows a taxi by its pseudonym, the text of its number: neither the code nor the
/// plate that people know is ever in the log (decision 0012). A taxi is in the register as long as
/// one of its drivers is verified and not suspended, with what it can carry and the moment at which
/// the licences end.
///
/// A pass compares the whole register with all papers and gives the commands that lie between the
/// two. So it may come at any time, any number of times, and on any server: where nothing is to be
/// done it does nothing, and what could not be done now is done by the next one.
package actor Fleet {
    /// What a pass has done.
    package struct Report: Hashable, Sendable {
        /// Commands that were done.
        package var done = 0
        /// Commands that the dispatcher refused: a later pass gives them again.
        package var refused = 0
        /// Taxis that should leave the register and still have a ride.
        package var riding = 0
        /// Requests and reservations of people who are gone, which were taken away.
        package var withdrawn = 0

        /// Whether nothing had to be done.
        package var isEmpty: Bool { self == Report() }
    }

    /// How many commands wait in the dispatcher's mailbox at once; it takes 1,000 together.
    private static let commandsAtOnce = 1_000

    private let accounts: Accounts
    private let taxis: TaxiService
    private let zone: ZoneTable
    /// The pass that works; the next one waits for it.
    private var current: Task<Report, any Error>?
    /// The pass that has not begun; it will see what was written until now.
    private var next: Task<Report, any Error>?

    /// The fleet of a city.
    ///
    /// - Parameters:
    ///   - accounts: who knows the papers.
    ///   - taxis: the taxi service.
    ///   - zone: the time zone in which a licence's last day ends.
    package init(_ accounts: Accounts, taxis: TaxiService, zone: ZoneTable) {
        self.accounts = accounts
        self.taxis = taxis
        self.zone = zone
    }

    /// Brings the register to what the papers say now; passes follow one another.
    ///
    /// - Returns: what was done, by this pass or by one that began later.
    /// - Throws: `DispatchService.Failure.notServing` where another server has the dispatcher: its
    ///   own passes do it within ``TaxiRank/fleetSeconds``; what the databases throw.
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

    /// Takes away what people have under way who were erased: what they asked for in the moment of
    /// leaving, or what a backup brought back (F24).
    private func withdrawStrays() async throws -> Int {
        let people = try await taxis.passengersUnderWay().map { PersonNumber(passenger: $0) }
        var count = 0
        for person in try await accounts.erased(among: people) {
            count += try await taxis.withdrawAll(of: person.passenger, reason: "account deleted")
        }
        return count
    }

    /// The number under which the dispatcher knows a taxi; nil where it is not in the register.
    package func number(of taxi: PersonNumber) async throws -> TaxiNumber? {
        try await taxis.number(of: taxi)
    }
}

extension TaxiService {
    /// The number under which the dispatcher knows a taxi; nil where it is not in the register.
    package func number(of taxi: PersonNumber) async throws -> TaxiNumber? {
        let code = taxi.dispatcherCode
        return try await dispatch.read { state in
            state.taxis.last { $0.code == code && !$0.isRemoved }?.number
        }
    }

    /// Ends all that somebody has under way who is about to be erased (F24).
    package func leave(_ person: PersonNumber, in data: Database) async throws {
        try await leave(person, try await LeavingTaxi.taxi(of: person, in: data))
    }

    /// Ends all that somebody has under way who is about to be erased (F24).
    ///
    /// - Parameters:
    ///   - person: who.
    ///   - driven: the taxi that the person drives; nil where there is none.
    /// - Throws: `LeavingObstacle`; ``Failure/notServing`` where another server has the dispatcher.
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

    /// What a person has under way, as passenger and as driver of a taxi.
    ///
    /// - Parameters:
    ///   - person: who.
    ///   - driven: the taxi that the person drives; nil where there is none.
    /// - Returns: what is cancelled when the person leaves, and what stands in the way.
    /// - Throws: ``Failure/notServing`` where another server has the dispatcher.
    package func underWay(of person: PersonNumber, _ driven: PersonNumber?) async throws -> UnderWay {
        var found = try await underWay(of: person.passenger)
        guard let driven, let number = try await number(of: driven) else { return found }
        // Of a shared taxi only what its driver does just now stands in his own way.
        if let driver = try await shift(of: number), driver != person.rawValue { return found }
        found.obstacle = try await obstacle(toLeaving: number) ?? found.obstacle
        return found
    }
}

/// The commands that lie between a register and a fleet.
package struct FleetPlan: Sendable {
    /// The commands, in no order that matters.
    package private(set) var commands: [Command] = []
    /// How many taxis should leave and have a ride.
    package private(set) var riding = 0

    /// Compares a register, removed taxis too, with what it should be.
    ///
    /// Taxis whose code is no pseudonym of ours are left alone.
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
                // He brings his passenger home and gets no other: his licence is over.
                riding += 1
                form.licensedUntil = Moment(milliseconds: 0)
                if form != taxi.form { commands.append(.change(taxi.number, form)) }
            }
        }
        commands += fleet.filter { wanted[$0.code] != nil }.map { .register($0) }
    }
}

extension Taxi {
    /// What was entered of it.
    fileprivate var form: TaxiForm {
        TaxiForm(code: code, capacity: capacity, licensedUntil: licensedUntil)
    }
}

extension FleetTaxi {
    /// The taxi as the dispatcher is told of it: until the midnight after the last day.
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
    /// The code by which the dispatcher and its log know a taxi of this number.
    package var dispatcherCode: String { "\(rawValue)" }

    /// The taxi that the dispatcher knows by a code; nil where the code is none of ours.
    package init?(dispatcherCode code: String) {
        guard let number = Int64(code), number > 0, "\(number)" == code else { return nil }
        self.init(rawValue: number)
    }

    /// The pseudonym by which the dispatcher knows a passenger.
    package var passenger: PassengerNumber {
        PassengerNumber(rawValue: UInt64(bitPattern: rawValue))
    }

    /// The person whom the dispatcher knows by a pseudonym.
    package init(passenger: PassengerNumber) {
        self.init(rawValue: Int64(bitPattern: passenger.rawValue))
    }
}
