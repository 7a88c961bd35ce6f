/// Which module may import which: the plan of docs/architecture.md, as data.
///
/// A new module gets a line here; a new dependency is a decision, not an accident.
struct ModulePlan {
    /// For each module the modules of the project and of others that it may import.
    var allowed: [String: Set<String>]
    /// The modules that are pure: they import nothing but each other, and one of them a lock
    /// (decision 0030).
    var kernel: Set<String>

    static let viavai: ModulePlan = {
        let kernel: Set = [
            "Columns", "Geo", "Chronology", "Streets", "Transit", "Journeys", "Dispatching",
            "DayPlan", "SeededRandom", "Encoding", "Heap", "Tickets",
        ]
        let system: Set = ["Foundation", "Glibc", "Musl", "Synchronization"]
        let taxiPages = system.union([
            "Chronology", "Crypto", "Dispatching", "Drivers", "Encoding", "Fares", "Geo",
            "HTTPTypes", "Hummingbird", "Identity", "LiveUpdates", "Localization", "Logging",
            "Markup",
            "Notify", "ServiceLifecycle", "Storage", "Taxi", "WebCore",
        ])
        let feature = taxiPages.union(["TaxiPages"])
        return ModulePlan(
            allowed: [
                "Columns": [],
                "Encoding": [],
                "Heap": [],
                "Geo": ["Columns"],
                "Chronology": ["Columns"],
                "Streets": ["Columns", "Geo", "Heap"],
                "Transit": ["Columns", "Geo", "Chronology", "Heap", "Synchronization"],
                "Journeys": ["Columns", "Geo", "Chronology", "Streets", "Tickets", "Transit"],
                "Dispatching": ["Columns", "Chronology", "Encoding", "Heap"],
                "DayPlan": ["Chronology", "Heap", "Journeys", "Streets"],
                "Tickets": ["Columns", "Transit"],
                "SeededRandom": [],
                "OpenData": kernel.union(system).union(["CZlib", "CZip"])
                    .subtracting(["Journeys", "DayPlan", "Dispatching", "Tickets"]),
                "Zones": ["Columns", "Geo", "Heap", "OpenData"],
                "Audit": ["Chronology", "Dispatching"],
                "Simulation": [
                    "Audit", "SeededRandom", "Chronology", "Dispatching", "Fares", "Geo", "Heap",
                    "Streets", "Zones",
                ],
                "Positions": ["Chronology", "Dispatching", "Geo", "Zones"],
                // Services, but pure: values and functions without clock or I/O.
                "Fares": ["Chronology", "Encoding", "Geo", "Streets"],
                "CityData": kernel.union(system).union([
                    "SeededRandom", "OpenData", "CZlib", "CZip",
                ]),
                // Services; it stores bytes without knowing what they mean.
                "Storage": system.union(["Dispatch", "CPQ", "Crypto", "GRDB", "GRDBSQLite"]),
                "Localization": ["Chronology", "CTexts"],
                // Not Swift: the texts, which programs link and nothing imports.
                "Texts": [],
                "Markup": ["Encoding"],
                "HTTPClient": system.union(["CCurl", "Dispatch", "Encoding"]),
                "LiveFeeds": [
                    "Chronology", "Foundation", "Geo", "HTTPClient", "OpenData", "SeededRandom",
                    "Synchronization",
                ],
                "FeedRegister": ["Crypto", "Foundation", "HTTPClient", "LiveFeeds", "Storage"],
                "Webhooks": [
                    "Chronology", "Crypto", "Encoding", "Foundation", "HTTPClient", "Identity",
                    "Storage", "Synchronization",
                ],
                "OpenIDConnect": [
                    "Chronology", "Crypto", "CryptoExtras", "Encoding", "Foundation", "HTTPClient",
                ],
                "Notify": system.union([
                    "Chronology", "Crypto", "Encoding", "HTTPClient", "Storage", "Localization",
                ]),
                "Identity": system.union([
                    "CArgon2", "CScheduling", "Chronology", "Crypto", "Dispatch", "Encoding",
                    "Localization", "Storage",
                ]),
                "Drivers": [
                    "Chronology", "Encoding", "Foundation", "Identity", "Localization",
                    "SeededRandom",
                    "Storage",
                ],
                "Agenda": [
                    "Chronology", "Crypto", "Encoding", "Foundation", "Geo", "Identity", "OpenData",
                    "Storage",
                ],
                // Has threads, but no pages and no HTTP.
                "TripPlanning": system.union([
                    "CScheduling", "Chronology", "CityData", "Columns", "Dispatch", "Fares", "Geo",
                    "Encoding", "Journeys", "LiveFeeds", "OpenData", "Streets", "Tickets",
                    "Transit",
                ]),
                // No page and no program: a calendar in, a planned day out.
                "DayPlanning": [
                    "Chronology", "CityData", "Columns", "DayPlan", "Encoding", "Foundation", "Geo",
                    "Journeys", "OpenData", "Streets", "Synchronization", "Tickets", "Transit",
                    "TripPlanning",
                ],
                "Backups": system.union([
                    "Chronology", "Crypto", "Encoding", "Identity", "Storage", "Taxi",
                ]),
                "Taxi": [
                    "Chronology", "Crypto", "Dispatching", "Encoding", "Fares", "Foundation", "Geo",
                    "Localization", "Positions", "Storage", "Streets", "Synchronization", "Zones",
                ],
                // Connections, encryption and limits, independent of what is served. The C struct
                // `timespec` comes from CNIOLinux.
                "HTTPServer": system.union([
                    "CNGHTTP2", "CNIOLinux", "HTTPTypes",
                    "Hummingbird", "HummingbirdCore", "Logging",
                    "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOPosix", "NIOSSL", "NIOTLS",
                    "ServiceLifecycle",
                ]),
                // Routes, requests, forms and the page frame, independent of the product.
                "WebCore": system.union([
                    "CZlib", "Chronology", "CoreMetrics", "Crypto", "Encoding", "HTTPServer",
                    "HTTPTypes",
                    "Hummingbird", "HummingbirdCore", "Identity", "Localization", "Logging",
                    "Markup", "NIOCore", "OpenData", "ServiceLifecycle", "Storage", "UnixSignals",
                    "Yams",
                ]),
                // The event stream of a browser, independent of the product.
                "LiveUpdates": system.union([
                    "Chronology", "HTTPTypes", "Hummingbird", "Identity", "Localization", "Logging",
                    "Markup", "Notify", "ServiceLifecycle", "WebCore",
                ]),
                // What pages about taxis share; features use it, but not each other. The calendar
                // alone uses another one: its journeys are trips.
                "TaxiPages": taxiPages.union([
                    "CityData", "Positions", "Streets", "TripPlanning", "Zones",
                ]),
                "AccountPages": feature.union(["OpenIDConnect"]),
                "PassengerPages": feature.union(["CityData", "Positions"]),
                "DriverPages": feature.union([
                    "CityData", "OpenData", "Positions", "Streets", "Zones",
                ]),
                "RegisterPages": feature.union(["OpenData", "Webhooks", "Zones"]),
                "ZonePages": feature.union(["CityData", "OpenData", "Zones"]),
                "OperationPages": feature.union(["CityData", "Positions", "Zones"]),
                "ConsolePages": feature.union([
                    "Backups", "FeedRegister", "LiveFeeds", "TripPlanning", "Zones",
                ]),
                "DesignPages": feature.union(["CityData"]),
                "GrantPages": feature.union(["OpenData"]),
                "TravelPages": feature.union([
                    "Agenda", "CityData", "Journeys", "LiveFeeds", "OpenData", "Transit",
                    "TripPlanning",
                ]),
                // What other programs can do; it calls the services that pages call.
                "API": feature.union([
                    "Agenda", "CityData", "Journeys", "OpenData", "Transit", "TripPlanning",
                    "Webhooks",
                    "Zones",
                ]),
                "CalendarPages": feature.union([
                    "Agenda", "CityData", "DayPlan", "DayPlanning", "HTTPClient", "OpenData",
                    "Transit", "TravelPages", "TripPlanning",
                ]),
                // The web application composes the features, and is the only module that knows all
                // of them.
                "WebApp": feature.union([
                    "API", "AccountPages", "Agenda", "Backups", "CDispatch", "CalendarPages",
                    "CityData",
                    "Columns", "ConsolePages", "CoreMetrics", "DesignPages", "DriverPages",
                    "FeedRegister", "GrantPages", "HTTPClient", "HTTPServer", "Journeys",
                    "LiveFeeds", "NIOCore", "OpenData", "OpenIDConnect",
                    "OperationPages", "PassengerPages", "Positions", "RegisterPages",
                    "SeededRandom", "Streets", "TravelPages", "TripPlanning", "UnixSignals",
                    "Webhooks", "Yams", "ZonePages", "Zones",
                ]),
                // The demo: simulated people who use the same operations as pages; only `viavai
                // demo` runs it.
                "LivingCity": feature.union([
                    "Agenda", "CityData", "Columns", "HTTPServer", "Journeys", "OpenData",
                    "Positions", "SeededRandom", "Simulation", "Streets", "Transit",
                    "TripPlanning", "WebApp", "Zones",
                ]),
                "ClockedServer": system.union([
                    "Texts", "Identity", "Chronology", "Notify", "Taxi", "TaxiPages", "TestClock",
                    "WebApp", "WebCore",
                ]),
                "WebTestSupport": feature.union([
                    "AccountPages", "Agenda", "AsyncHTTPClient", "Backups", "CalendarPages",
                    "CityData", "Columns", "ConsolePages", "CryptoExtras", "DesignPages",
                    "DriverPages", "FeedRegister", "HTTPClient", "HTTPServer", "LiveFeeds",
                    "NIOCore", "NIOHTTP1",
                    "NIOSSL", "OpenData", "OpenIDConnect", "OperationPages", "PassengerPages",
                    "Positions", "RegisterPages", "StorageTestSupport", "Streets", "TestClock",
                    "TestSupport", "Testing", "TravelPages", "TripPlanning", "WebApp", "Webhooks",
                    "ZonePages", "Zones",
                ]),
                "TestClock": ["Chronology", "Synchronization", "Taxi"],
                "TaxiProbe": [
                    "Chronology", "Dispatching", "Foundation", "Storage", "Synchronization",
                    "Taxi", "Texts",
                ],
                "viavai": kernel.union(system).union([
                    "Agenda", "ArgumentParser", "Audit", "Backups", "CityData", "DayPlanning",
                    "Drivers", "HTTPClient", "HTTPServer", "Identity", "LiveFeeds", "LivingCity",
                    "Localization",
                    "OpenData", "RegisterPages", "Simulation", "Taxi", "TaxiPages", "TripPlanning",
                    "WebApp",
                    "WebCore", "Zones",
                ]),
                "StorageTestSupport": system.union([
                    "Storage", "Dispatch", "TestSupport", "Testing",
                ]),
                "IdentityTestSupport": [
                    "Chronology", "Identity", "Storage", "StorageTestSupport", "Testing",
                ],
                "StorageProbe": system.union(["Storage"]),
                "TestSupport": kernel.union(system).union(["Dispatch", "OpenData", "Testing"]),
            ],
            kernel: kernel
        )
    }()

    /// The layers of `Sources`; each may use itself and the earlier ones.
    static let layers = ["Kernel", "Data", "Services", "Web", "Programs"]

    /// Finds what is wrong with a module's imports or declared dependencies.
    ///
    /// - Parameters:
    ///   - dependencies: its imports, or its dependencies in Package.swift.
    ///   - module: the module.
    ///   - place: the source of the dependencies, for the message.
    /// - Returns: one line for each dependency that the plan does not allow.
    func complaints(about dependencies: [String], of module: String, in place: String) -> [String] {
        guard let allowed = allowed[module] else {
            return ["\(place): the module \(module) is not in the plan"]
        }
        return dependencies.compactMap { dependency in
            if kernel.contains(module), !kernel.contains(dependency),
                dependency != "Synchronization"
            {
                return "\(place): \(module) is kernel and may not import \(dependency)"
            }
            return allowed.contains(dependency)
                ? nil : "\(place): \(module) may not import \(dependency)"
        }
    }

    /// Finds dependencies on a later layer.
    ///
    /// - Parameter layerOf: the layer of each module.
    /// - Returns: one line for each.
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

    /// The modules on a cycle of allowed dependencies; empty in a sound plan.
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
