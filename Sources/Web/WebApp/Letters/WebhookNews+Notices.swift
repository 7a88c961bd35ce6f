import CalendarPages
import Chronology
import Dispatching
import Identity
import Storage
import Taxi
import TaxiPages
import Webhooks

extension NoticeForwarder {
    /// What applications are told for items of the outbox, in the order in which it happened.
    ///
    /// - Throws: any `DatabaseFailure`.
    func rideNews(_ items: [Outbox.Item]) async throws -> [WebhookNews] {
        let told = items.compactMap { item -> (Outbox.ItemId, WebhookEvent, PassengerNumber)? in
            guard let notice = Notice(payload: item.payload), let event = WebhookEvent(notice),
                case .passenger(let passenger) = notice.recipient
            else { return nil }
            return (item.id, event, passenger)
        }
        .sorted { ($0.0.sequence, $0.0.ordinal) < ($1.0.sequence, $1.0.ordinal) }
        if told.isEmpty { return [] }
        let moments = try await taxi.dispatch.eventLog.entries(told.map(\.0.sequence))
            // An entry that cannot be read must not stop the messages to people.
            .compactMapValues { try? Entry(bytes: $0).at }
        return told.map { id, event, passenger in
            WebhookNews(
                cause: "ride \(id)",
                event: event,
                moment: moments[id.sequence] ?? clock.now(),
                person: PersonNumber(passenger: passenger)
            )
        }
    }
}

extension WebhookEvent {
    /// What applications are told for a notice; nil if they are told nothing.
    init?(_ notice: Notice) {
        guard let number = notice.request else { return nil }
        let request = Int64(bitPattern: number.rawValue)
        switch notice.kind {
        case .taxiFound: self = .found(request: request)
        case .taxiThere: self = .arrived(request: request)
        case .taxiLost: self = .lost(request: request)
        case .ended, .reservationEnded:
            guard let outcome = notice.outcome else { return nil }
            self = .ended(request: request, outcome: "\(outcome)")
        case .offer, .offerWithdrawn, .offerExpired, .offerRenewed, .ride, .rideCancelled,
            .queued, .offDuty, .turnRestored, .searching, .held, .sharingJoined, .sharingOwner,
            .sharingLeft, .booked, .suspended, .resumed:
            return nil
        }
    }
}

extension WebhookRegister {
    /// Tells applications that a plan no longer works, in the transaction that remembers it.
    func tell(_ plan: BrokenPlan, at now: Moment, in transaction: Transaction) throws {
        let news = WebhookNews(
            cause: "plan \(plan.person.rawValue) \(plan.day.iso8601) \(plan.version)",
            event: .planBroken(day: plan.day),
            moment: now,
            person: plan.person
        )
        try tellOfPlan(news, at: now, in: transaction)
    }
}
