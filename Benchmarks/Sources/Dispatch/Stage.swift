import Foundation
import Geo

/// A system that a trace is played to: the service, or the queue that it is compared with.
protocol Player: AnyObject, Sendable {
    /// A passenger requests a taxi.
    func call(_ request: Int, at place: Coordinate)
    /// A device confirms that it shows an offer.
    func show(_ offer: Asked)
    /// A driver answers an offer.
    func answer(_ offer: Asked, _ reaction: Trace.Reaction)
    /// A step of a ride is done: 0 at the meeting point, then boarded, at the destination, ended.
    func ride(_ offer: Asked, step: Int)
    /// A taxi reports its position.
    func report(_ taxi: Int, at place: Coordinate)
}

/// An offer, as a player reported it.
struct Asked: Sendable {
    var request: Int
    var taxi: Int
    /// The number of the attempt for this request, from 1.
    var attempt: Int
    /// The player's identifier of the offer.
    var epoch: Int64
}

/// Plays a trace in real time and measures it.
///
/// Requests come at their scheduled moments, however long the player takes, and waiting times count
/// from these moments. Unchecked: `agenda` and the figures are only accessed under `lock`.
final class Stage: @unchecked Sendable {
    private enum Happening {
        case call(Int)
        case show(Asked)
        case answer(Asked, Trace.Reaction)
        case ride(Asked, step: Int)
        case reports(Int)
        case beginMeasuring
    }

    private struct Item {
        var at: Double
        var happening: Happening
    }

    private let trace: Trace
    private let lock = NSCondition()
    private let start = ContinuousClock.now
    private var agenda: [Item] = []
    private var isMeasuring = false
    private var calledAt: [Int: Double] = [:]
    private var attempts: [Int: Int] = [:]
    private var inFlight = 0
    private var waits = Samples()
    private var late = Samples()
    private var flying = Samples()
    private var ended = 0
    private var held = 0
    private var waiting: Set<Int> = []
    private var reports = 0

    init(_ trace: Trace) { self.trace = trace }

    /// Seconds since the start.
    var now: Double { (ContinuousClock.now - start) / .seconds(1) }

    // MARK: Reports of players

    /// An offer is durable and published.
    func asked(_ request: Int, _ taxi: Int, epoch: Int64) {
        let moment = now
        lock.lock()
        defer { lock.unlock() }
        guard let called = calledAt[request] else { return }
        let attempt = attempts[request, default: 0] + 1
        let heldBefore = waiting.remove(request) != nil
        attempts[request] = attempt
        if attempt == 1, isMeasuring, !heldBefore { waits.add((moment - called) * 1_000) }
        let offer = Asked(request: request, taxi: taxi, attempt: attempt, epoch: epoch)
        let (reaction, after) = trace.reaction(to: request, attempt: attempt)
        if reaction != .unreachable {
            plan(.show(offer), at: moment + Trace.deliverySeconds)
        }
        plan(.answer(offer, reaction), at: moment + after)
    }

    /// No taxi of the zone is free: the request waits for one, and the wait is due to the
    /// city, not to the player.
    func held(_ request: Int) {
        lock.lock()
        defer { lock.unlock() }
        if attempts[request] == nil, waiting.insert(request).inserted, isMeasuring { held += 1 }
    }

    /// A driver's acceptance is durable.
    func accepted(_ offer: Asked) {
        let moment = now
        lock.lock()
        defer { lock.unlock() }
        end(offer.request)
        for step in 1...4 {
            plan(.ride(offer, step: step), at: moment + trace.pace.ride * Double(step) / 4)
        }
    }

    /// A request ended without a ride.
    func gaveUp(_ request: Int) {
        lock.lock()
        defer { lock.unlock() }
        end(request)
    }

    private func end(_ request: Int) {
        guard calledAt.removeValue(forKey: request) != nil else { return }
        attempts[request] = nil
        waiting.remove(request)
        inFlight -= 1
        if isMeasuring { ended += 1 }
    }

    // MARK: Playback

    /// Plays that many seconds after a warm-up.
    func play(to player: some Player, warmUp: Double, seconds: Double) -> Figures {
        lock.lock()
        let begin = now
        plan(.call(0), at: begin + trace.gap(before: 0))
        plan(.reports(0), at: begin)
        plan(.beginMeasuring, at: begin + warmUp)
        while true {
            let moment = now
            if moment > begin + warmUp + seconds { break }
            guard let next = agenda.first else { break }
            if next.at > moment {
                _ = lock.wait(until: Date(timeIntervalSinceNow: min(next.at - moment, 0.1)))
                continue
            }
            pop()
            lock.unlock()
            perform(next, player)
            lock.lock()
        }
        defer { lock.unlock() }
        var figures = Figures()
        figures.add("offer_ms", waits)
        figures.add("calls_per_second", trace.rate)
        figures.add("in_flight", flying)
        figures.add("reports_per_second", Double(reports) / seconds)
        figures.add("ended", ended)
        figures.add("held", held)
        figures.add("waiting", calledAt.keys.count { attempts[$0] == nil })
        figures.add("stage_late_ms", late)
        return figures
    }

    private func perform(_ item: Item, _ player: some Player) {
        switch item.happening {
        case .call(let request):
            lock.lock()
            calledAt[request] = item.at
            inFlight += 1
            if isMeasuring {
                late.add((now - item.at) * 1_000)
                flying.add(Double(inFlight))
            }
            plan(.call(request + 1), at: item.at + trace.gap(before: request + 1))
            lock.unlock()
            player.call(request, at: trace.place(of: request))
        case .show(let offer): player.show(offer)
        case .answer(let offer, let reaction): player.answer(offer, reaction)
        case .ride(let offer, let step): player.ride(offer, step: step)
        case .reports(let number):
            lock.lock()
            plan(.reports(number + 1), at: item.at + Self.reportBeat)
            if isMeasuring { reports += Self.reportsPerBeat }
            lock.unlock()
            for index in 0..<Self.reportsPerBeat {
                let taxi = (number * Self.reportsPerBeat + index) % Trace.taxis
                player.report(taxi, at: trace.fleet.place(taxi, after: item.at))
            }
        case .beginMeasuring:
            lock.lock()
            isMeasuring = true
            lock.unlock()
        }
    }

    /// Reports are sent in batches every ten milliseconds.
    private static let reportBeat = 0.01
    private static let reportsPerBeat =
        Int(Double(Trace.taxis) / Trace.reportSeconds * reportBeat)

    // MARK: The agenda, earliest first

    private func plan(_ happening: Happening, at moment: Double) {
        agenda.append(Item(at: moment, happening: happening))
        var position = agenda.count - 1
        while position > 0 {
            let parent = (position - 1) / 2
            guard agenda[position].at < agenda[parent].at else { break }
            agenda.swapAt(position, parent)
            position = parent
        }
        if position == 0 { lock.signal() }
    }

    private func pop() {
        guard let last = agenda.popLast(), !agenda.isEmpty else { return }
        agenda[0] = last
        var position = 0
        while true {
            var least = position
            for child in [2 * position + 1, 2 * position + 2]
            where child < agenda.count && agenda[child].at < agenda[least].at {
                least = child
            }
            guard least != position else { break }
            agenda.swapAt(position, least)
            position = least
        }
    }
}
