/// What must not be, as pages alone can show it: a taxi in two rides, and places in a queue that
/// change without a rule (I6).
///
/// Pages are asked for at one moment and had at another, and between them anything may happen. So
/// two facts contradict each other only where no order of what happened explains both.
struct Wrongs {
    private struct Ride {
        var request: String
        /// When a page was had that showed it first, and when one was asked for that did so last.
        var firstHad: ContinuousClock.Instant
        var lastAsked: ContinuousClock.Instant
    }

    private struct Wait {
        /// He did not wait yet at this moment; nil where that is not known.
        var notBefore: ContinuousClock.Instant?
        /// He waited for certain from this moment on.
        var certain: ContinuousClock.Instant
        var place: QueuePlace
    }

    private struct Offer {
        /// When the page that shows it was had.
        var had: ContinuousClock.Instant
        /// The latest moment at which anybody who was offered a ride by then did not wait yet.
        var lastToEnter: ContinuousClock.Instant?
    }

    /// So many are told word by word.
    private static let mostExamples = 5
    /// Of each zone so many offers are remembered: those of the last minutes.
    private static let mostOffers = 200

    private var rides: [String: [Ride]] = [:]
    private var waiting: [Int: Wait] = [:]
    /// When a page was asked for that showed that a driver does not wait, by driver.
    private var out: [Int: ContinuousClock.Instant] = [:]
    private var offers: [String: [Offer]] = [:]
    private var told: [String] = []
    /// How much was found.
    private(set) var count = 0
    /// How often somebody who waited was further behind than before, or overtaken.
    private(set) var falls = 0

    /// The first, as strings of JSON.
    var examples: String { told.map { "\"\($0)\"" }.joined(separator: ",") }

    /// Notes that something must not be.
    mutating func note(_ line: String) {
        count += 1
        if told.count < Self.mostExamples { told.append(line) }
    }

    private mutating func fall(_ line: String) {
        falls += 1
        if told.count < Self.mostExamples { told.append(line) }
    }

    /// A passenger's page shows a taxi: no other ride may have it at the same time (I1).
    mutating func ride(_ request: String, in plate: String, _ seen: LivePage.Moments) {
        var all = rides[plate] ?? []
        if let own = all.firstIndex(where: { $0.request == request }) {
            all[own].lastAsked = seen.asked
        } else {
            // Two before this one are enough to see who overlaps.
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

    /// A driver's page shows his place; nil where he does not wait.
    ///
    /// While he waits he only comes nearer, and nobody who came after him is offered a ride before
    /// he is: nobody refuses or changes the zone in this load. Others may fall only behind somebody
    /// whose turn was kept while nobody heard of him (taxi.md, `driver.grace_s`); whether there was
    /// one all processes know together.
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

    /// A driver's page shows an offer: he was the first of his queue.
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
