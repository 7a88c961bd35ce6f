import Geo
import OpenData

/// The demo city's OpenStreetMap file while it is made, in flat arrays.
///
/// The number of a place, line or relation is its id.
struct MapDraft: Sendable {
    private let plane: LocalPlane
    private var places: [Coordinate] = []
    private var placeTags: [TagRow] = []
    private var ways: [(end: Int, tagEnd: Int)] = []
    private var wayPlaces: [Int64] = []
    private var wayTags: [TagRow] = []
    private var relations: [(members: [OSMMember], tags: [OSMTag])] = []
    private var texts: [String] = []
    private var numbers: [String: UInt32] = [:]

    private struct TagRow: Sendable {
        var place: UInt32
        var key: UInt32
        var value: UInt32
    }

    /// How many places, lines and relations there are.
    var counts: (places: Int, ways: Int, relations: Int) {
        (places.count, ways.count, relations.count)
    }

    /// Creates an empty map around a place, that of the cathedral.
    init(around origin: Coordinate) {
        plane = LocalPlane(at: origin)
    }

    /// Where a place of the demo city is on the earth.
    func coordinate(of point: Point) -> Coordinate {
        let latitude = (point.y / plane.metresPerLatitude).rounded()
        let longitude = (point.x / plane.metresPerLongitude).rounded()
        return Coordinate(
            latitude: plane.origin.latitude + Int32(latitude),
            longitude: plane.origin.longitude + Int32(longitude)
        )
    }

    /// Adds a node and returns its id.
    @discardableResult
    mutating func add(_ point: Point, tags: [(String, String)] = []) -> Int64 {
        places.append(coordinate(of: point))
        let id = Int64(places.count)
        for tag in tags { self.tag(id, tag.0, tag.1) }
        return id
    }

    /// Adds a tag to a node.
    mutating func tag(_ place: Int64, _ key: String, _ value: String) {
        let row = TagRow(place: UInt32(place), key: number(of: key), value: number(of: value))
        placeTags.append(row)
    }

    /// Adds a way through nodes and returns its id.
    @discardableResult
    mutating func add(way nodes: [Int64], tags: [(String, String)]) -> Int64 {
        wayPlaces += nodes
        for tag in tags {
            wayTags.append(TagRow(place: 0, key: number(of: tag.0), value: number(of: tag.1)))
        }
        ways.append((wayPlaces.count, wayTags.count))
        return Int64(ways.count)
    }

    /// Adds a way through new nodes, optionally closed.
    @discardableResult
    mutating func add(
        polyline: [Point],
        closed: Bool = false,
        tags: [(String, String)]
    ) -> Int64 {
        var nodes = polyline.map { add($0) }
        if closed, let first = nodes.first { nodes.append(first) }
        return add(way: nodes, tags: tags)
    }

    /// Adds a relation with tags.
    mutating func add(relation members: [OSMMember], tags: [OSMTag]) {
        relations.append((members, tags))
    }

    /// The bytes of the PBF file.
    ///
    /// - Complexity: O(n log n) in the number of tags.
    func bytes() -> [UInt8] {
        var writer = OSMWriter()
        // A stable order by place: rows of one place keep the order in which they were added.
        let order = placeTags.indices.sorted {
            (placeTags[$0].place, $0) < (placeTags[$1].place, $1)
        }
        var next = 0
        for (index, place) in places.enumerated() {
            var tags: [OSMTag] = []
            while next < order.count, placeTags[order[next]].place == UInt32(index + 1) {
                tags.append(tag(placeTags[order[next]]))
                next += 1
            }
            writer.add(node: Int64(index + 1), at: place, tags: tags)
        }
        var start = 0
        var tagStart = 0
        for (index, way) in ways.enumerated() {
            let tags = wayTags[tagStart..<way.tagEnd].map { tag($0) }
            writer.add(way: Int64(index + 1), nodes: Array(wayPlaces[start..<way.end]), tags: tags)
            start = way.end
            tagStart = way.tagEnd
        }
        for (index, relation) in relations.enumerated() {
            let id = Int64(index + 1)
            writer.add(relation: id, members: relation.members, tags: relation.tags)
        }
        return writer.finish()
    }

    private func tag(_ row: TagRow) -> OSMTag {
        OSMTag(texts[Int(row.key)], texts[Int(row.value)])
    }

    private mutating func number(of text: String) -> UInt32 {
        if let known = numbers[text] { return known }
        let number = UInt32(texts.count)
        numbers[text] = number
        texts.append(text)
        return number
    }
}
