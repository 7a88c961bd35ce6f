import Chronology
import Dispatching
import Fares
import Identity
import Localization
import Notify
import Storage
import Taxi
import TaxiPages

extension NoticeForwarder {
    /// How long before pickup a passenger is reminded of a reservation, in seconds.
    static let remindSeconds: Int64 = 3_600

    /// Schedules reminders for new reservations, to be sent before pickup.
    ///
    /// Whether a reminder still applies is checked at delivery time.
    func reminders(_ items: [Outbox.Item], at now: Moment) async throws -> [Posting] {
        var postings: [Posting] = []
        for item in items {
            guard let notice = Notice(payload: item.payload), notice.kind == .booked,
                case .passenger(let passenger) = notice.recipient, let request = notice.request,
                let due = try await taxi.dispatch.read({ $0.request(request)?.due }),
                let id = PostingId("remind.\(item.id)")
            else { continue }
            let moment = due.adding(seconds: -Self.remindSeconds)
            // A reservation this close to pickup needs no reminder: its confirmation has just been
            // sent.
            guard now < moment else { continue }
            postings.append(
                Posting(
                    id,
                    to: "\(Int64(bitPattern: passenger.rawValue))",
                    kind: TaxiNotificationKind.reservationReminder,
                    sealed: RideLetter.reminder.bytes(request),
                    notBefore: moment,
                    usefulUntil: due
                )
            )
        }
        return postings
    }
}

extension RideLetters {
    /// The message about a reservation; nil if it no longer applies.
    func reservation(
        _ letter: RideLetter,
        _ request: RequestNumber,
        for person: PersonNumber,
        in language: Language
    ) async throws -> ReservationMessage? {
        let taxi = installation.taxi
        let page = home.page(["ride", "\(request.rawValue)"]) ?? home
        if letter == .notServed || letter == .cancelled {
            guard let ended = try await taxi.ended(request, for: person.passenger),
                let due = ended.record.due
            else { return nil }
            let trip = ReservationMessage.Trip(
                origin: ended.meeting?.text ?? "",
                destination: ended.destination?.text,
                departure: due
            )
            if letter == .notServed { return .notServed(trip, page: home.page(["taxi"]) ?? home) }
            return .cancelled(trip, reason: try await reason(of: ended.record).in(language))
        }
        guard let one = try await taxi.reservation(request, for: person.passenger),
            let places = one.places
        else { return nil }
        let trip = ReservationMessage.Trip(
            origin: places.meetingPoint.text,
            destination: places.destinationPoint?.text,
            departure: one.due
        )
        if letter == .reminder {
            // Passengers with an assigned taxi have already received more detail than a reminder
            // gives.
            return one.isOpen ? .reminder(trip, page: page) : nil
        }
        let isChange = try await taxi.replaced(by: request) != nil
        return isChange ? .changed(trip, page: page) : .booked(trip, page: page)
    }

    /// The reason why a reservation ended: the operator's statement or the text that the page
    /// shows.
    private func reason(of record: RideRecord) async throws -> Text {
        let last = try await installation.taxi.store.story(of: record.request).last?.fact
        if case .ended(.withdrawn, let stated) = last, !stated.isEmpty { return Text(same: stated) }
        return (record.outcome ?? .withdrawn).title
    }
}
