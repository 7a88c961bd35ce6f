/// Which room may import which: the plan of docs/architecture.md, as data.
///
/// A new room gets a line here; a new arrow is a decision, not an accident.
struct HousePlan {
    /// For each room the rooms and outside modules it may import.
    var allowed: [String: Set<String>]
    /// The rooms that are pure: they import nothing but each other.
    var kernel: Set<String>

    static let viavai: HousePlan = {
        let kernel: Set = [
            "Columns", "Geo", "Chronology", "Streets", "Transit", "Journeys", "Dispatching",
        ]
        let system: Set = ["Foundation", "Glibc", "Musl", "Synchronization"]
        return HousePlan(
            allowed: [
                "Columns": [],
                "Geo": ["Columns"],
                "Chronology": ["Columns"],
                "Streets": ["Columns", "Geo"],
                "Transit": ["Columns", "Geo", "Chronology"],
                "Journeys": ["Columns", "Geo", "Chronology", "Streets", "Transit"],
                "Dispatching": ["Columns", "Chronology"],
                "OpenData": kernel.union(system).union(["CZlib", "CZip"])
                    .subtracting(["Journeys", "Dispatching"]),
                "Zones": ["Columns", "Geo", "OpenData"],
                "Chance": [],
                "Audit": ["Chronology", "Dispatching"],
                "Simulation": [
                    "Audit", "Chance", "Chronology", "Dispatching", "Fares", "Geo", "Streets",
                ],
                "Positions": ["Chronology", "Dispatching", "Geo", "Zones"],
                // Services, but pure: values and functions without clock, input or output.
                "Fares": ["Chronology", "Geo", "Streets"],
                "CityData": kernel.union(system).union(["Chance", "OpenData", "CZlib", "CZip"]),
                // Services; it stores bytes and knows nothing of what they mean.
                "Storage": system.union(["Dispatch", "CPQ", "Crypto", "GRDB", "GRDBSQLite"]),
                "Words": [],
                "Markup": [],
                "Notify": system.union([
                    "CCurl", "Chronology", "Crypto", "Dispatch", "Storage", "Words",
                ]),
                "Accounts": system.union([
                    "CArgon2", "CScheduling", "Chance", "Chronology", "Crypto", "Dispatch",
                    "Storage", "Words",
                ]),
                "Taxi": [
                    "Chronology", "Crypto", "Dispatching", "Fares", "Foundation", "Geo",
                    "Positions", "Storage", "Streets", "Synchronization", "Zones",
                ],
                // The web application: what it serves with, and the services that it shows.
                "Web": system.union([
                    "Accounts", "CNGHTTP2", "CZlib", "Chronology", "CityData", "Columns",
                    "CoreMetrics", "Crypto", "Dispatching", "Fares", "Geo", "HTTPTypes",
                    "Hummingbird", "HummingbirdCore", "Logging", "Markup", "NIOCore", "NIOHTTP1",
                    "NIOHTTPTypes", "NIOPosix", "NIOSSL", "NIOTLS", "Notify", "OpenData",
                    "Positions", "ServiceLifecycle", "Storage", "Streets", "Taxi", "UnixSignals",
                    "Words", "Yams", "Zones",
                ]),
                // The demo: simulated people who use what pages use; only `viavai demo` runs it.
                "LivingCity": system.union([
                    "Accounts", "Chance", "Chronology", "Dispatching", "Fares", "Geo", "Logging",
                    "Markup", "Positions", "ServiceLifecycle", "Simulation", "Streets", "Taxi",
                    "Web", "Words", "Zones",
                ]),
                "ClockedServer": system.union([
                    "Accounts", "Chronology", "Notify", "Taxi", "Web",
                ]),
                "TaxiProbe": [
                    "Chronology", "Dispatching", "Foundation", "Storage", "Synchronization",
                    "Taxi",
                ],
                "viavai": kernel.union(system).union([
                    "Accounts", "ArgumentParser", "Audit", "CityData", "LivingCity", "OpenData",
                    "Simulation", "Taxi", "Web", "Words", "Zones",
                ]),
                "StorageTestSupport": system.union(["Storage", "Dispatch"]),
                "StorageProbe": system.union(["Storage"]),
                "TestSupport": kernel.union(system).union(["OpenData", "Testing"]),
            ],
            kernel: kernel
        )
    }()

    /// What is wrong with a room's imports or declared dependencies.
    ///
    /// - Parameters:
    ///   - modules: what it imports, or what Package.swift says it depends on.
    ///   - room: the room.
    ///   - place: what to name in the complaint.
    /// - Returns: one line for each wrong arrow.
    func complaints(about modules: [String], of room: String, in place: String) -> [String] {
        guard let allowed = allowed[room] else {
            return ["\(place): the room \(room) is not in the plan of the house"]
        }
        return modules.compactMap { module in
            if kernel.contains(room) && !kernel.contains(module) {
                return "\(place): \(room) is kernel and may not import \(module)"
            }
            return allowed.contains(module) ? nil : "\(place): \(room) may not import \(module)"
        }
    }

    /// The rooms on a cycle of allowed arrows; none in a sound plan.
    var cycle: [String] {
        var left = allowed
        while let free = left.keys.sorted().first(where: { room in
            (left[room] ?? []).allSatisfy { left[$0] == nil }
        }) {
            left[free] = nil
        }
        return left.keys.sorted()
    }
}
