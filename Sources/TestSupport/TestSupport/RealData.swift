package import Foundation
package import Testing

/// The real data that tests and benchmarks use: `../shared/data` beside the checkout.
///
/// It is not part of the project. A test that needs it says
/// `@Test(.enabled(if: RealData.has("milan/milan.osm.pbf"), RealData.advice))` and is skipped with
/// that advice where it is absent. A debug build treats files over ``debugLimit`` as absent: it is
/// 20 to 50 times slower, and whole cities are left to the release build.
package enum RealData {
    /// The reason for skipping a test without the data.
    package static var advice: Comment {
        Effort.isRelease
            ? "real data is absent: put it in ../shared/data"
            : "real data is absent, or larger than 1 MB and so left to the release build"
    }

    /// The file size in bytes above which a debug build treats a file as absent.
    static let debugLimit = 1_000_000

    /// The folder of all real data.
    package static var folder: URL {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        if let path = ProcessInfo.processInfo.environment["VIAVAI_DATA"] {
            return URL(fileURLWithPath: path)
        }
        return root.deletingLastPathComponent().appendingPathComponent("shared/data")
    }

    /// The location of a file, given its path inside the folder.
    package static func url(_ path: String) -> URL {
        folder.appendingPathComponent(path)
    }

    /// Skips the current test, or its current argument, where a file is absent.
    ///
    /// - Throws: what tells the test library that the test is skipped.
    package static func require(_ path: String) throws {
        if !has(path) { try Test.cancel(advice) }
    }

    /// Whether all the files are there and none is too large for this build.
    package static func has(_ paths: String...) -> Bool {
        paths.allSatisfy { path in
            guard
                let facts = try? FileManager.default.attributesOfItem(
                    atPath: url(path).resolvingSymlinksInPath().path
                ),
                let size = facts[.size] as? Int
            else { return false }
            return Effort.isRelease || size < debugLimit
        }
    }
}
