import Geo
import OpenData
import Streets

/// The streets of a file as mapped: ways and their nodes, classified but not yet connected.
///
/// The file is read three times: relations first, because a square's tags may be on the relation of
/// its outline; then ways; then the nodes of these.
struct StreetReader {
    /// The distinct classes of ways.
    var classes = StreetIndex<StreetClass>()
    /// The names; number 0 is the empty one.
    var names = StreetIndex<String>([""])
    /// The ids of the ways, in the file's order.
    var ways: [Int64] = []
    /// The class of each way.
    var wayClasses: [UInt32] = []
    /// The name number of each way.
    var wayNames: [UInt32] = []
    /// Where each way's nodes begin in `refs`; one more than there are ways.
    var offsets: [Int] = [0]
    /// The nodes that the ways pass: numbers in `nodeIds`.
    var refs: [UInt32] = []
    /// The ids of all nodes that the ways pass, ascending.
    var nodeIds: [Int64] = []
    /// The position of each node.
    var places: [Coordinate] = []
    /// Whether the file has the node.
    var isPresent: [Bool] = []
    /// The obstacle at each node: a number in `points`, 0 for none.
    var nodePoints: [UInt16] = []
    /// The distinct obstacles, from number 1.
    var points: [StreetPoint] = []
    /// The turn restrictions of the file.
    var restrictions: [StreetRestriction] = []
    /// The report on contents and repairs.
    var report = StreetImport.Report()

    private var outlineClasses: [Int64: (sort: UInt32, name: UInt32)] = [:]
    private var durations: [Int: UInt32] = [:]
    private var rawRefs: [Int64] = []

    /// Reads all of a file's streets.
    init(_ file: OSMFile, progress: (Double) -> Void) throws(OSMFailure) {
        try readRelations(file) { progress($0 * 0.2) }
        try readWays(file) { progress(0.2 + $0 * 0.4) }
        numberNodes()
        try readNodes(file) { progress(0.6 + $0 * 0.4) }
        applyDurations()
    }

    private mutating func readRelations(
        _ file: OSMFile,
        _ progress: (Double) -> Void
    ) throws(OSMFailure) {
        var tags = StreetTags()
        var blocks = file.blocks(.relations)
        while let block = try blocks.next() {
            if !block.relations.isEmpty { tags.begin(block) }
            for relation in block.relations {
                if StreetOutline.isWalkable(relation.tags) {
                    tags.read(relation.tags)
                    readOutline(relation, tags)
                    continue
                }
                var isBroken = false
                if let restriction = StreetRestriction(relation, isBroken: &isBroken) {
                    restrictions.append(restriction)
                }
                if isBroken { report.brokenRestrictions += 1 }
            }
            progress(blocks.fraction)
        }
    }

    private mutating func readOutline(_ relation: OSMRelation, _ tags: StreetTags) {
        guard let sort = StreetClass(tags) else { return }
        let number = classes.number(of: sort)
        let name = names.number(of: tags.text(.name) ?? "")
        for member in relation.members where member.kind == .way {
            guard outlineClasses[member.id] == nil else { continue }
            outlineClasses[member.id] = (number, name)
        }
    }

    private mutating func readWays(
        _ file: OSMFile,
        _ progress: (Double) -> Void
    ) throws(OSMFailure) {
        var tags = StreetTags()
        var blocks = file.blocks(.ways)
        while let block = try blocks.next() {
            if !block.ways.isEmpty { tags.begin(block) }
            for way in block.ways {
                tags.read(way.tags)
                readWay(way, tags)
            }
            progress(blocks.fraction)
        }
    }

    private mutating func readWay(_ way: OSMWay, _ tags: StreetTags) {
        let sort: UInt32
        let name: UInt32
        if let own = StreetClass(tags) {
            sort = classes.number(of: own)
            name = names.number(of: tags.text(.name) ?? tags.text(.ref) ?? "")
        } else if let outline = outlineClasses[way.id], !tags.has(.highway) {
            (sort, name) = outline
            report.outlines += 1
        } else {
            return
        }
        guard way.nodes.count >= 2 else {
            report.shortWays += 1
            return
        }
        countConditions(tags, classes.values[Int(sort)])
        if let text = tags.text(.maxspeed), StreetSpeed.limit(text) == nil {
            report.unparsableSpeeds += 1
        }
        let kind = classes.values[Int(sort)].kind
        if kind == .ferry, let seconds = Self.seconds(tags.text(.duration)) {
            durations[ways.count] = seconds
        } else if kind == .elevator {
            durations[ways.count] = StreetConstants.elevatorSeconds
        }
        ways.append(way.id)
        wayClasses.append(sort)
        wayNames.append(name)
        rawRefs.append(contentsOf: way.nodes)
        offsets.append(rawRefs.count)
    }

