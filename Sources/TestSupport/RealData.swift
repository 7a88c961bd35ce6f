package import Foundation
package import Testing

/// The real data that tests and benchmarks use: `../shared/data` beside the checkout.
///
/// It is not part of the project. A test that needs it says
/// `@Test(.enabled(if: RealData.has("milan/milan.osm.pbf"), RealData.advice))` and is skipped with
/// that advice where it is absent.
package enum RealData {
    /// What a skipped test says.
    package static let advice: Comment = "real data is absent: put it in ../shared/data"

    /// The folder of all real data.
    package static var folder: URL {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        if let path = ProcessInfo.processInfo.environment["VIAVAI_DATA"] {
            return URL(fileURLWithPath: path)
        }
        return root.deletingLastPathComponent().appendingPathComponent("shared/data")
    }

    /// Where a file lies, given its path inside the folder.
    package static func url(_ path: String) -> URL {
        folder.appendingPathComponent(path)
    }

    /// Whether all the files are there.
    package static func has(_ paths: String...) -> Bool {
        paths.allSatisfy { FileManager.default.fileExists(atPath: url($0).path) }
    }
}
