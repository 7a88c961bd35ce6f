/// The permitted imports of each module: the plan of docs/architecture.md as data.
///
/// Add a line for each new module; each new dependency is a deliberate decision.
struct ModulePlan {
    /// The permitted imports of each module, of this project and others.
    var allowed: [String: Set<String>]
    /// The pure modules, which import only each other.
    var kernel: Set<String>

    static let viavai: ModulePlan = {
        let kernel: Set = [
            "Columns", "Geo", "Chronology", "Streets", "Transit", "Journeys", "Dispatching",
            "SeededRandom",
        ]
        let system: Set = ["Foundation", "Glibc", "Musl", "Synchronization"]
        return ModulePlan(
            allowed: [
                "Columns": [],
                "Geo": ["Columns"],
                "Chronology": ["Columns"],
                "Streets": ["Columns", "Geo"],
                "Transit": ["Columns", "Geo", "Chronology"],
                "Journeys": ["Columns", "Geo", "Chronology", "Streets", "Transit"],
                "Dispatching": ["Columns", "Chronology"],
                "SeededRandom": [],
                "OpenData": kernel.union(system).union(["CZlib", "CZip"])
                    .subtracting(["Journeys", "Dispatching"]),
                "Zones": ["Columns", "Geo", "OpenData"],
                "Audit": ["Chronology", "Dispatching"],
                "Simulation": [
                    "Audit", "SeededRandom", "Chronology", "Dispatching", "Fares", "Geo", "Streets",
                ],
                "Positions": ["Chronology", "Dispatching", "Geo", "Zones"],
                // A service module without clock, input and output.
                "Fares": ["Chronology", "Geo", "Streets"],
                "CityData": kernel.union(system).union([
                    "SeededRandom", "OpenData", "CZlib", "CZip",
                ]),
                // A service module that stores bytes without interpreting them.
                "Storage": system.union(["Dispatch", "CPQ", "Crypto", "GRDB", "GRDBSQLite"]),
                "Localization": [],
                "Markup": [],
                "Notify": system.union([
                    "CCurl", "Chronology", "Crypto", "Dispatch", "Storage", "Localization",
                ]),
                "Identity": system.union([
                    "CArgon2", "CScheduling", "SeededRandom", "Chronology", "Crypto", "Dispatch",
                    "Storage", "Localization",
                ]),
                "Taxi": [
                    "Chronology", "Crypto", "Dispatching", "Fares", "Foundation", "Geo",
                    "Positions", "Storage", "Streets", "Synchronization", "Zones",
                ],
                // The web application with the services that it presents.
                "WebApp": system.union([
                    "Identity", "CNGHTTP2", "CZlib", "Chronology", "CityData", "Columns",
                    "CoreMetrics", "Crypto", "Dispatching", "Fares", "Geo", "HTTPTypes",
                    "Hummingbird", "HummingbirdCore", "Logging", "Markup", "NIOCore", "NIOHTTP1",
                    "NIOHTTPTypes", "NIOPosix", "NIOSSL", "NIOTLS", "Notify", "OpenData",
                    "Positions", "ServiceLifecycle", "Storage", "Streets", "Taxi", "UnixSignals",
                    "Localization", "Yams", "Zones",
                ]),
                // The demo with simulated people who use the same pages; only
                // `viavai demo` runs it.
                "LivingCity": system.union([
                    "Identity", "SeededRandom", "Chronology", "Dispatching", "Fares", "Geo",
                    "Logging",
                    "Markup", "Positions", "ServiceLifecycle", "Simulation", "Streets", "Taxi",
                    "WebApp", "Localization", "Zones",
                ]),
                "ClockedServer": system.union([
                    "Identity", "Chronology", "Notify", "Taxi", "WebApp",
                ]),
                "TaxiProbe": [
                    "Chronology", "Dispatching", "Foundation", "Storage", "Synchronization",
                    "Taxi",
                ],
                "viavai": kernel.union(system).union([
                    "Identity", "ArgumentParser", "Audit", "CityData", "LivingCity", "OpenData",
                    "Simulation", "Taxi", "WebApp", "Localization", "Zones",
                ]),
                "StorageTestSupport": system.union(["Storage", "Dispatch"]),
                "StorageProbe": system.union(["Storage"]),
                "TestSupport": kernel.union(system).union(["OpenData", "Testing"]),
            ],
            kernel: kernel
        )
    }()

    /// The layers of `Sources`; each may import itself and earlier ones.
    static let layers = ["Kernel", "Data", "Services", "Web", "Programs"]

    /// Returns the violations of a module's imports or declared dependencies.
    ///
    /// - Parameters:
    ///   - dependencies: its imports, or its dependencies in Package.swift.
    ///   - module: the name of the module.
    ///   - place: the place named in the messages.
    /// - Returns: one message for each dependency that the plan does not permit.
    func complaints(about dependencies: [String], of module: String, in place: String) -> [String] {
        guard let allowed = allowed[module] else {
            return ["\(place): the module \(module) is not in the plan"]
        }
        return dependencies.compactMap { dependency in
            if kernel.contains(module) && !kernel.contains(dependency) {
                return "\(place): \(module) is kernel and may not import \(dependency)"
            }
            return allowed.contains(dependency)
                ? nil : "\(place): \(module) may not import \(dependency)"
        }
    }

    /// Returns the dependencies on a later layer.
    ///
    /// - Parameter layerOf: the layer of each module.
    /// - Returns: one message for each.
    func upward(_ layerOf: [String: String]) -> [String] {
        func rank(_ module: String) -> Int? {
            layerOf[module].flatMap { Self.layers.firstIndex(of: $0) }
        }
        return allowed.sorted { $0.key < $1.key }.flatMap { module, dependencies in
            dependencies.sorted().filter { dependency in
                guard let own = rank(module), let other = rank(dependency) else { return false }
                return other > own
            }
            .map { "\(module) may not import \($0), which is of a later layer" }
        }
    }

    /// The modules on a cycle of permitted dependencies; empty in a valid plan.
    var cycle: [String] {
        var left = allowed
        while let free = left.keys.sorted().first(where: { module in
            (left[module] ?? []).allSatisfy { left[$0] == nil }
        }) {
            left[free] = nil
        }
        return left.keys.sorted()
    }
}
