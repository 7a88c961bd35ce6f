import Foundation
import Zones

/// Zones as the command line names them: a GeoJSON file.
enum ZonesArgument {
    /// The zones of a file, with what was healed and what is left told on standard error.
    ///
    /// - Throws: ``CommandFailure`` with all that is wrong in the file.
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

    /// A name for each zone; where two have the same one, with their codes.
    static func names(_ zones: ZoneSet) -> [String] {
        let counts = Dictionary(zones.zones.map { ($0.name, 1) }, uniquingKeysWith: +)
        return zones.zones.map { zone in
            counts[zone.name] == 1 ? zone.name : "\(zone.name) (\(zone.code))"
        }
    }
}
