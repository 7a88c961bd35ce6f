// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of Viavai never build it.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "viavai", path: "..")],
    targets: [
        .executableTarget(
            name: "measure",
            dependencies: [.product(name: "ViavaiKernel", package: "viavai")],
            path: "Sources/Measure",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .treatAllWarnings(as: .error),
                .strictMemorySafety(),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
