// swift-tools-version: 6.2
import PackageDescription

// `VIAVAI_ONLY=kernel swift test` leaves out everything but the kernel and OpenData, so that work
// on the kernel builds in seconds and needs no dependency at all.
let kernelOnly = Context.environment["VIAVAI_ONLY"] == "kernel"

/// The settings of every target: the strictest the compiler offers, and warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

/// The folders of `Sources`: a module may depend on its own layer and on those before it.
enum Layer: String {
    case kernel = "Kernel"
    case data = "Data"
    case services = "Services"
    case web = "Web"
    case programs = "Programs"
    case system = "System"
    case testSupport = "TestSupport"

    /// The folder of a module of this layer.
    func path(of module: String) -> String { "Sources/\(rawValue)/\(module)" }
}

/// A target whose memory accesses are marked wherever the compiler cannot prove them safe; it may
/// embed a folder of files.
func module(
    _ name: String,
    in layer: Layer,
    _ dependencies: [Target.Dependency] = [],
    embedding: String? = nil
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: layer.path(of: name),
        exclude: ["README.md"],
        resources: embedding.map { [.embedInCode($0)] },
        swiftSettings: strict + [.strictMemorySafety()]
    )
}

/// The module map of a C library, and the Debian package that holds its headers.
func library(_ name: String, package: String? = nil) -> Target {
    .systemLibrary(
        name: name,
        path: Layer.system.path(of: name),
        providers: package.map { [.apt([$0])] }
    )
}

/// What tests of several modules share, linked by LLVM's linker in a third of the time of gold.
func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: Layer.testSupport.path(of: name),
        exclude: ["README.md"],
        swiftSettings: strict,
        linkerSettings: [.unsafeFlags(["-use-ld=lld"])]
    )
}

func program(_ name: String, in layer: Layer, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: layer.path(of: name),
        exclude: ["README.md"],
        swiftSettings: strict + [.strictMemorySafety()]
    )
}

func tests(of name: String, _ dependencies: [Target.Dependency]) -> Target {
    // Tests that mostly wait compile faster without optimisation.
    let all =
        "Agenda Drivers HTTPClient HTTPServer Identity LiveUpdates Localization Notify Storage"
        + " LiveFeeds Taxi WebApp API Webhooks"
    let waits = name.hasSuffix("Pages") || all.contains(name)
    return .testTarget(
        name: name + "Tests",
        dependencies: dependencies + ["SeededRandom", "TestSupport"],
        swiftSettings: waits ? strict + [.unsafeFlags(["-Onone"])] : strict
    )
}
let feeds: [Target.Dependency] = ["Chronology", "Geo", "HTTPClient", "OpenData", "SeededRandom"]
let spatial: [Target.Dependency] = ["Columns", "Geo", "Chronology"]
let kernel: [Target] = [
    module("Columns", in: .kernel),
    module("Encoding", in: .kernel),
    module("Heap", in: .kernel),
    module("Geo", in: .kernel, ["Columns"]),
    module("Chronology", in: .kernel, ["Columns"]),
    module("Streets", in: .kernel, ["Columns", "Geo", "Heap"]),
    module("Transit", in: .kernel, spatial + ["Heap"]),
    module("Journeys", in: .kernel, spatial + ["Streets", "Tickets", "Transit"]),
    module("Dispatching", in: .kernel, ["Columns", "Chronology", "Encoding", "Heap"]),
    module("DayPlan", in: .kernel, ["Chronology", "Heap", "Journeys", "Streets"]),
    module("Tickets", in: .kernel, ["Columns", "Transit"]),
    module("SeededRandom", in: .kernel),
    module("Audit", in: .services, ["Chronology", "Dispatching"]),
    module("Fares", in: .services, ["Chronology", "Encoding", "Geo", "Streets"]),
    module(
        "Simulation",
        in: .services,
        ["Audit", "SeededRandom", "Chronology", "Dispatching", "Fares", "Geo", "Heap", "Streets"]
            + ["Zones"]
    ),
    library("CZlib", package: "zlib1g-dev"),
    library("CZip", package: "libzip-dev"),
    // The oracle of the tests of Geo; the program never uses it.
    library("CGEOS", package: "libgeos-dev"),
    module("OpenData", in: .data, ["Geo", "Chronology", "Encoding", "Streets", "CZlib", "CZip"]),
    module("Zones", in: .data, ["Columns", "Geo", "Heap", "OpenData"]),
    module("Positions", in: .services, ["Chronology", "Dispatching", "Geo", "Zones"]),
    support("TestSupport", ["Geo", "Chronology", "OpenData"]),
    library("CCurl", package: "libcurl4-openssl-dev"),
    module("HTTPClient", in: .services, ["CCurl", "Encoding"]),
    tests(of: "HTTPClient", ["HTTPClient"]),
    module("LiveFeeds", in: .services, feeds),
    tests(of: "LiveFeeds", feeds + ["LiveFeeds"]),
    tests(of: "Columns", ["Columns"]),
    tests(of: "Encoding", ["Encoding", "OpenData"]),
    tests(of: "Heap", ["Heap"]),
    tests(of: "Geo", ["Geo", "Columns", "CGEOS"]),
    tests(of: "Chronology", ["Chronology", "Columns"]),
    tests(of: "Streets", ["Streets", "Geo", "Columns"]),
    tests(of: "Dispatching", ["Dispatching", "Chronology"]),
    tests(of: "DayPlan", ["DayPlan", "Chronology"]),
    tests(of: "Tickets", ["Columns", "Tickets", "Transit"]),
    tests(of: "Simulation", ["Audit", "Chronology", "Dispatching", "Geo", "Simulation"]),
    tests(of: "Positions", ["Chronology", "Dispatching", "Geo", "Positions", "Zones"]),
    tests(of: "OpenData", ["OpenData", "Geo", "Chronology", "Streets"]),
    tests(of: "Zones", ["Zones", "OpenData", "Geo", "Columns", "CGEOS"]),
]

