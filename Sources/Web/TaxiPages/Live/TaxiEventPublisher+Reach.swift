import Chronology
import Identity
import LiveUpdates
import Notify
import Taxi

extension TaxiEventPublisher {
    /// How long a page without scripts lasts, in seconds: it reloads itself at least every 20 s.
    static let pageSeconds: Int64 = 30
    /// How long a stream may be interrupted, in seconds: a browser reconnects after 3 s.
    static let reconnectSeconds: Int64 = 5
    /// How long all drivers count as reached after the start, in seconds, because every page has to
    /// connect again.
    static let startSeconds: Int64 = 30

    /// Notes whether this server dispatches; call it every second.
    func noteServing(at now: Moment) {
        servesSince = taxi.serves ? servesSince ?? now : nil
    }

    /// Passes over drivers whom neither a message nor a page has reached, so that the next is asked
    /// at once (R53).
    func passOverUnreached() async {
        let now = clock.now()
        guard let servesSince, servesSince.adding(seconds: Self.startSeconds) <= now else { return }
        let asked = taxi.undelivered.all.map { PersonNumber(rawValue: $0.driver) }
        seen = seen.filter { asked.contains($0.key) }
        for person in asked where seesPage(person, at: now) { seen[person] = now }
        let reached = seen.filter { $0.value.adding(seconds: Self.reconnectSeconds) > now }
        // After a failure, the next tick tries again.
        try? await taxi.passOverUndelivered { reached[PersonNumber(rawValue: $0)] != nil }
    }

    /// Whether a driver has a page open that shows an offer.
    private func seesPage(_ person: PersonNumber, at now: Moment) -> Bool {
        if live.hub.isFollowed(.driver(person)) { return true }
        guard let load = driverPages.lastLoad(of: person) else { return false }
        return now < load.adding(seconds: Self.pageSeconds)
    }
}
