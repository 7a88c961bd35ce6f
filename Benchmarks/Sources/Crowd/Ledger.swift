import Foundation
import Synchronization

/// Collects what the people of a process observe: response times, and violations of the rules.
///
/// Times, statuses and broken requests count only during the measurement, while passengers make
/// requests; violations always count.
final class Ledger: Sendable {
    private struct Accept {
        var driver: Int
        var sent: ContinuousClock.Instant
        var isAccepted = false
        /// When each side was informed of it.
        var notified: [String: ContinuousClock.Instant] = [:]
        var isMeasured: Bool
    }

    private struct State {
        var isMeasuring = false
        /// Milliseconds by route, each from the scheduled moment of the request.
        var times: [String: [Double]] = [:]
        var statuses: [String: [Int: Int]] = [:]
        var broken = 0
        var accepts: [String: Accept] = [:]
        /// The driver whose acceptance was confirmed, by request.
        var winners: [String: Int] = [:]
        /// The codes that passengers were shown, by request.
        var codes: [String: String] = [:]
        var asked = 0
        var inFlight = 0
        var mostInFlight = 0
        var sumInFlight = 0
        var sumOpen = 0
        var samples = 0
        var served = 0
        var unserved = 0
        var ended = 0
        var wrongs = Wrongs()
        /// How often a driver did not report for so long that the turn had to be kept.
        var silences = 0
    }

    private let state = Mutex(State())

    /// Starts or stops the measurement.
    func measures(_ isMeasuring: Bool) { state.withLock { $0.isMeasuring = isMeasuring } }

    /// Sends a request, and records how long it took from the scheduled moment.
    ///
    /// - Returns: the response; nil where there was none.
    @discardableResult
    func measured(
        _ route: String,
        since intended: ContinuousClock.Instant,
        _ ask: () async throws -> Wire.Answer
    ) async -> Wire.Answer? {
        do {
            let answer = try await ask()
            add(route, since: intended, status: answer.status)
            return answer
        } catch {
            if !Task.isCancelled { addBroken() }
            return nil
        }
    }

    private func add(_ route: String, since intended: ContinuousClock.Instant, status: Int) {
        let passed = Self.milliseconds(intended.duration(to: .now))
        state.withLock { state in
            guard state.isMeasuring else { return }
            state.times[route, default: []].append(passed)
            state.statuses[route, default: [:]][status, default: 0] += 1
        }
    }

    /// Counts a request without a response, or one that could not be made.
    func addBroken() {
        state.withLock { state in
            if state.isMeasuring { state.broken += 1 }
        }
    }

    // MARK: Requests

    /// Records that a request was acknowledged.
    func asked(_ request: String) {
        state.withLock { state in
            state.asked += 1
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
        }
    }

    /// Records that a request was answered: a taxi was found, or none.
    func answered(isServed: Bool) {
        state.withLock { state in
            state.inFlight -= 1
            if isServed { state.served += 1 } else { state.unserved += 1 }
        }
    }

    /// Records that a request and its ride have ended.
    func ended() { state.withLock { $0.ended += 1 } }

    /// How many requests have not ended yet.
    var withoutEnd: Int { state.withLock { $0.asked - $0.ended } }

    /// Records, once a second, how many requests are in flight and how many have not ended.
    func sample() {
        state.withLock { state in
            state.samples += 1
            state.sumInFlight += state.inFlight
            state.sumOpen += state.asked - state.ended
        }
    }

    // MARK: Accepts

    /// Records that a driver is about to accept; both sides may see the result before the
    /// driver's response arrives.
    func accepts(_ request: String, by driver: Int, at sent: ContinuousClock.Instant) {
        state.withLock { state in
            guard state.accepts[request] == nil else { return }
            state.accepts[request] = Accept(
                driver: driver,
                sent: sent,
                isMeasured: state.isMeasuring
            )
        }
    }

