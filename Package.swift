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

/// A target whose memory accesses are marked wherever the compiler cannot prove them safe.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        exclude: ["README.md"],
        swiftSettings: strict + [.strictMemorySafety()]
    )
}

func tests(of name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: dependencies + ["TestSupport"],
        swiftSettings: strict
    )
}

let kernel: [Target] = [
    room("Columns"),
    room("Geo", ["Columns"]),
    room("Chronology", ["Columns"]),
    room("Streets", ["Columns", "Geo"]),
    room("Transit", ["Columns", "Geo", "Chronology"]),
    room("Journeys", ["Columns", "Geo", "Chronology", "Streets", "Transit"]),
    room("Dispatching", ["Columns", "Chronology"]),
    room("Chance"),
    room("Audit", ["Chronology", "Dispatching"]),
    room("Fares", ["Chronology", "Geo", "Streets"]),
    room(
        "Simulation",
        ["Audit", "Chance", "Chronology", "Dispatching", "Fares", "Geo", "Streets"]
    ),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZip", providers: [.apt(["libzip-dev"])]),
    // The oracle of the tests of Geo; the program never uses it.
    .systemLibrary(name: "CGEOS", providers: [.apt(["libgeos-dev"])]),
    room("OpenData", ["Geo", "Chronology", "CZlib", "CZip"]),
    room("Zones", ["Columns", "Geo", "OpenData"]),
    room("Positions", ["Chronology", "Dispatching", "Geo", "Zones"]),
    .target(
        name: "TestSupport",
        dependencies: ["Geo", "Chronology", "OpenData"],
        exclude: ["README.md"],
        swiftSettings: strict
    ),
    tests(of: "Columns", ["Columns"]),
    tests(of: "Geo", ["Geo", "Columns", "CGEOS"]),
    tests(of: "Chronology", ["Chronology", "Columns"]),
    tests(of: "Streets", ["Streets", "Geo", "Columns"]),
    tests(of: "Dispatching", ["Dispatching", "Chronology"]),
    tests(
        of: "Simulation",
        ["Audit", "Chronology", "Dispatching", "Geo", "Simulation"]
    ),
    tests(
        of: "Positions",
        ["Chronology", "Dispatching", "Geo", "Positions", "Zones"]
    ),
    tests(of: "OpenData", ["OpenData", "Geo", "Chronology"]),
    tests(of: "Zones", ["Zones", "OpenData", "Geo", "Columns", "CGEOS"]),
]

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)

let grdb: [Target.Dependency] = [
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "GRDBSQLite", package: "GRDB.swift"),
]
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")

