import Chronology
import Dispatching
import Storage

/// Derives the outcome of each request from the log.
///
/// It needs only the entries in order and keeps only live requests (I30). It can be rebuilt from
/// the first entry at any time.
struct RideProjection: Sendable {
    /// The position in the log.
    private(set) var head: LogHead
    /// The records of requests that have not ended.
    private(set) var live: [RequestNumber: RideRecord]
    /// The joiners of each request.
    private var joiners: [RequestNumber: [RequestNumber]] = [:]
    /// The codes of all taxis.
    private var codes: [TaxiNumber: String]

    /// The changes caused by entries.
    struct Changes: Sendable {
        /// New and changed records, including those that ended.
        var records: [RequestNumber: RideRecord] = [:]
        /// The steps of rides in order.
        var steps: [Step] = []
        /// The latest policy, if one came into force.
        var policy: Policy?
        /// Whether taxis were added to, changed in or removed from the register.
        var changesRegister = false
        /// Rides that changed owner or returned to the search, in order.
        var passings: [Passing] = []
        /// Taxis whose drivers went off duty, in order.
        var shiftEnds: [ShiftEnd] = []
    }

    /// A transfer of a ride.
    enum Passing: Sendable {
        /// To the first joiner.
        case heir(of: RequestNumber, RequestNumber)
        /// From its driver back to the search.
        case search(RequestNumber, at: Moment)
    }

    /// The end of a driver's shift.
    struct ShiftEnd: Sendable {
        var taxi: TaxiNumber
        /// The sequence number of the log entry.
        var sequence: Int64
        var at: Moment
    }

    /// A step of a ride that requires an action.
    struct Step: Sendable {
        enum Kind: Sendable {
            case accepted
            case givenBack
            case reached
            case boarded
            case atDestination
            case ended
        }

        var kind: Kind
        var at: Moment
        /// The record after the step; for a returned ride, the record before.
        var record: RideRecord
    }

    /// Restores a projection at a position in the log.
    init(head: LogHead, live records: [RideRecord], codes: [TaxiNumber: String]) {
        self.head = head
        self.codes = codes
        live = Dictionary(records.map { ($0.request, $0) }, uniquingKeysWith: { $1 })
        for record in records.sorted(by: { $0.request < $1.request }) {
            if let owner = record.owner { joiners[owner, default: []].append(record.request) }
        }
    }

    /// Applies the next entry of the log.
    mutating func follow(_ entry: Entry, at head: LogHead, _ changes: inout Changes) {
        precondition(
            head.sequence == self.head.sequence + 1,
            "An entry of the log was skipped or followed twice."
        )
        self.head = head
        for event in entry.events { follow(event, of: entry, &changes) }
    }

    private mutating func follow(_ event: Event, of entry: Entry, _ changes: inout Changes) {
        switch event {
        case .city(let event): follow(event, of: entry, &changes)
        case .taxi(let event):
            if case .wentOffDuty(let taxi, _, _) = event { endShift(of: taxi, entry, &changes) }
        case .request(.requested), .request(.reserved), .request(.joined):
            arrive(event, of: entry, &changes)
        case .request(.ownerChanged(let old, let new)): changeOwner(from: old, to: new, &changes)
        case .request(.ended(let request, let outcome, _)):
            end(request, outcome, entry, &changes)
        case .request: break
        case .offer(let event):
            if case .accepted(let request) = event { accept(request, entry, &changes) }
        case .ride(let event): follow(event, of: entry, &changes)
        }
    }

    private mutating func follow(
        _ event: Event.City,
        of entry: Entry,
        _ changes: inout Changes
    ) {
        switch event {
        case .policyAdopted(let policy): changes.policy = policy
        case .taxiRegistered(let taxi, let form), .taxiChanged(let taxi, let form):
            codes[taxi] = form.code
            changes.changesRegister = true
        case .taxiRemoved(let taxi):
            changes.changesRegister = true
            endShift(of: taxi, entry, &changes)
        case .zonesDrawn, .setupCompleted, .suspended, .resumed, .restarted: break
        }
    }

    private mutating func follow(
        _ event: Event.Ride,
        of entry: Entry,
        _ changes: inout Changes
    ) {
        switch event {
        case .givenBack(let request, _, _): giveBack(request, entry, &changes)
        case .meetingPointReached(let request):
            step(.reached, request, entry, &changes) { $0.reached = entry.at }
        case .boarded(let request, let count):
            step(.boarded, request, entry, &changes) { record in
                record.boarded = entry.at
                record.aboard = count
            }
        case .destinationReached(let request):
            step(.atDestination, request, entry, &changes) { _ in }
        case .arrivalStated, .codeRejected: break
        }
    }

