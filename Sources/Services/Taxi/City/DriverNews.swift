package import Chronology
package import Dispatching
import Synchronization

/// What happened to a driver last, for his screen; a memory of the log that begins anew with each
/// start of the service.
package struct DriverNews: Hashable, Sendable {
    /// His place in a queue, with the reason why he has it.
    package struct Queued: Hashable, Sendable {
        /// Since when he waits: a place that he got back counts from before.
        package var since: Moment
        /// When he got this place.
        package var at: Moment
        /// Why.
        package var cause: QueueCause
        /// The place.
        var rank: Rank
    }

    /// Something that happened.
    package enum Happening: Hashable, Sendable {
        /// A question to him was closed without a ride.
        case offerClosed(OfferOutcome)
        /// A ride of his ended.
        case rideEnded(RequestNumber, RequestOutcome)
        /// He went off duty, or was taken off; a dispatcher states a reason.
        case offDuty(OffDutyCause, reason: String)
        /// He came into a queue for a reason that is news to him.
        case queued(QueueCause)
        /// He left the city.
        case leftCity
    }

    /// His place in a queue; nil where he came into none since the start.
    package var queued: Queued?
    /// The last that happened to him, and when.
    package var last: (at: Moment, what: Happening)? {
        get { moment.flatMap { moment in happening.map { (moment, $0) } } }
        set { (moment, happening) = (newValue?.at, newValue?.what) }
    }
    private var moment: Moment?
    private var happening: Happening?

    /// Nothing happened yet.
    package init() {}
}

/// Remembers from the log what drivers are to be told; one row for each taxi and live request
/// (I30).
final class DriverChronicle: Sendable {
    fileprivate struct Rows: Sendable {
        var news: [TaxiNumber: DriverNews] = [:]
        /// The taxi that is asked for a request, or rides for it.
        var taxis: [RequestNumber: TaxiNumber] = [:]
    }

    private let rows = Mutex(Rows())

    /// What happened to a driver.
    func news(of taxi: TaxiNumber) -> DriverNews {
        rows.withLock { $0.news[taxi] ?? DriverNews() }
    }

    /// Whether one of those who stand before a driver came there after him: by getting back a turn.
    func isOvertaken(_ taxi: TaxiNumber, by ahead: [TaxiNumber]) -> Bool {
        rows.withLock { rows in
            guard let since = rows.news[taxi]?.queued?.at else { return false }
            return ahead.contains { other in
                rows.news[other]?.queued.map { $0.at > since } ?? false
            }
        }
    }

    /// Begins with the state: who is asked for what, and who rides.
    func begin(_ requests: [Request]) {
        rows.withLock { rows in
            for request in requests {
                rows.taxis[request.number] = request.offer?.taxi ?? request.ride?.taxi
            }
        }
    }

    /// Follows an entry of the log; the same entry may come again.
    func follow(_ entry: Entry) {
        rows.withLock { rows in
            for event in entry.events { rows.follow(event, at: entry.at) }
        }
    }
}

extension DriverChronicle.Rows {
    fileprivate mutating func follow(_ event: Event, at moment: Moment) {
        switch event {
        case .offered(let request, let taxi, _, _): taxis[request] = taxi
        case .offerClosed(let request, let outcome):
            guard let taxi = taxis.removeValue(forKey: request) else { return }
            tell(taxi, .offerClosed(outcome), moment)
        case .ownerChanged(let old, let new): taxis[new] = taxis.removeValue(forKey: old)
        // That he goes off duty for it follows.
        case .givenBack(let request, _, _): taxis[request] = nil
        case .ended(let request, let outcome, _):
            guard let taxi = taxis.removeValue(forKey: request) else { return }
            tell(taxi, .rideEnded(request, outcome), moment)
        case .wentOnDuty(let taxi): news[taxi, default: DriverNews()].last = nil
        case .wentOffDuty(let taxi, let cause, let reason):
            news[taxi]?.queued = nil
            tell(taxi, .offDuty(cause, reason: reason), moment)
        case .dequeued(let taxi, .leftCity):
            news[taxi]?.queued = nil
            tell(taxi, .leftCity, moment)
        case .enqueued(let taxi, _, let rank, let cause): enqueue(taxi, rank, cause, moment)
        default: break
        }
    }

    private mutating func tell(
        _ taxi: TaxiNumber,
        _ what: DriverNews.Happening,
        _ moment: Moment
    ) {
        news[taxi, default: DriverNews()].last = (moment, what)
    }

    private mutating func enqueue(
        _ taxi: TaxiNumber,
        _ rank: Rank,
        _ cause: QueueCause,
        _ moment: Moment
    ) {
        let known = news[taxi]?.queued
        // Who gets his old place back, or a better one, has waited all the time.
        let keeps = known?.rank == rank || [.turnRestored, .redrawn].contains(cause)
        news[taxi, default: DriverNews()].queued = DriverNews.Queued(
            since: keeps ? known?.since ?? moment : moment,
            at: moment,
            cause: cause,
            rank: rank
        )
        switch cause {
        case .changedZone, .enteredCity, .regainedContact, .redrawn, .turnRestored:
            tell(taxi, .queued(cause), moment)
        default: break
        }
    }
}