/// What plans journeys.
let planning: [Target.Dependency] = [
    "Chronology", "Columns", "Encoding", "Geo", "Journeys", "OpenData", "Streets", "Tickets",
    "Transit",
]
let tripNeeds = planning + ["CityData", "Fares", "LiveFeeds"]
let days: [Target.Dependency] = ["CityData", "DayPlan", "DayPlanning", "TripPlanning"]
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = ["GRDB", "GRDBSQLite"].map { Target.Dependency.product(name: $0, package: "GRDB.swift") }
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let rsa = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let serving: [Target.Dependency] = [
    .product(name: "Logging", package: "swift-log"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]
func nio(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "swift-nio") }
}
let web: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
]
let nioHTTP = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioTLS = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let connections = web + [nioHTTP, nioTLS] + nio("NIOCore", "NIOHTTP1", "NIOPosix", "NIOTLS")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let server = web + nio("NIOCore") + [metrics, signals, yams] + serving
/// What every page about taxis is built from.
let taxiPages: [Target.Dependency] =
    [
        "Chronology", "Dispatching", "Drivers", "Encoding", "Fares", "Geo", "Identity",
        "LiveUpdates", "Localization", "Markup", "Notify", "Storage", "Taxi", "WebCore", crypto,
    ] + web + serving
/// All features with pages.
let featureNames = [
    "API", "AccountPages", "CalendarPages", "ConsolePages", "DesignPages", "DriverPages",
    "GrantPages", "OperationPages", "PassengerPages", "RegisterPages", "TaxiPages", "TravelPages",
    "ZonePages",
]
let features = featureNames.map { Target.Dependency(stringLiteral: $0) }
let webTests: [Target.Dependency] =
    [
        "Agenda", "Backups", "CityData", "Columns", "HTTPServer", "LiveFeeds", "OpenData",
        "OpenIDConnect", "Positions", "StorageTestSupport", "Streets", "TestClock", "TripPlanning",
        "HTTPClient", "WebApp", "Zones",
    ] + taxiPages + features + ["FeedRegister", "Webhooks"]

let looks: [Target.Dependency] = ["CityData", "Positions", "Streets", "TripPlanning", "Zones"]
let trips: [Target.Dependency] = [
    "Agenda", "CityData", "Journeys", "OpenData", "Transit", "TripPlanning",
]
let operations = trips + ["TaxiPages", "Webhooks", "Zones"]
/// The pages of one feature.
func pages(_ feature: String, _ dependencies: [Target.Dependency]) -> Target {
    module(feature + "Pages", in: .web, taxiPages + ["TaxiPages"] + dependencies)
}

