package import Chronology
package import Dispatching
package import Storage

/// What became of a request, as the log tells it: a line of a history (R34, R101).
package struct RideRecord: Hashable, Sendable {
    /// Its number.
    package var request: RequestNumber
    /// Who asked.
    package var passenger: PassengerNumber
    /// With whom he rode along, if with anybody.
    package var owner: RequestNumber?
    /// The zone it arrived in.
    package var zone: ZoneNumber?
    /// When it arrived.
    package var asked: Moment
    /// The hour of a reservation.
    package var due: Moment?
    /// Who accepted.
    package var taxi: TaxiNumber?
    /// The code that the taxi had then.
    package var taxiCode: String?
    /// When.
    package var accepted: Moment?
    /// When the meeting point was reached.
    package var reached: Moment?
    /// When the passengers were aboard.
    package var boarded: Moment?
    /// How many.
    package var aboard: UInt8?
    /// When it ended.
    package var ended: Moment?
    /// How.
    package var outcome: RequestOutcome?
    /// The place in the log of the last that happened, with the hash of the chain up to it.
    package var head: LogHead

    /// Rides along with another: what has happened to that ride has happened to it.
    mutating func share(_ ride: RideRecord) {
        taxi = ride.taxi
        taxiCode = ride.taxiCode
        accepted = ride.accepted
        reached = ride.reached
        boarded = ride.boarded
        aboard = ride.aboard
    }

    /// The taxi that was found does not come.
    mutating func loseTaxi() {
        taxi = nil
        taxiCode = nil
        accepted = nil
        reached = nil
    }

    /// The record of a request that arrives with an event, if one does.
    init?(_ event: Event, of entry: Entry, at head: LogHead) {
        let form: RequestForm
        switch event {
        case .requested(let number, let asked): (request, form) = (number, asked)
        case .reserved(let number, let asked, let hour, _):
            (request, form) = (number, asked)
            due = hour
        case .joined(let number, let asked, let host):
            (request, form) = (number, asked)
            owner = host
        default: return nil
        }
        passenger = form.passenger
        zone = form.zone
        asked = entry.at
        self.head = head
    }
}

extension RideRecord {
    /// Keeps the record, in the place of an earlier one.
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

    /// The record that a row holds.
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
