import Foundation
import Geo
import SeededRandom
import Zones

/// A period of a city's operation that is played to two systems alike (spec/taxi.md 5.1, W2).
///
/// Everything is derived from the number of the request and of the attempt, never from what a
/// system did before: the same passenger makes the same request at the same moment and place, and
/// the third driver to be asked for it always gives the same answer after the same time.
struct Trace: Sendable {
    /// How a driver reacts to an offer.
    enum Reaction: Sendable {
        case accepts, refuses, ignores, unreachable
    }

    /// The response times of the people of a trace.
    struct Pace: Sendable {
        /// How long a driver thinks, in seconds, uniformly between these.
        var thinking: ClosedRange<Double>
        /// The time-out of an offer, in whole seconds.
        var timeout: Int64
        /// How long a ride lasts, in seconds.
        var ride: Double

        /// Drivers who look at their screens first.
        static let people = Pace(thinking: 2...8, timeout: 15, ride: 30)
        /// Unrealistically fast: five times as many requests a second for the
        /// same number in flight.
        static let hasty = Pace(thinking: 0.2...1.4, timeout: 5, ride: 7)
    }

    static let taxis = 10_000
    /// Each taxi reports every five seconds: 2,000 reports a second.
    static let reportSeconds = 5.0
    /// The time until a device shows an offer, in seconds.
    static let deliverySeconds = 0.05

    let pace: Pace
    /// Requests a second: as many as keep the wanted number of requests in flight.
    let rate: Double
    let fleet: Fleet
    let box: BoundingBox
    private let seed: UInt64

    init(pace: Pace, inFlight: Int, box: BoundingBox, seed: UInt64) {
        self.pace = pace
        self.box = box
        self.seed = seed
        let mean = (pace.thinking.lowerBound + pace.thinking.upperBound) / 2
        // An attempt ends with an answer (70 + 15%), a time-out (10%) or an error (5%), and of ten
        // attempts seven are the last.
        let attempt = 0.85 * mean + 0.1 * Double(pace.timeout) + 0.05 * Self.deliverySeconds
        rate = Double(inFlight) * 0.7 / attempt
        fleet = Fleet(Self.taxis, in: box, seed: seed)
    }

    private func random(_ request: Int, _ attempt: Int) -> SeededRandom {
        SeededRandom(seed: seed &+ UInt64(request) << 8 &+ UInt64(attempt))
    }

    /// The interval between a request and the one before it, in seconds.
    func gap(before request: Int) -> Double {
        var random = random(request, 255)
        return -Foundation.log(1 - random.unit()) / rate
    }

    /// The place of a request.
    func place(of request: Int) -> Coordinate {
        var random = random(request, 254)
        return Fleet.place(in: box, &random)
    }

    /// What the driver does in that attempt, counted from 1, and after how long.
    func reaction(to request: Int, attempt: Int) -> (Reaction, after: Double) {
        var random = random(request, attempt)
        let draw = random.unit()
        let thought = random.between(pace.thinking.lowerBound, pace.thinking.upperBound)
        switch draw {
        case ..<0.7: return (.accepts, thought)
        case ..<0.85: return (.refuses, thought)
        case ..<0.95: return (.ignores, Double(pace.timeout))
        default: return (.unreachable, Self.deliverySeconds)
        }
    }
}
