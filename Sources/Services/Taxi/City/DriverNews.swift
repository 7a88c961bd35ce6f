package import Chronology
package import Dispatching
import Synchronization

/// The latest events that concern a driver, for the driver's page.
///
/// It is derived from the log since the start of the service and is not stored.
package struct DriverNews: Hashable, Sendable {
    /// The driver's position in a queue and the reason for it.
    package struct Queued: Hashable, Sendable {
        /// The start of the wait, which a restored position keeps.
        package var since: Moment
        /// When the driver got this position.
        package var at: Moment
        /// The reason for the position.
        package var cause: QueueCause
        var rank: Rank
    }

    /// An event that is shown to the driver.
    package enum Happening: Hashable, Sendable {
        /// An offer to the driver was closed without a ride.
        case offerClosed(OfferOutcome)
        /// A ride of the driver ended.
        case rideEnded(RequestNumber, RequestOutcome)
        /// The driver went off duty or was taken off, for a dispatcher's stated reason.
        case offDuty(OffDutyCause, reason: String)
        /// The driver was queued for a reason other than the driver's own action.
        case queued(QueueCause)
        /// The driver left the city's zones.
        case leftCity
    }

    /// The driver's current queue position; nil if there was none since the start.
    package var queued: Queued?
    /// The latest event and its time.
    package var last: (at: Moment, what: Happening)? {
        get { moment.flatMap { moment in happening.map { (moment, $0) } } }
        set { (moment, happening) = (newValue?.at, newValue?.what) }
    }
    private var moment: Moment?
    private var happening: Happening?

    /// Creates news without any event.
    package init() {}
}

/// Derives ``DriverNews`` from the log; memory is bounded by taxis and live requests (I30).
final class DriverNewsLog: Sendable {
    fileprivate struct Rows: Sendable {
        var news: [TaxiNumber: DriverNews] = [:]
        /// The taxi that has an offer or a ride for each request.
        var taxis: [RequestNumber: TaxiNumber] = [:]
    }

    private let rows = Mutex(Rows())

    /// Returns the latest news of a driver.
    func news(of taxi: TaxiNumber) -> DriverNews {
        rows.withLock { $0.news[taxi] ?? DriverNews() }
    }

    /// Returns whether a taxi ahead in the queue came later, because its turn was restored.
    func isOvertaken(_ taxi: TaxiNumber, by ahead: [TaxiNumber]) -> Bool {
        rows.withLock { rows in
            guard let since = rows.news[taxi]?.queued?.at else { return false }
            return ahead.contains { other in
                rows.news[other]?.queued.map { $0.at > since } ?? false
            }
        }
    }

    /// Initialises the offers and rides from the dispatcher's state.
    func begin(_ requests: [Request]) {
        rows.withLock { rows in
            for request in requests {
                rows.taxis[request.number] = request.offer?.taxi ?? request.ride?.taxi
            }
        }
    }

    /// Applies an entry of the log; safe to repeat.
    func follow(_ entry: Entry) {
        rows.withLock { rows in
            for event in entry.events { rows.follow(event, at: entry.at) }
        }
    }
}

extension DriverNewsLog.Rows {
    fileprivate mutating func follow(_ event: Event, at moment: Moment) {
        switch event {
        case .city: break
        case .taxi(let event): follow(event, at: moment)
        case .request(.ownerChanged(let old, let new)):
            taxis[new] = taxis.removeValue(forKey: old)
        case .request(.ended(let request, let outcome, _)):
            guard let taxi = taxis.removeValue(forKey: request) else { return }
            tell(taxi, .rideEnded(request, outcome), moment)
        case .offer(.offered(let request, let taxi, _, _)): taxis[request] = taxi
        case .offer(.offerClosed(let request, let outcome)):
            guard let taxi = taxis.removeValue(forKey: request) else { return }
            tell(taxi, .offerClosed(outcome), moment)
        // The event that takes the driver off duty follows separately.
        case .ride(.givenBack(let request, _, _)): taxis[request] = nil
        case .request, .offer, .ride: break
        }
    }

    private mutating func follow(_ event: Event.Taxi, at moment: Moment) {
        switch event {
        case .wentOnDuty(let taxi): news[taxi, default: DriverNews()].last = nil
        case .wentOffDuty(let taxi, let cause, let reason):
            news[taxi]?.queued = nil
            tell(taxi, .offDuty(cause, reason: reason), moment)
        case .dequeued(let taxi, .leftCity):
            news[taxi]?.queued = nil
            tell(taxi, .leftCity, moment)
        case .enqueued(let taxi, _, let rank, let cause): enqueue(taxi, rank, cause, moment)
        case .dequeued, .placed, .contactLost, .contactRegained, .turnRestored, .turnKept,
            .homeTurnKept:
            break
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
        // A driver who gets back the old position, or a better one, has waited all the time.
        let keeps = known?.rank == rank || [.turnRestored, .redrawn].contains(cause)
        news[taxi, default: DriverNews()].queued = DriverNews.Queued(
            since: keeps ? known?.since ?? moment : moment,
            at: moment,
            cause: cause,
            rank: rank
        )
        switch cause {
        case .changedZone, .enteredCity, .regainedContact, .redrawn, .turnRestored, .returned:
            tell(taxi, .queued(cause), moment)
        default: break
        }
    }
}