    private mutating func countConditions(_ tags: StreetTags, _ sort: StreetClass) {
        if !sort.variants.isEmpty { report.conditionalWays += 1 }
        if tags.conditionals.contains(where: { ConditionalTag($0.text, of: $0.key).isUnclear }) {
            report.unclearConditions += 1
        }
    }

    /// A duration such as `00:25`, `1:05:00` or `25` (minutes), in seconds.
    static func seconds(_ text: String?) -> UInt32? {
        guard let text else { return nil }
        var total = 0
        let parts = text.split(separator: ":")
        guard (1...3).contains(parts.count) else { return nil }
        for part in parts {
            guard let number = Int(part), number >= 0, number < 10_000 else { return nil }
            total = total * 60 + number
        }
        let seconds = parts.count == 3 ? total : total * 60
        return seconds > 0 ? UInt32(seconds) : nil
    }

    private mutating func numberNodes() {
        nodeIds = rawRefs.sorted()
        var count = 0
        for id in nodeIds where count == 0 || nodeIds[count - 1] != id {
            nodeIds[count] = id
            count += 1
        }
        nodeIds.removeLast(nodeIds.count - count)
        refs.reserveCapacity(rawRefs.count)
        for id in rawRefs { refs.append(UInt32(node(id) ?? 0)) }
        rawRefs = []
        let origin = Coordinate(latitude: 0, longitude: 0)
        places = [Coordinate](repeating: origin, count: count)
        isPresent = [Bool](repeating: false, count: count)
        nodePoints = [UInt16](repeating: 0, count: count)
    }

    /// The number of the node with an id; nil if no street passes it.
    func node(_ id: Int64) -> Int? {
        var low = 0
        var high = nodeIds.count
        while low < high {
            let middle = (low + high) / 2
            if nodeIds[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < nodeIds.count && nodeIds[low] == id ? low : nil
    }

    private mutating func readNodes(
        _ file: OSMFile,
        _ progress: (Double) -> Void
    ) throws(OSMFailure) {
        var tags = StreetTags()
        var index = StreetIndex<StreetPoint>()
        var blocks = file.blocks(.nodes)
        while let block = try blocks.next() {
            if !block.nodes.isEmpty { tags.begin(block) }
            for (position, node) in zip(block.nodes.indices, block.nodes) {
                guard let number = self.node(node.id) else { continue }
                places[number] = node.coordinate
                isPresent[number] = true
                guard block.nodes.isTagged(position) else { continue }
                tags.read(node.tags)
                guard let point = StreetPoint(tags) else { continue }
                let found = index.number(of: point) + 1
                nodePoints[number] = UInt16(exactly: found) ?? 0
                if point.closed != 0 { report.barriers += 1 }
            }
            progress(blocks.fraction)
        }
        points = index.values
    }

    /// The obstacle at a node; nil if there is none.
    func point(_ node: UInt32) -> StreetPoint? {
        let number = Int(nodePoints[Int(node)])
        return number > 0 ? points[number - 1] : nil
    }

    /// Sets the speed of ferries and lifts from their duration.
    private mutating func applyDurations() {
        for way in ways.indices {
            guard let seconds = durations[way] else { continue }
            var metres = 0.0
            let range = offsets[way]..<offsets[way + 1]
            for (first, second) in zip(refs[range], refs[range].dropFirst()) {
                metres += places[Int(first)].distanceMetres(to: places[Int(second)])
            }
            let speed = UInt16(min(65_535, max(1, metres * 1_000 / Double(seconds))))
            var sort = classes.values[Int(wayClasses[way])]
            for lane in 0..<8 {
                if sort.forward[lane] > 0 { sort.forward[lane] = speed }
                if sort.backward[lane] > 0 { sort.backward[lane] = speed }
                for variant in sort.variants.indices {
                    if sort.variants[variant].forward[lane] > 0 {
                        sort.variants[variant].forward[lane] = speed
                    }
                    if sort.variants[variant].backward[lane] > 0 {
                        sort.variants[variant].backward[lane] = speed
                    }
                }
            }
            wayClasses[way] = classes.number(of: sort)
        }
    }
}
