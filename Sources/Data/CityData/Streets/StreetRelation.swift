import OpenData
import Streets

/// A turn restriction as a relation states it.
///
/// Source: OSM wiki, "Relation:restriction".
struct StreetRestriction {
    /// The ways with the role `from`; several for `no_entry`.
    var from: [Int64] = []
    /// The ways that one would go to; several for `no_exit`.
    var to: [Int64] = []
    /// The node where one turns, unless it is over ways.
    var viaNode: Int64?
    /// The ways that one turns over, in any order.
    var viaWays: [Int64] = []
    /// Whether the turn is the only one allowed, rather than forbidden.
    var isOnly = false
    /// The profiles that it binds, one bit for each of ``Profile/allCases``.
    var profiles: UInt8 = 0

    /// Reads a turn restriction; nil if it does not apply to any of our profiles.
    ///
    /// - Parameters:
    ///   - relation: the relation.
    ///   - isBroken: set where it is a turn restriction but is malformed.
    init?(_ relation: OSMRelation, isBroken: inout Bool) {
        var value: String?
        var profiles: UInt8 = 0
        var exempt: UInt8 = 0
        var isRestriction = false
        for tag in relation.tags.pairs {
            switch tag.key {
            case "type" where tag.value == "restriction": isRestriction = true
            case "restriction":
                value = tag.value
                profiles |= Self.vehicles
            case "except": exempt = Self.profiles(named: tag.value)
            default:
                // Such as `restriction:bicycle`; those with a condition do not always hold.
                let parts = tag.key.split(separator: ":")
                guard parts.count == 2, parts[0] == "restriction" else { continue }
                let bound = Self.profiles(named: String(parts[1]))
                if bound != 0 { value = tag.value }
                profiles |= bound
            }
        }
        self.profiles = profiles & ~exempt
        guard isRestriction, let value, self.profiles != 0 else { return nil }
        isOnly = value.hasPrefix("only_")
        guard isOnly || value.hasPrefix("no_"), readMembers(relation) else {
            isBroken = true
            return nil
        }
    }

    /// A restriction applies to vehicles, unless it names others.
    private static let vehicles = bits([.bicycle, .car, .taxi])

    private static func bits(_ profiles: [Profile]) -> UInt8 {
        profiles.reduce(0) { $0 | 1 << $1.rawValue }
    }

    /// The profiles in a list such as `psv;bicycle`.
    private static func profiles(named list: String) -> UInt8 {
        var profiles: UInt8 = 0
        for name in list.split(whereSeparator: { $0 == ";" || $0 == "," || $0 == " " }) {
            switch name {
            case "bicycle": profiles |= bits([.bicycle])
            case "motorcar", "motor_vehicle": profiles |= bits([.car, .taxi])
            case "vehicle": profiles |= vehicles
            case "psv", "taxi": profiles |= bits([.taxi])
            default: break
            }
        }
        return profiles
    }

    private mutating func readMembers(_ relation: OSMRelation) -> Bool {
        var viaNodes = 0
        for member in relation.members {
            switch (member.role, member.kind) {
            case ("from", .way): from.append(member.id)
            case ("to", .way): to.append(member.id)
            case ("via", .way): viaWays.append(member.id)
            case ("via", .node):
                viaNode = member.id
                viaNodes += 1
            default: break
            }
        }
        let hasVia = viaNodes == 1 ? viaWays.isEmpty : viaNodes == 0 && !viaWays.isEmpty
        let limit = 16
        return hasVia && !from.isEmpty && !to.isEmpty && viaWays.count <= limit
            && from.count * to.count <= limit && (!isOnly || to.count == 1)
    }
}

/// A square or platform whose outline consists of ways that have no tags themselves.
enum StreetOutline {
    /// The tags' key and value by which an area is one to walk on.
    static func isWalkable(_ tags: OSMTags) -> Bool {
        guard tags["type"] == "multipolygon" else { return false }
        switch tags["highway"] {
        case "pedestrian", "footway", "platform": return true
        default:
            return tags["railway"] == "platform" || tags["public_transport"] == "platform"
        }
    }
}
