import Foundation
import Synchronization

/// What everybody of a process has seen: times, and what must not be.
///
/// Times, statuses and breaks count while it measures, which is while passengers call; what must
/// not be counts always.
final class Ledger: Sendable {
    private struct Accept {
        var driver: Int
        var sent: ContinuousClock.Instant
        var isAccepted = false
        /// When each side heard of it.
        var told: [String: ContinuousClock.Instant] = [:]
        var isMeasured: Bool
    }

    private struct State {
        var isMeasuring = false
        /// Milliseconds by route, each from the moment at which it should have been sent.
        var times: [String: [Double]] = [:]
        var statuses: [String: [Int: Int]] = [:]
        var broken = 0
        var accepts: [String: Accept] = [:]
        /// Who was told yes, by request.
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
        /// How often a driver was not heard for so long that his turn had to be kept for him.
        var silences = 0
    }

    private let state = Mutex(State())

    /// Begins to measure, or ends it.
    func measures(_ isMeasuring: Bool) { state.withLock { $0.isMeasuring = isMeasuring } }

    /// Asks for something, and notes how long it took from the moment at which it should have been
    /// sent.
    ///
    /// - Returns: the answer; nil where there was none.
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

    /// Notes a request that got no answer, or a call that could not be made.
    func addBroken() {
        state.withLock { state in
            if state.isMeasuring { state.broken += 1 }
        }
    }

    // MARK: Requests

    /// A request was acknowledged.
    func asked(_ request: String) {
        state.withLock { state in
            state.asked += 1
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
        }
    }

    /// A request was answered: a taxi was found, or none.
    func answered(isServed: Bool) {
        state.withLock { state in
            state.inFlight -= 1
            if isServed { state.served += 1 } else { state.unserved += 1 }
        }
    }

    /// A request and its ride are over.
    func ended() { state.withLock { $0.ended += 1 } }

    /// How many have asked, and have seen no end yet.
    var withoutEnd: Int { state.withLock { $0.asked - $0.ended } }

    /// Once a second: how many are in flight, and how many have not come to their end.
    func sample() {
        state.withLock { state in
            state.samples += 1
            state.sumInFlight += state.inFlight
            state.sumOpen += state.asked - state.ended
        }
    }

    // MARK: Accepts

    /// A driver is about to accept; both sides may hear of it before he has his answer.
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

    /// A driver has his answer; of two who are told yes for one request, the second is an error.
    func accepted(_ request: String, by driver: Int, _ isAccepted: Bool) {
        state.withLock { state in
            let first = state.accepts[request]
            guard isAccepted else {
                // He asked too late, as after an outage; who asked meanwhile is not timed.
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

    /// A passenger or a driver heard an event of a request: the first after the accept tells of it.
    func told(_ who: String, of request: String, at moment: ContinuousClock.Instant) {
        state.withLock { state in
            guard let accept = state.accepts[request], accept.told[who] == nil,
                accept.sent <= moment
            else { return }
            state.accepts[request]?.told[who] = moment
        }
    }

    /// A passenger sees a code.
    func show(_ code: String, of request: String) {
        state.withLock { $0.codes[request] = code }
    }

    /// The code of a request, once its passenger sees it.
    func code(of request: String) -> String? { state.withLock { $0.codes[request] } }

    // MARK: What must not be

    /// A passenger's page shows a taxi.
    func ride(_ request: String, in plate: String, _ seen: LivePage.Moments) {
        state.withLock { $0.wrongs.ride(request, in: plate, seen) }
    }

    /// A driver's page shows his place, or nil where he does not wait.
    func waits(_ driver: Int, at place: QueuePlace?, _ seen: LivePage.Moments) {
        state.withLock { $0.wrongs.waits(driver, at: place, seen) }
    }

    /// A driver's page shows an offer.
    func isOffered(_ driver: Int, _ seen: LivePage.Moments) {
        state.withLock { $0.wrongs.isOffered(driver, seen) }
    }

    /// A driver is heard again whom the server may have taken for lost.
    func wasSilent() { state.withLock { $0.silences += 1 } }

    // MARK: The end

    /// One line of JSON with all times, so that those of several processes can be put together.
    ///
    /// - Parameters:
    ///   - share: the share of a processor that this process took while it measured.
    ///   - outage: what was seen of the outage, as JSON.
    /// - Returns: the line.
    func json(share: Double, outage: String) -> String {
        state.withLock { state in
            var all = state.times
            for accept in state.accepts.values where accept.isAccepted && accept.isMeasured {
                for (who, moment) in accept.told {
                    let passed = Self.milliseconds(accept.sent.duration(to: moment))
                    all["told \(who)", default: []].append(passed)
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
            let untold = state.accepts.values.count {
                $0.isAccepted && $0.isMeasured && $0.told.count < 2
            }
            let mean = Double(state.sumInFlight) / Double(max(1, state.samples))
            let meanOpen = Double(state.sumOpen) / Double(max(1, state.samples))
            return """
                {"times":{\(times.joined(separator: ","))},\
                "statuses":{\(statuses.joined(separator: ","))},"broken":\(state.broken),\
                "asked":\(state.asked),"served":\(state.served),"unserved":\(state.unserved),\
                "withoutEnd":\(state.asked - state.ended),"meanInFlight":\(mean),\
                "meanOpen":\(meanOpen),\
                "mostInFlight":\(state.mostInFlight),"untold":\(untold),\
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