let storing: [Target.Dependency] = ["Chronology", "Encoding", "Storage"]
let stored = storing + ["StorageTestSupport"]
let pageTests = featureNames.map { tests(of: $0, ["WebTestSupport"] + webTests) }
let services: [Target] = [
    library("CPQ", package: "libpq-dev"),
    module("Storage", in: .services, ["CPQ", crypto] + grdb),
    support("StorageTestSupport", ["Storage", "TestSupport"]),
    module("Notify", in: .services, storing + ["HTTPClient", "Localization", crypto]),
    tests(of: "Notify", ["HTTPClient", "Localization", "Notify", crypto] + stored),
    library("CTexts"),
    module("Localization", in: .data, ["Chronology", "CTexts"]),
    // The sentences of all modules, which only what is linked depends on: see docs/localization.md.
    .target(
        name: "Texts",
        path: Layer.data.path(of: "Texts"),
        exclude: ["README.md", "Files"],
        publicHeadersPath: "."
    ),
    module("Markup", in: .data, ["Encoding"]),
    library("CArgon2", package: "libargon2-dev"),
    library("CScheduling"),
    library("CNGHTTP2", package: "libnghttp2-dev"),
    module(
        "Identity",
        in: .services,
        storing + ["CArgon2", "CScheduling", "Localization", crypto]
    ),
    module("OpenIDConnect", in: .services, ["Chronology", "Encoding", "HTTPClient", crypto, rsa]),
    tests(of: "OpenIDConnect", ["WebTestSupport"] + webTests),
    module("Drivers", in: .services, storing + ["Identity", "Localization", "SeededRandom"]),
    module("HTTPServer", in: .web, ["CNGHTTP2"] + connections + serving),
    module(
        "WebCore",
        in: .web,
        [
            "Chronology", "CZlib", "Encoding", "HTTPServer", "Identity", "Localization", "Markup",
            "OpenData", "Storage", crypto,
        ] + server
    ),
    module(
        "LiveUpdates",
        in: .web,
        ["Chronology", "Identity", "Localization", "Markup", "Notify", "WebCore"] + web + serving
    ),
    // Its folder `Look/Files` has the style sheets and scripts of all pages.
    module("TaxiPages", in: .web, taxiPages + looks, embedding: "Look/Files"),
    pages("Account", ["OpenIDConnect"]),
    pages("Grant", ["OpenData"]),
    pages("Passenger", ["CityData", "Positions"]),
    pages("Driver", ["CityData", "OpenData", "Positions", "Streets", "Zones"]),
    pages("Register", ["OpenData", "Webhooks", "Zones"]),
    pages("Zone", ["CityData", "OpenData", "Zones"]),
    pages("Operation", ["CityData", "Positions", "Zones"]),
    pages("Console", ["Backups", "FeedRegister", "LiveFeeds", "TripPlanning", "Zones"]),
    pages("Design", ["CityData"]),
    pages("Travel", trips + ["LiveFeeds"]),
    module("API", in: .web, taxiPages + operations, embedding: "Examples"),
    pages("Calendar", days + ["Agenda", "HTTPClient", "OpenData", "Transit", "TravelPages"]),
    module(
        "WebApp",
        in: .web,
        taxiPages + [
            "Agenda", "Backups", "CityData", "Columns", "HTTPServer", "Journeys", "Positions",
            "Streets", "TripPlanning", "Zones",
        ] + ["FeedRegister", "LiveFeeds", "OpenIDConnect", "Webhooks"] + feeds + features + server
    ),
    // What `viavai demo` alone uses; a city's server knows nothing of it.
    module(
        "LivingCity",
        in: .programs,
        taxiPages + [
            "Agenda", "CityData", "Columns", "HTTPServer", "Journeys", "OpenData", "Positions",
            "SeededRandom", "Simulation", "Streets", "TaxiPages", "Transit", "TripPlanning",
            "WebApp", "Zones",
        ]
    ),
    support("TestClock", ["Chronology", "Taxi"]),
    program(
        "ClockedServer",
        in: .testSupport,
        ["Identity", "Chronology", "Notify", "Taxi", "TaxiPages", "TestClock", "WebApp", "WebCore"]
    ),
    support("IdentityTestSupport", ["Identity", "Chronology", "Storage", "StorageTestSupport"]),
    module("Backups", in: .services, storing + ["Identity", "Taxi", crypto]),
    tests(of: "Identity", ["Identity", "IdentityTestSupport", "Localization"] + stored),
    tests(of: "Drivers", ["Drivers", "Identity", "IdentityTestSupport"] + stored),
    module("FeedRegister", in: .services, ["HTTPClient", "LiveFeeds", "Storage", crypto]),
    module("Webhooks", in: .services, storing + ["HTTPClient", "Identity", crypto]),
    tests(of: "Webhooks", ["HTTPClient", "Identity", "IdentityTestSupport", "Webhooks"] + stored),
    module("Agenda", in: .services, storing + ["Geo", "Identity", "OpenData", crypto]),
    tests(of: "Agenda", ["Agenda", "Geo", "Identity", "IdentityTestSupport", "OpenData"] + stored),
    tests(of: "HTTPServer", connections + nio("NIOEmbedded") + ["CNGHTTP2", "HTTPServer"]),
    tests(of: "LiveUpdates", ["IdentityTestSupport", "WebTestSupport"] + webTests),
    tests(of: "Markup", ["Markup"]),
    tests(of: "Localization", ["Chronology", "Localization", "Texts"]),
    // The city as a whole is tested among the pages: WebAppTests/Demo.
    tests(of: "LivingCity", webTests + ["HTTPClient", "LivingCity", "Simulation", "Transit"]),
    support(
        "WebTestSupport",
        webTests + [rsa]
            + ["TestSupport", .product(name: "AsyncHTTPClient", package: "async-http-client")]
    ),
    tests(of: "WebApp", ["Audit", "LivingCity", "WebTestSupport"] + webTests + nio("NIOEmbedded")),
    tests(of: "Fares", planning + ["CityData", "Fares"]),
    module(
        "Taxi",
        in: .services,
        [
            "Chronology", "Dispatching", "Encoding", "Fares", "Geo", "Localization", "Positions",
            "Storage", "Streets", "Zones", crypto,
        ]
    ),
    // What crash tests kill; no product.
    program("TaxiProbe", in: .programs, ["Chronology", "Dispatching", "Storage", "Taxi", "Texts"]),
    tests(
        of: "Taxi",
        [
            "Audit", "Columns", "Dispatching", "Fares", "Geo", "Localization", "Positions",
            "Streets", "Taxi", "TaxiProbe", "TestClock", "Zones",
        ] + stored + grdb
    ),
    program("StorageProbe", in: .programs, ["Storage"]),
    tests(of: "Storage", ["StorageProbe"] + stored),
    module("CityData", in: .data, planning + ["CZip", "CZlib", "Heap", "SeededRandom"]),
    program(
        "viavai",
        in: .programs,
        planning + [
            "Agenda", "Audit", "Backups", "CityData", "DayPlan", "DayPlanning", "Dispatching",
            "Drivers", "HTTPClient", "HTTPServer", "Identity", "LiveFeeds", "LivingCity",
            "Localization", "RegisterPages", "Simulation", "Taxi", "TaxiPages", "TripPlanning",
            "WebApp", "WebCore", "Zones", arguments,
        ]
    ),
    module("TripPlanning", in: .services, tripNeeds + ["CScheduling"]),
    tests(of: "TripPlanning", tripNeeds + days),
    module("DayPlanning", in: .services, planning + ["CityData", "DayPlan", "TripPlanning"]),
    tests(of: "DayPlanning", tripNeeds + days),
    tests(of: "Architecture", []),
]
let planningTests = ["Journeys", "CityData", "Acceptance"].map {
    tests(of: $0, planning + ["CityData", "DayPlan"])
}
let kernelModules = kernel.filter { $0.path?.hasPrefix("Sources/Kernel/") == true }.map(\.name)
func github(_ path: String, _ version: Version) -> Package.Dependency {
    .package(url: "https://github.com/\(path)", exact: version)
}
let package = Package(
    name: "viavai",
    products: kernelOnly
        ? []
        : [
            // Linked together, so that an edited sentence compiles nothing of the program again.
            .executable(name: "viavai", targets: ["viavai", "Texts"]),
            .executable(name: "ClockedServer", targets: ["ClockedServer", "Texts"]),
            .library(name: "ViavaiKernel", targets: kernelModules),
        ],
    dependencies: kernelOnly
        ? []
        : [
            github("apple/swift-argument-parser", "1.8.2"), github("apple/swift-crypto", "4.5.2"),
            github("groue/GRDB.swift", "7.10.0"),
            github("hummingbird-project/hummingbird", "2.28.1"),
            github("apple/swift-nio", "2.101.2"), github("apple/swift-nio-extras", "1.35.2"),
            github("apple/swift-nio-ssl", "2.37.6"), github("apple/swift-log", "1.16.2"),
            github("apple/swift-metrics", "2.13.0"), github("apple/swift-http-types", "1.8.0"),
            github("jpsim/Yams", "6.2.2"), github("swift-server/async-http-client", "1.37.0"),
            github("swift-server/swift-service-lifecycle", "2.13.0"),
        ],
    targets: kernelOnly ? kernel : kernel + services + pageTests + planningTests,
    swiftLanguageModes: [.v6]
)
// What measures the program: the dispatcher from within, the server from outside. It is no part of
// the program, of its tests, or of any build that does not ask for it.
if Context.environment["VIAVAI_BENCHMARKS"] == "1" {
    func benchmark(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) {
        let path = "Benchmarks/Sources/" + folder
        package.targets.append(
            .executableTarget(
                name: name,
                dependencies: dependencies,
                path: path,
                swiftSettings: strict
            )
        )
    }
    // Not "dispatch": its entry point would be called `dispatch_main`, as libdispatch's is.
    let service: [Target.Dependency] = ["CPQ", "Geo", "Positions", "Simulation", "Taxi", "Zones"]
    benchmark("dispatching-benchmark", "Dispatch", service + ["SeededRandom", "Texts"])
    benchmark("load", "Load", [nioTLS] + nio("NIOCore", "NIOHTTP1", "NIOPosix"))
    benchmark("fill", "Fill", taxiPages + ["TaxiPages", "Texts", "WebApp", "Zones"])
    benchmark(
        "crowd",
        "Crowd",
        ["SeededRandom", "CNGHTTP2", "Encoding", nioTLS] + nio("NIOCore", "NIOPosix")
    )
}
