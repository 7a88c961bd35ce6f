package import Chronology
package import Dispatching
package import Storage

/// The state or outcome of a request according to the log: an entry of a history (R34, R101).
package struct RideRecord: Hashable, Sendable {
    package var request: RequestNumber
    package var passenger: PassengerNumber
    /// The owner's request, for a joiner.
    package var owner: RequestNumber?
    /// The zone in which it arrived.
    package var zone: ZoneNumber?
    /// When the request arrived.
    package var asked: Moment
    /// The reserved time, for a reservation.
    package var due: Moment?
    /// The taxi that accepted.
    package var taxi: TaxiNumber?
    /// The code of the taxi at that time.
    package var taxiCode: String?
    /// When the taxi accepted.
    package var accepted: Moment?
    /// When the taxi reached the pickup point.
    package var reached: Moment?
    /// When the passengers boarded.
    package var boarded: Moment?
    /// The number of passengers on board.
    package var aboard: UInt8?
    package var ended: Moment?
    package var outcome: RequestOutcome?
    /// The log position of the latest event, with the hash of the chain up to it.
    package var head: LogHead

    /// Joins another ride and takes over its progress.
    mutating func share(_ ride: RideRecord) {
        precondition(request != ride.request, "A request joined itself.")
        taxi = ride.taxi
        taxiCode = ride.taxiCode
        accepted = ride.accepted
        reached = ride.reached
        boarded = ride.boarded
        aboard = ride.aboard
    }

    /// Clears the taxi after it gave the ride back.
    mutating func loseTaxi() {
        taxi = nil
        taxiCode = nil
        accepted = nil
        reached = nil
    }

    /// Creates the record of a request that an event adds; nil for other events.
    init?(_ event: Event, of entry: Entry, at head: LogHead) {
        let form: RequestForm
        switch event {
        case .request(.requested(let number, let asked)): (request, form) = (number, asked)
        case .request(.reserved(let number, let asked, let hour, _)):
            (request, form) = (number, asked)
            due = hour
        case .request(.joined(let number, let asked, let host)):
            (request, form) = (number, asked)
            owner = host
        case .city, .taxi, .request, .offer, .ride: return nil
        }
        passenger = form.passenger
        zone = form.zone
        asked = entry.at
        self.head = head
    }
}

extension RideRecord {
    /// The statement that stores the record, replacing an earlier version.
    func upsert(log: String) -> SQL {
        """
        INSERT INTO ride (log, request, passenger, owner, zone, asked, due, taxi, taxi_code,
            accepted, reached, boarded, aboard, ended, outcome, sequence, hash)
        VALUES (\(log), \(request.stored), \(passenger.stored), \(owner?.stored),
            \(zone.map { Int64($0.rawValue) }), \(asked.milliseconds), \(due?.milliseconds),
            \(taxi?.stored), \(taxiCode), \(accepted?.milliseconds),
            \(reached?.milliseconds), \(boarded?.milliseconds), \(aboard.map { Int64($0) }),
            \(ended?.milliseconds), \(outcome.map { Int64($0.rawValue) }),
            \(head.sequence), \(head.hash))
        ON CONFLICT (log, request) DO UPDATE SET owner = excluded.owner, due = excluded.due,
            taxi = excluded.taxi, taxi_code = excluded.taxi_code,
            accepted = excluded.accepted, reached = excluded.reached,
            boarded = excluded.boarded, aboard = excluded.aboard, ended = excluded.ended,
            outcome = excluded.outcome, sequence = excluded.sequence, hash = excluded.hash
        """
    }

    /// Decodes the record in a row.
    init(_ row: Row) throws(DatabaseFailure) {
        func moment(_ column: String) throws(DatabaseFailure) -> Moment? {
            try row.value(column, as: Int64?.self).map { Moment(milliseconds: $0) }
        }
        request = RequestNumber(stored: try row.value("request"))
        passenger = PassengerNumber(stored: try row.value("passenger"))
        owner = try row.value("owner", as: Int64?.self).map { RequestNumber(stored: $0) }
        zone = try row.value("zone", as: Int64?.self).map {
            ZoneNumber(rawValue: UInt32(clamping: $0))
        }
        asked = Moment(milliseconds: try row.value("asked"))
        due = try moment("due")
        taxi = try row.value("taxi", as: Int64?.self).map { TaxiNumber(stored: $0) }
        taxiCode = try row.value("taxi_code")
        accepted = try moment("accepted")
        reached = try moment("reached")
        boarded = try moment("boarded")
        aboard = try row.value("aboard", as: Int64?.self).map { UInt8(clamping: $0) }
        ended = try moment("ended")
        outcome = try row.value("outcome", as: Int64?.self)
            .flatMap { RequestOutcome(rawValue: UInt8(clamping: $0)) }
        head = LogHead(sequence: try row.value("sequence"), hash: try row.value("hash"))
    }
}
