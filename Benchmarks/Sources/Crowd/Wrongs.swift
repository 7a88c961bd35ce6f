/// Violations that pages alone can prove: a taxi in two rides, and queue positions that change
/// without a rule (I6).
///
/// A page is requested at one moment and received at another, and anything may happen in between.
/// Two observations therefore contradict each other only where no order of events explains both.
struct Wrongs {
    private struct Ride {
        var request: String
        /// When a page that showed it was first received, and when one that showed
        /// it was last requested.
        var firstHad: ContinuousClock.Instant
        var lastAsked: ContinuousClock.Instant
    }

    private struct Wait {
        /// The driver was not in the queue at this moment; nil where that is not known.
        var notBefore: ContinuousClock.Instant?
        /// The driver was certainly in the queue from this moment on.
        var certain: ContinuousClock.Instant
        var place: QueuePlace
    }

    private struct Offer {
        /// When the page that shows it was received.
        var had: ContinuousClock.Instant
        /// The latest moment at which any driver who had been offered a ride by then was
        /// not yet in the queue.
        var lastToEnter: ContinuousClock.Instant?
    }

    /// The greatest number of violations that are described in full.
    private static let mostExamples = 5
    /// The number of offers remembered for each zone: those of the last minutes.
    private static let mostOffers = 200

    private var rides: [String: [Ride]] = [:]
    private var waiting: [Int: Wait] = [:]
    /// When a page was requested that showed that a driver is in no queue, by driver.
    private var out: [Int: ContinuousClock.Instant] = [:]
    private var offers: [String: [Offer]] = [:]
    private var messages: [String] = []
    /// The number of violations found.
    private(set) var count = 0
    /// How often a waiting driver moved back or was overtaken.
    private(set) var falls = 0

    /// The first violations, as JSON strings.
    var examples: String { messages.map { "\"\($0)\"" }.joined(separator: ",") }

    /// Records a violation.
    mutating func note(_ line: String) {
        count += 1
        if messages.count < Self.mostExamples { messages.append(line) }
    }

    private mutating func fall(_ line: String) {
        falls += 1
        if messages.count < Self.mostExamples { messages.append(line) }
    }

    /// Records that a passenger's page shows a taxi: no other ride may have it
    /// at the same time (I1).
    mutating func ride(_ request: String, in plate: String, _ seen: LivePage.Moments) {
        var all = rides[plate] ?? []
        if let own = all.firstIndex(where: { $0.request == request }) {
            all[own].lastAsked = seen.asked
        } else {
            // The last two rides and this one are enough to detect an overlap.
            all = all.suffix(2)
            all.append(Ride(request: request, firstHad: seen.had, lastAsked: seen.asked))
        }
        rides[plate] = all
        guard let own = all.first(where: { $0.request == request }) else { return }
        for other in all where other.request != request {
            let begin = max(own.firstHad, other.firstHad)
            if begin <= min(own.lastAsked, other.lastAsked) {
                note("taxi \(plate) drove for \(request) and \(other.request) at once")
            }
        }
    }

    /// Records a driver's queue position; nil where the driver is in no queue.
    ///
    /// A waiting driver only moves forward, and nobody who came later gets an offer first, since
    /// nobody refuses or changes zone in this load. A driver may only fall behind somebody whose
    /// turn was kept during a lost contact (taxi.md, `driver.grace_s`); whether there was one is
    /// known only from all processes together.
    mutating func waits(_ driver: Int, at place: QueuePlace?, _ seen: LivePage.Moments) {
        guard let place else {
            waiting[driver] = nil
            out[driver] = seen.asked
            return
        }
        if place.number > place.of || place.number < 1 {
            note("driver \(driver) is \(place.number) of \(place.of) in \(place.zone)")
        }
        guard let wait = waiting[driver], wait.place.zone == place.zone else {
            waiting[driver] = Wait(notBefore: out[driver], certain: seen.had, place: place)
            return
        }
        if wait.place.number < place.number {
            let (before, now) = (wait.place.number, place.number)
            fall("driver \(driver) fell from \(before) to \(now) in \(place.zone)")
        }
        let earlier = offers[place.zone]?.last { $0.had < seen.asked }
        if let last = earlier?.lastToEnter, last > wait.certain {
            fall("driver \(driver) was overtaken in \(place.zone)")
        }
        waiting[driver]?.place = place
    }

    /// Records that a driver's page shows an offer: the driver was the first in the queue.
    mutating func isOffered(_ driver: Int, _ seen: LivePage.Moments) {
        out[driver] = seen.asked
        guard let wait = waiting.removeValue(forKey: driver) else { return }
        var all = offers[wait.place.zone] ?? []
        let last = [all.last?.lastToEnter, wait.notBefore].compactMap(\.self).max()
        all.append(Offer(had: seen.had, lastToEnter: last))
        if all.count > Self.mostOffers { all.removeFirst(all.count / 2) }
        offers[wait.place.zone] = all
    }
}
