import Geo
import OpenData
import SeededRandom
import TestSupport

/// The elements of a file as plain comparable values.
struct OSMSample: Equatable {
    var nodes: [Node] = []
    var ways: [Way] = []
    var relations: [Relation] = []

    struct Node: Equatable {
        var id: Int64
        var place: Coordinate
        var tags: [OSMTag]
    }

    struct Way: Equatable {
        var id: Int64
        var nodes: [Int64]
        var tags: [OSMTag]
    }

    struct Relation: Equatable {
        var id: Int64
        var members: [OSMMember]
        var tags: [OSMTag]
    }

    /// Creates random elements, including ids and places at the limits.
    init(seed: UInt64, size: Int) {
        var random = SeededRandom(seed: seed)
        let texts = ["", "highway", "name", "Città", "ref", "日本", "a b\n", "Ω"]
        func tags(_ random: inout SeededRandom) -> [OSMTag] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                // An empty key would end a dense node's tags and cannot be encoded.
                let key = texts[Int.random(in: 1..<texts.count, using: &random)]
                let number = Int.random(in: 0..<1_000, using: &random)
                return OSMTag(key, (texts.randomElement(using: &random) ?? "") + "\(number)")
            }
        }
        func id(_ random: inout SeededRandom) -> Int64 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: .max
            case 1: .min
            default: .random(in: -20_000_000_000...20_000_000_000, using: &random)
            }
        }
        for _ in 0..<size {
            let place = Coordinate(
                latitude: .random(in: -900_000_000...900_000_000, using: &random),
                longitude: .random(in: -1_800_000_000...1_800_000_000, using: &random)
            )
            nodes.append(Node(id: id(&random), place: place, tags: tags(&random)))
        }
        for _ in 0..<size / 2 {
            let refs = (0..<Int.random(in: 0...12, using: &random)).map { _ in id(&random) }
            ways.append(Way(id: id(&random), nodes: refs, tags: tags(&random)))
        }
        for _ in 0..<size / 4 {
            let members = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                OSMMember(
                    OSMMember.Kind(rawValue: .random(in: 0...2, using: &random)) ?? .node,
                    id(&random),
                    role: texts.randomElement(using: &random) ?? ""
                )
            }
            relations.append(Relation(id: id(&random), members: members, tags: tags(&random)))
        }
    }

    /// Reads all elements of a file.
    init(reading bytes: [UInt8]) throws(OSMFailure) {
        var blocks = OSMFile(name: "sample", bytes: bytes).blocks()
        while let block = try blocks.next() {
            nodes += block.nodes.map {
                Node(id: $0.id, place: $0.coordinate, tags: $0.tags.pairs)
            }
            ways += block.ways.map {
                Way(id: $0.id, nodes: Array($0.nodes), tags: $0.tags.pairs)
            }
            relations += block.relations.map {
                Relation(id: $0.id, members: Array($0.members), tags: $0.tags.pairs)
            }
        }
    }

    /// Encodes the elements as a file.
    func written() -> [UInt8] {
        var writer = OSMWriter()
        for node in nodes { writer.add(node: node.id, at: node.place, tags: node.tags) }
        for way in ways { writer.add(way: way.id, nodes: way.nodes, tags: way.tags) }
        for relation in relations {
            writer.add(relation: relation.id, members: relation.members, tags: relation.tags)
        }
        return writer.finish()
    }
}

/// Parts of files that a writer should not produce.
enum OSMBroken {
    /// A blob with its length and header.
    static func framed(_ type: String, _ blob: [UInt8], size: UInt64? = nil) -> [UInt8] {
        var header = ProtobufWriter()
        header.add(1, bytes: type.utf8)
        header.add(3, size ?? UInt64(blob.count))
        return [0, 0, 0, UInt8(header.bytes.count)] + header.bytes + blob
    }

    /// A file's header that requires features.
    static func header(_ features: String...) -> [UInt8] {
        var block = ProtobufWriter()
        for feature in features { block.add(4, bytes: feature.utf8) }
        var raw = ProtobufWriter()
        raw.add(1, bytes: block.bytes)
        return framed("OSMHeader", raw.bytes)
    }
}
