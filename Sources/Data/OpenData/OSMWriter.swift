package import Geo

/// Writes an OpenStreetMap file in PBF: blocks of up to 8,000 elements, dense nodes, zlib.
///
/// The same calls give the same bytes. Readers of the format expect all nodes first, then all
/// ways, then all relations, each in the order of their ids; the writer writes in the order of
/// the calls and says in its header that the file is sorted only if it is.
///
/// Source: OSM wiki, "PBF Format".
package struct OSMWriter: Sendable {
    private var body: [UInt8] = []
    private var block = Block()
    private var isSorted = true
    private var last: (kind: OSMMember.Kind, id: Int64) = (.node, .min)

    /// The size of a block at which the format's usual limit of elements is reached.
    private static let elementsPerBlock = 8_000
    /// A block is ended early at this many bytes, far below the 32 MiB that readers accept.
    private static let bytesPerBlock = 8 << 20

    /// A file without elements.
    package init() {}

    /// Adds a node with its tags.
    package mutating func add(node id: Int64, at place: Coordinate, tags: [OSMTag] = []) {
        begin(.node, id)
        block.ids.append(id)
        block.latitudes.append(Int64(place.latitude))
        block.longitudes.append(Int64(place.longitude))
        for tag in tags {
            block.nodeTags.append(block.number(of: tag.key))
            block.nodeTags.append(block.number(of: tag.value))
        }
        block.nodeTags.append(0)
        block.size += 16 + 8 * tags.count
    }

    /// Adds a line through nodes; an outline ends at its first node.
    package mutating func add(way id: Int64, nodes: [Int64], tags: [OSMTag] = []) {
        begin(.way, id)
        var message = ProtobufWriter()
        message.add(1, integer: id)
        block.addTags(tags, to: &message)
        message.add(8, packedDifferences: nodes)
        block.add(message)
    }

    /// Adds a relation with its members.
    package mutating func add(relation id: Int64, members: [OSMMember], tags: [OSMTag] = []) {
        begin(.relation, id)
        var message = ProtobufWriter()
        message.add(1, integer: id)
        block.addTags(tags, to: &message)
        message.add(8, packed: members.map { block.number(of: $0.role) })
        message.add(9, packedDifferences: members.map(\.id))
        message.add(10, packed: members.map { UInt64($0.kind.rawValue) })
        block.add(message)
    }

    /// The whole file; the writer is then empty again.
    package mutating func finish() -> [UInt8] {
        endBlock()
        var header = ProtobufWriter()
        header.add(4, bytes: "OsmSchema-V0.6".utf8)
        header.add(4, bytes: "DenseNodes".utf8)
        if isSorted { header.add(5, bytes: "Sort.Type_then_ID".utf8) }
        header.add(16, bytes: "viavai".utf8)
        let file = Self.blob("OSMHeader", header.bytes) + body
        self = OSMWriter()
        return file
    }

    /// Starts a new block if needed: a block holds one kind of element only.
    private mutating func begin(_ kind: OSMMember.Kind, _ id: Int64) {
        if kind != block.kind || block.count >= Self.elementsPerBlock
            || block.size >= Self.bytesPerBlock
        {
            endBlock()
        }
        block.kind = kind
        block.count += 1
        if (kind.rawValue, id) <= (last.kind.rawValue, last.id) { isSorted = false }
        last = (kind, id)
    }

    private mutating func endBlock() {
        guard block.count > 0 else { return }
        body += Self.blob("OSMData", block.bytes)
        block = Block()
    }

    private static func blob(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var blob = ProtobufWriter()
        blob.add(2, UInt64(content.count))
        blob.add(3, bytes: OSMBlob.deflated(content))
        var header = ProtobufWriter()
        header.add(1, bytes: type.utf8)
        header.add(3, UInt64(blob.bytes.count))
        let length = UInt32(header.bytes.count)
        let prefix = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
        return prefix + header.bytes + blob.bytes
    }
}

extension OSMWriter {
    /// The elements, all of one kind, that have been added since the last block was ended.
    private struct Block {
        var kind = OSMMember.Kind.node
        var count = 0
        /// About how many bytes it will have.
        var size = 0
        var ids: [Int64] = []
        var latitudes: [Int64] = []
        var longitudes: [Int64] = []
        var nodeTags: [UInt64] = []
        /// The group of ways or relations.
        private var group = ProtobufWriter()
        private var texts: [String] = [""]
        private var numbers: [String: UInt64] = [:]

        /// The number of a text, which is given one if it is new.
        mutating func number(of text: String) -> UInt64 {
            if let number = numbers[text] { return number }
            let number = UInt64(texts.count)
            numbers[text] = number
            texts.append(text)
            size += text.utf8.count + 4
            return number
        }

        mutating func addTags(_ tags: [OSMTag], to message: inout ProtobufWriter) {
            message.add(2, packed: tags.map { number(of: $0.key) })
            message.add(3, packed: tags.map { number(of: $0.value) })
        }

        mutating func add(_ message: ProtobufWriter) {
            group.add(kind == .way ? 3 : 4, bytes: message.bytes)
            size += message.bytes.count
        }

        /// The block's `PrimitiveBlock`.
        var bytes: [UInt8] {
            var table = ProtobufWriter()
            for text in texts { table.add(1, bytes: text.utf8) }
            var group = group
            if kind == .node {
                var dense = ProtobufWriter()
                dense.add(1, packedDifferences: ids)
                dense.add(8, packedDifferences: latitudes)
                dense.add(9, packedDifferences: longitudes)
                if nodeTags.contains(where: { $0 != 0 }) { dense.add(10, packed: nodeTags) }
                group.add(2, bytes: dense.bytes)
            }
            var block = ProtobufWriter()
            block.add(1, bytes: table.bytes)
            block.add(2, bytes: group.bytes)
            return block.bytes
        }
    }
}