let serving: [Target.Dependency] = [
    .product(name: "Logging", package: "swift-log"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]

let server: [Target.Dependency] =
    [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Yams", package: "Yams"),
    ] + serving

let services: [Target] = [
    .systemLibrary(name: "CPQ", providers: [.apt(["libpq-dev"])]),
    room("Storage", ["CPQ", crypto] + grdb),
    .target(
        name: "StorageTestSupport",
        dependencies: ["Storage"],
        exclude: ["README.md"],
        swiftSettings: strict
    ),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    room("Notify", ["CCurl", "Chronology", "Storage", "Words", crypto]),
    tests(
        of: "Notify",
        ["Chronology", "Notify", "Storage", "StorageTestSupport", "Words", crypto]
    ),
    room("Words"),
    room("Markup"),
    .systemLibrary(name: "CArgon2", providers: [.apt(["libargon2-dev"])]),
    .systemLibrary(name: "CScheduling"),
    .systemLibrary(name: "CNGHTTP2", providers: [.apt(["libnghttp2-dev"])]),
    room(
        "Accounts",
        ["CArgon2", "Chance", "Chronology", "CScheduling", "Storage", "Words", crypto]
    ),
    .target(
        name: "Web",
        dependencies: [
            "Accounts", "Chronology", "CityData", "CNGHTTP2", "Columns", "CZlib", "Dispatching",
            "Fares", "Geo", "Markup", "Notify", "OpenData", "Positions", "Storage", "Streets",
            "Taxi", "Words", "Zones", crypto,
        ] + server,
        exclude: ["README.md"],
        resources: [.embedInCode("Look/Files")],
        swiftSettings: strict + [.strictMemorySafety()]
    ),
    // What `viavai demo` alone uses; a city's server knows nothing of it.
    room(
        "LivingCity",
        [
            "Accounts", "Chance", "Chronology", "Dispatching", "Fares", "Geo", "Markup",
            "Positions", "Simulation", "Streets", "Taxi", "Web", "Words", "Zones",
        ] + serving
    ),
    // What browser tests drive; no product.
    .executableTarget(
        name: "ClockedServer",
        dependencies: ["Accounts", "Chronology", "Notify", "Taxi", "Web"],
        exclude: ["README.md"],
        swiftSettings: strict + [.strictMemorySafety()]
    ),
    tests(
        of: "Accounts",
        ["Accounts", "Chronology", "Storage", "StorageTestSupport", "Words"]
    ),
    tests(of: "Markup", ["Markup"]),
    tests(of: "Words", ["Words"]),
    // The city as a whole is tested among the pages: WebTests/Demo.
    tests(
        of: "LivingCity",
        [
            "Chance", "Chronology", "Dispatching", "Geo", "LivingCity", "Positions", "Simulation",
            "Web",
        ]
    ),
    tests(
        of: "Web",
        [
            "Accounts", "Audit", "Chronology", "CityData", "ClockedServer", "Columns",
            "Dispatching", "Fares", "Geo", "LivingCity", "Markup", "Notify", "OpenData",
            "Positions", "Storage", "StorageTestSupport", "Taxi", "Web", "Words", "Zones",
            .product(name: "AsyncHTTPClient", package: "async-http-client"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOEmbedded", package: "swift-nio"),
        ]
    ),
    tests(
        of: "Fares",
        ["Fares", "CityData", "Streets", "OpenData", "Columns", "Geo", "Chronology"]
    ),
    room(
        "Taxi",
        [
            "Chronology", "Dispatching", "Fares", "Geo", "Positions", "Storage", "Streets",
            "Zones", crypto,
        ]
    ),
    // What crash tests kill; no product.
    .executableTarget(
        name: "TaxiProbe",
        dependencies: ["Chronology", "Dispatching", "Storage", "Taxi"],
        exclude: ["README.md"],
        swiftSettings: strict + [.strictMemorySafety()]
    ),
    tests(
        of: "Taxi",
        [
            "Audit", "Chronology", "Columns", "Dispatching", "Fares", "Geo", "Positions",
            "Storage", "StorageTestSupport", "Streets", "Taxi", "TaxiProbe", "Zones",
        ]
    ),
    .executableTarget(
        name: "StorageProbe",
        dependencies: ["Storage"],
        exclude: ["README.md"],
        swiftSettings: strict + [.strictMemorySafety()]
    ),
    tests(of: "Storage", ["Storage", "StorageTestSupport", "StorageProbe"]),
    room(
        "CityData",
        [
            "Chance", "Columns", "Geo", "Chronology", "Streets", "Transit", "Journeys",
            "OpenData", "CZip", "CZlib",
        ]
    ),
    .executableTarget(
        name: "viavai",
        dependencies: [
            "Audit", "CityData", "Columns", "Geo", "Chronology", "Dispatching", "LivingCity",
            "Streets", "Transit", "Journeys", "OpenData", "Simulation", "Taxi", "Web", "Words",
            "Zones", "Accounts", argumentParser,
        ],
        exclude: ["README.md"],
        swiftSettings: strict + [.strictMemorySafety()]
    ),
    tests(
        of: "Journeys",
        [
            "Journeys", "CityData", "Transit", "Streets", "OpenData", "Columns", "Geo",
            "Chronology",
        ]
    ),
    tests(
        of: "CityData",
        [
            "CityData", "Journeys", "Transit", "Streets", "OpenData", "Columns", "Geo",
            "Chronology",
        ]
    ),
    tests(
        of: "Acceptance",
        ["viavai", "CityData", "Journeys", "Transit", "Streets", "Columns", "Geo", "Chronology"]
    ),
    tests(of: "House", []),
]

let package = Package(
    name: "viavai",
    products: kernelOnly
        ? []
        : [
            .executable(name: "viavai", targets: ["viavai"]),
            .library(
                name: "ViavaiKernel",
                targets: [
                    "Columns", "Geo", "Chronology", "Streets", "Transit", "Journeys",
                    "Dispatching",
                ]
            ),
        ],
    dependencies: kernelOnly
        ? []
        : [
            .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
            .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
            .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
            .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
            .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
            .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
            .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
            .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
            .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
            .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
            .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
            .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
            .package(
                url: "https://github.com/swift-server/swift-service-lifecycle",
                exact: "2.13.0"
            ),
        ],
    targets: kernelOnly ? kernel : kernel + services,
    swiftLanguageModes: [.v6]
)

// What measures the program: the dispatcher from within, the server from outside. It is no part of
// the program, of its tests, or of any build that does not ask for it.
if Context.environment["VIAVAI_BENCHMARKS"] == "1" {
    package.targets.append(
        .executableTarget(
            // Not "dispatch": its entry point would be called `dispatch_main`, as libdispatch's is.
            name: "dispatching-benchmark",
            dependencies: [
                "CPQ", "Chance", "Chronology", "Dispatching", "Geo", "Positions", "Simulation",
                "Storage", "Taxi", "Zones",
            ],
            path: "Benchmarks/Sources/Dispatch",
            swiftSettings: strict + [.strictMemorySafety()]
        )
    )
    package.targets.append(
        .executableTarget(
            name: "load",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Benchmarks/Sources/Load",
            swiftSettings: strict
        )
    )
    package.targets.append(
        .executableTarget(
            name: "fill",
            dependencies: [
                "Accounts", "Chronology", "Dispatching", "Fares", "Geo", "Storage", "Taxi", "Web",
                "Zones",
            ],
            path: "Benchmarks/Sources/Fill",
            swiftSettings: strict
        )
    )
    package.targets.append(
        .executableTarget(
            name: "crowd",
            dependencies: [
                "Chance", "CNGHTTP2",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Benchmarks/Sources/Crowd",
            swiftSettings: strict
        )
    )
}
