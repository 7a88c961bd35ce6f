import Foundation
import Zones

/// Zones given on the command line as a GeoJSON file.
enum ZonesArgument {
    /// Reads the zones of a file and reports repairs and remaining problems on standard error.
    ///
    /// - Throws: ``CommandFailure`` with all errors in the file.
    static func read(_ path: String) throws -> ZoneSet {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.badInput("--zones \(path): no such file")
        }
        let zones: ZoneSet
        do {
            zones = try ZoneSet.read(
                [UInt8](data),
                file: URL(fileURLWithPath: path).lastPathComponent
            )
        } catch {
            let problems = error.problems.prefix(20).map { "  \($0)" }.joined(separator: "\n")
            throw CommandFailure.badInput("\(error.file): these zones cannot be used:\n\(problems)")
        }
        let report = zones.report
        if !report.repairs.isEmpty || !report.gaps.isEmpty {
            Console.note(
                "zones: \(report.repairs.count) narrow overlaps and gaps between borders healed, "
                    + "\(report.gaps.count) wider gaps left"
            )
        }
        return zones
    }

    /// A name for each zone; zones of the same name are distinguished by their codes.
    static func names(_ zones: ZoneSet) -> [String] {
        let counts = Dictionary(zones.zones.map { ($0.name, 1) }, uniquingKeysWith: +)
        return zones.zones.map { zone in
            counts[zone.name] == 1 ? zone.name : "\(zone.name) (\(zone.code))"
        }
    }
}
