import Chronology
import Dispatching
import Foundation
import Simulation
import Storage
import Taxi
import Zones

/// Measures how long a service with a day in its log takes until it serves again.
enum RestartMeasurement {
    /// Where the log of the prepared city ends.
    enum State: String {
        /// Just before the next snapshot was due, which is the worst case.
        case due
        /// With no snapshot at all, so that the whole log is read.
        case none
    }

    private static let batch = 5_000

    /// Writes a simulated day into a city's log as the service would, and kills itself.
    static func prepare(_ address: String, state: State) async throws -> Never {
        let interval = Int(DispatchService.Settings(holder: "bench").snapshotInterval)
        var entries = try day()
        if state == .due { entries.removeLast((entries.count - (interval - 1)) % interval) }
        let database = try await Database.open(address)
        try await database.migrate(Migration.storage)
        let log = EventLog("city", in: database)
        var head = try await log.found()
        let lease = try await Lease.acquire("city", by: "bench", for: .seconds(600), in: database)
        let kept = state == .none ? Int.max : entries.count / interval * interval
        var dispatcher = Dispatcher()
        for start in stride(from: 0, to: entries.count, by: batch) {
            let part = entries[start..<min(start + batch, entries.count)]
            head = try await log.append(
                LogBatch(entries: part.map(\.bytes)),
                after: head,
                under: lease,
                within: .seconds(60)
            )
            for entry in part { try dispatcher.replay(entry) }
            if start + batch == kept {
                let snapshot = Snapshot(head: head, state: dispatcher.snapshot)
                try await SnapshotStore(of: log).save(snapshot)
            }
        }
        let events = entries.reduce(0) { $0 + $1.events.count }
        print("{\"entries\":\(entries.count),\"events\":\(events)}")
        fflush(nil)
        kill(getpid(), SIGKILL)
        exit(0)
    }

    /// Starts the service and reports how long it took until the first answer.
    static func serve(_ address: String) async throws -> String {
        let start = ContinuousClock.now
        let running = try await RunningService.start(address)
        let (requests, events) = try await running.service.read { ($0.requestCount, $0.sequence) }
        let taken = (ContinuousClock.now - start) / .seconds(1)
        var figures = Figures()
        figures.add("serving_s", taken)
        figures.add("requests", requests)
        figures.add("events", Int(events))
        print(figures.json)
        fflush(nil)
        kill(getpid(), SIGKILL)
        return ""
    }

    /// Milan's 4,855 taxis and 25,000 requests, in the generated town, without streets.
    private static func day() throws -> [Entry] {
        let zones = try Town().zones
        var entries: [Entry] = []
        var simulation = Simulation(
            city: SimulatedCity(
                zoneNames: zones.zones.map(\.name),
                zonesHash: zones.versionHash,
                areas: zones.zones.map(\.area),
                streets: nil
            ),
            options: Simulation.Options(
                taxis: 4_855,
                requests: 25_000,
                hours: 24,
                policy: .viavai,
                seed: 1,
                start: Moment(milliseconds: 1_778_630_400_000)
            )
        ) { entries.append($0) }
        _ = try simulation.run()
        return entries
    }
}