    private mutating func accept(
        _ request: RequestNumber,
        _ entry: Entry,
        _ changes: inout Changes
    ) {
        var driver: TaxiNumber?
        if case .command(.offer(.accept(_, let taxi, _))) = entry.input { driver = taxi }
        let codes = codes
        step(.accepted, request, entry, &changes) { record in
            record.accepted = entry.at
            record.taxi = driver
            record.taxiCode = driver.flatMap { codes[$0] }
        }
    }

    private func endShift(of taxi: TaxiNumber, _ entry: Entry, _ changes: inout Changes) {
        changes.shiftEnds.append(ShiftEnd(taxi: taxi, sequence: head.sequence, at: entry.at))
    }

    private mutating func arrive(_ event: Event, of entry: Entry, _ changes: inout Changes) {
        guard var record = RideRecord(event, of: entry, at: head) else { return }
        if let owner = record.owner {
            joiners[owner, default: []].append(record.request)
            if let ride = live[owner] { record.share(ride) }
        }
        live[record.request] = record
        changes.records[record.request] = record
    }

    /// Adds a step of a ride for all of its parties.
    private mutating func step(
        _ kind: Step.Kind,
        _ request: RequestNumber,
        _ entry: Entry,
        _ changes: inout Changes,
        _ change: (inout RideRecord) -> Void
    ) {
        for number in [request] + (joiners[request] ?? []) {
            guard var record = live[number] else { continue }
            change(&record)
            record.head = head
            live[number] = record
            changes.records[number] = record
        }
        guard let record = live[request] else { return }
        changes.steps.append(Step(kind: kind, at: entry.at, record: record))
    }

    private mutating func giveBack(
        _ request: RequestNumber,
        _ entry: Entry,
        _ changes: inout Changes
    ) {
        guard let former = live[request] else { return }
        changes.steps.append(Step(kind: .givenBack, at: entry.at, record: former))
        changes.passings.append(.search(request, at: entry.at))
        for number in [request] + (joiners[request] ?? []) {
            guard var record = live[number] else { continue }
            record.loseTaxi()
            record.head = head
            live[number] = record
            changes.records[number] = record
        }
    }

    private mutating func changeOwner(
        from old: RequestNumber,
        to new: RequestNumber,
        _ changes: inout Changes
    ) {
        precondition(old != new, "A ride passed to the request that it belongs to.")
        guard let former = live[old], var heir = live[new] else { return }
        heir.owner = nil
        heir.due = former.due
        heir.share(former)
        heir.head = head
        live[new] = heir
        changes.records[new] = heir
        changes.passings.append(.heir(of: old, new))
        let others = (joiners.removeValue(forKey: old) ?? []).filter { $0 != new }
        if !others.isEmpty { joiners[new] = others }
        for number in others {
            live[number]?.owner = new
            changes.records[number] = live[number]
        }
        // The former owner no longer has a ride.
        live[old]?.taxi = nil
    }

    private mutating func end(
        _ request: RequestNumber,
        _ outcome: RequestOutcome,
        _ entry: Entry,
        _ changes: inout Changes
    ) {
        guard var record = live.removeValue(forKey: request) else { return }
        record.ended = entry.at
        record.outcome = outcome
        record.head = head
        changes.records[request] = record
        joiners[request] = nil
        if let owner = record.owner { joiners[owner]?.removeAll { $0 == request } }
        if record.owner == nil {
            changes.steps.append(Step(kind: .ended, at: entry.at, record: record))
        }
    }
}

extension RideProjection.Changes {
    /// The statements that update the drivers recorded for rides, in order.
    func driverStatements(log: String) -> [SQL] {
        // The numbers under which a driver of a ride may still be recorded.
        var former: [RequestNumber: [RequestNumber]] = [:]
        return passings.flatMap { passing -> [SQL] in
            switch passing {
            case .heir(of: let old, let new):
                former[new] = [old] + (former[old] ?? [])
                return [
                    """
                    UPDATE ride_driver SET request = \(new.stored)
                    WHERE log = \(log) AND request = \(old.stored) AND NOT EXISTS (
                        SELECT 1 FROM ride_driver WHERE log = \(log) AND request = \(new.stored)
                    )
                    """
                ]
            case .search(let request, at: let moment):
                // A driver who has accepted the ride since stays recorded.
                return ([request] + (former[request] ?? [])).map { number in
                    """
                    DELETE FROM ride_driver WHERE log = \(log) AND request = \(number.stored)
                        AND taken < \(moment.milliseconds)
                    """
                }
            }
        }
    }
}
