import Chronology
import Dispatching
import Foundation
import Geo
import Storage
import Taxi
import Zones

/// Measures how long a request waits for its first offer, durable and published (W2).
enum OfferMeasurement {
    /// The number of requests in flight.
    private static let inFlight = 1_000

    /// The taxi service on an empty database, with drivers of the pace `people` or `hasty`.
    static func service(_ address: String, pace: String?, seconds: Double) async throws -> String {
        let zones = try Town().zones
        let trace = try trace(pace, zones)
        let running = try await RunningService.open(
            address,
            policy: try Policy.viavai.with(.offerTimeout, "\(trace.pace.timeout)"),
            zones: zones.zones.map(\.name),
            places: (0..<Trace.taxis).map { taxi in
                let place = trace.fleet.place(taxi, after: 0)
                return zones.zone(at: place).map { .zone(ZoneNumber(rawValue: $0.rawValue)) }
                    ?? .outside
            }
        )
        let (taxis, sequence) = try await running.service.read { ($0.taxis, $0.sequence) }
        let stage = Stage(trace)
        let player = ServicePlayer(running, stage, zones: zones, taxis: taxis)
        let entries = running.service.entries()
        let listening = Task { await player.listen(entries, after: sequence) }
        let figures = await onThread {
            stage.play(to: player, warmUp: warmUp(trace), seconds: seconds).json
        }
        listening.cancel()
        await running.stop()
        return figures
    }

    /// The queue in PostgreSQL, with so many connections.
    static func baseline(
        _ address: String,
        pace: String?,
        seconds: Double,
        links: Int
    ) async throws -> String {
        let zones = try Town().zones
        let trace = try trace(pace, zones)
        let stage = Stage(trace)
        let player = try QueuePlayer(address, stage, trace, zones: zones, links: links)
        var figures = await onThread {
            stage.play(to: player, warmUp: warmUp(trace), seconds: seconds)
        }
        figures.add("backlog", player.backlog)
        figures.add("connections", links)
        try player.stop()
        return figures.json
    }

    private static func trace(_ name: String?, _ zones: ZoneSet) throws -> Trace {
        let pace: Trace.Pace
        switch name {
        case nil, "people": pace = .people
        case "hasty": pace = .hasty
        default: throw Failure.usage
        }
        return Trace(pace: pace, inFlight: inFlight, box: Town.box, seed: 11)
    }

    /// The time until offers, rides and requests reach a steady state.
    private static func warmUp(_ trace: Trace) -> Double {
        2 * Double(trace.pace.timeout)
    }
}

/// Runs a blocking function on a separate thread, so that it takes none from the tasks.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: work()) }.start()
    }
}