    /// Records a driver's response; a second confirmed acceptance of the same
    /// request is an error.
    func accepted(_ request: String, by driver: Int, _ isAccepted: Bool) {
        state.withLock { state in
            let first = state.accepts[request]
            guard isAccepted else {
                // The driver was too late, as after an outage; requests accepted in the meantime
                // are not timed.
                if first?.driver == driver, first?.isAccepted == false {
                    state.accepts[request] = nil
                }
                return
            }
            if let other = state.winners.updateValue(driver, forKey: request), other != driver {
                state.wrongs.note("request \(request) was accepted by \(other) and \(driver)")
            }
            if first?.driver == driver { state.accepts[request]?.isAccepted = true }
        }
    }

    /// Records that a passenger or a driver received an event of a request; the first after the
    /// accept announces it.
    func notified(_ who: String, of request: String, at moment: ContinuousClock.Instant) {
        state.withLock { state in
            guard let accept = state.accepts[request], accept.notified[who] == nil,
                accept.sent <= moment
            else { return }
            state.accepts[request]?.notified[who] = moment
        }
    }

    /// Records the code that a passenger sees.
    func show(_ code: String, of request: String) {
        state.withLock { $0.codes[request] = code }
    }

    /// The code of a request, once its passenger sees it.
    func code(of request: String) -> String? { state.withLock { $0.codes[request] } }

    // MARK: Violations

    /// Records that a passenger's page shows a taxi.
    func ride(_ request: String, in plate: String, _ seen: LivePage.Moments) {
        state.withLock { $0.wrongs.ride(request, in: plate, seen) }
    }

    /// Records the queue position on a driver's page; nil where the driver is in no queue.
    func waits(_ driver: Int, at place: QueuePlace?, _ seen: LivePage.Moments) {
        state.withLock { $0.wrongs.waits(driver, at: place, seen) }
    }

    /// Records that a driver's page shows an offer.
    func isOffered(_ driver: Int, _ seen: LivePage.Moments) {
        state.withLock { $0.wrongs.isOffered(driver, seen) }
    }

    /// Records that a driver reports again after the server may have assumed a lost contact.
    func wasSilent() { state.withLock { $0.silences += 1 } }

    // MARK: The end

    /// One line of JSON with all times, so that those of several processes can be merged.
    ///
    /// - Parameters:
    ///   - share: the share of a processor that this process used during the measurement.
    ///   - outage: the observations of the outage, as JSON.
    /// - Returns: the line.
    func json(share: Double, outage: String) -> String {
        state.withLock { state in
            var all = state.times
            for accept in state.accepts.values where accept.isAccepted && accept.isMeasured {
                for (who, moment) in accept.notified {
                    let passed = Self.milliseconds(accept.sent.duration(to: moment))
                    all["notified \(who)", default: []].append(passed)
                }
            }
            let times = all.sorted { $0.key < $1.key }.map { route, times in
                let list = times.map { String(format: "%.2f", $0) }.joined(separator: ",")
                return "\"\(route)\":[\(list)]"
            }
            let statuses = state.statuses.sorted { $0.key < $1.key }.map { route, counts in
                let list = counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
                return "\"\(route)\":{\(list.joined(separator: ","))}"
            }
            let accepted = state.winners.keys.map { "\"\($0)\"" }
            let unnotified = state.accepts.values.count {
                $0.isAccepted && $0.isMeasured && $0.notified.count < 2
            }
            let mean = Double(state.sumInFlight) / Double(max(1, state.samples))
            let meanOpen = Double(state.sumOpen) / Double(max(1, state.samples))
            return """
                {"times":{\(times.joined(separator: ","))},\
                "statuses":{\(statuses.joined(separator: ","))},"broken":\(state.broken),\
                "asked":\(state.asked),"served":\(state.served),"unserved":\(state.unserved),\
                "withoutEnd":\(state.asked - state.ended),"meanInFlight":\(mean),\
                "meanOpen":\(meanOpen),\
                "mostInFlight":\(state.mostInFlight),"unnotified":\(unnotified),\
                "accepted":[\(accepted.joined(separator: ","))],"outage":\(outage),\
                "falls":\(state.wrongs.falls),"silences":\(state.silences),\
                "wrongs":\(state.wrongs.count),"examples":[\(state.wrongs.examples)],\
                "generatorShare":\(share)}
                """
        }
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }
}
