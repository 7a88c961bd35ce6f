import Foundation
import OpenData
import Zones

/// Zones given on the command line as a GeoJSON file.
enum ZonesArgument {
    /// Reads the zones of a file and reports the identifying property, unless it was named, and
    /// repairs and remaining problems on standard error.
    ///
    /// - Parameters:
    ///   - path: the GeoJSON file.
    ///   - property: the property that identifies a zone; nil to guess it.
    /// - Returns: the zones, healed.
    /// - Throws: ``CommandFailure`` with all errors in the file.
    static func read(_ path: String, identifiedBy property: String? = nil) throws -> ZoneSet {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.badInput("--zones \(path): no such file")
        }
        let zones: ZoneSet
        do {
            zones = try ZoneSet.read(
                [UInt8](data),
                file: URL(fileURLWithPath: path).lastPathComponent,
                naming: ZoneNaming(codeProperty: property)
            )
        } catch {
            let problems = error.problems.prefix(20).map { "  \($0)" }.joined(separator: "\n")
            throw CommandFailure.badInput(
                "\(error.file): these zones cannot be used:\n\(problems)"
                    + advice(error.problems, [UInt8](data))
            )
        }
        if property == nil, let taken = zones.naming.codeProperty {
            Console.note(
                "zones: \(zones.count), identified by the property \"\(taken)\" "
                    + "(--zone-id names another)"
            )
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

    /// The properties to choose from, where the zones have no code or share one.
    private static func advice(_ problems: [ZoneProblem], _ bytes: [UInt8]) -> String {
        let isUnidentified = problems.contains { problem in
            switch problem {
            case .noCode, .duplicateCode: true
            default: false
            }
        }
        let features = (try? GeoJSON(bytes, file: ""))?.features
        let names = features?.first?.properties.members.map(\.name) ?? []
        guard isUnidentified, !names.isEmpty else { return "" }
        return "\nName the identifying property with --zone-id; the file has "
            + names.prefix(30).joined(separator: ", ")
    }

    /// A name for each zone; zones of the same name are distinguished by their codes.
    static func names(_ zones: ZoneSet) -> [String] {
        let counts = Dictionary(zones.zones.map { ($0.name, 1) }, uniquingKeysWith: +)
        return zones.zones.map { zone in
            counts[zone.name] == 1 ? zone.name : "\(zone.name) (\(zone.code))"
        }
    }
}
