import Geo

extension OSMBlock {
    /// Decodes a `PrimitiveBlock`, for the given kinds of elements only.
    init(_ bytes: [UInt8], _ kinds: OSMKinds) throws(ProtobufFailure) {
        var groups: [Range<Int>] = []
        var texts: [Range<Int>] = []
        var grid = OSMGrid()
        var reader = ProtobufReader(bytes, message: "PrimitiveBlock")
        while let field = try reader.next() {
            switch field {
            case 1:
                var table = try reader.message("StringTable")
                while let field = try table.next() {
                    if field == 1 { texts.append(try table.range()) } else { try table.skip() }
                }
            case 2: groups.append(try reader.range())
            case 17: grid.granularity = try reader.integer()
            case 19: grid.latitudeOffset = try reader.integer()
            case 20: grid.longitudeOffset = try reader.integer()
            default: try reader.skip()
            }
        }
        let strings = OSMStrings(bytes, texts)
        var decoder = OSMDecoder(grid: grid, strings: strings, kinds: kinds)
        for range in groups {
            try decoder.readGroup(ProtobufReader(bytes, range, message: "PrimitiveGroup"))
        }
        self = decoder.block
    }
}

/// How a block's integers become coordinates.
struct OSMGrid {
    /// Nanodegrees for each step.
    var granularity: Int64 = 100
    /// Nanodegrees of latitude zero.
    var latitudeOffset: Int64 = 0
    /// Nanodegrees of longitude zero.
    var longitudeOffset: Int64 = 0

    /// The coordinate that a node's numbers encode, rounded to 1e-7 degrees.
    func coordinate(
        _ latitude: Int64,
        _ longitude: Int64,
        _ reader: ProtobufReader
    ) throws(ProtobufFailure) -> Coordinate {
        guard let north = degrees(latitude, offset: latitudeOffset, limit: 900_000_000) else {
            throw reader.failure(.valueOutOfRange(latitude))
        }
        guard let east = degrees(longitude, offset: longitudeOffset, limit: 1_800_000_000) else {
            throw reader.failure(.valueOutOfRange(longitude))
        }
        return Coordinate(latitude: north, longitude: east)
    }

    private func degrees(_ steps: Int64, offset: Int64, limit: Int64) -> Int32? {
        let (scaled, overflow) = steps.multipliedReportingOverflow(by: granularity)
        let (nano, overflow2) = scaled.addingReportingOverflow(offset)
        guard !overflow, !overflow2, nano.magnitude < 1 << 40 else { return nil }
        let rounded = (nano + (nano < 0 ? -50 : 50)) / 100
        return rounded.magnitude <= limit.magnitude ? Int32(rounded) : nil
    }
}

/// Decodes one block of elements.
private struct OSMDecoder {
    let grid: OSMGrid
    let strings: OSMStrings
    let kinds: OSMKinds

    var nodeTags: OSMTagColumns
    var nodeIds: [Int64] = []
    var coordinates: [Coordinate] = []
    var wayTags: OSMTagColumns
    var wayIds: [Int64] = []
    var wayEnds: [Int] = []
    var wayNodes: [Int64] = []
    var relationTags: OSMTagColumns
    var relationIds: [Int64] = []
    var relationEnds: [Int] = []
    var members: [OSMMember] = []

    init(grid: OSMGrid, strings: OSMStrings, kinds: OSMKinds) {
        self.grid = grid
        self.strings = strings
        self.kinds = kinds
        nodeTags = OSMTagColumns(strings)
        wayTags = OSMTagColumns(strings)
        relationTags = OSMTagColumns(strings)
    }

    var block: OSMBlock {
        OSMBlock(
            strings: strings,
            nodes: OSMNodes(tags: nodeTags, ids: nodeIds, coordinates: coordinates),
            ways: OSMWays(tags: wayTags, ids: wayIds, ends: wayEnds, nodes: wayNodes),
            relations: OSMRelations(
                tags: relationTags,
                ids: relationIds,
                ends: relationEnds,
                members: members
            )
        )
    }

    mutating func readGroup(_ group: ProtobufReader) throws(ProtobufFailure) {
        var group = group
        while let field = try group.next() {
            switch field {
            case 1 where kinds.contains(.nodes): try readNode(try group.message("Node"))
            case 2 where kinds.contains(.nodes): try readDense(try group.message("DenseNodes"))
            case 3 where kinds.contains(.ways): try readWay(try group.message("Way"))
            case 4 where kinds.contains(.relations):
                try readRelation(try group.message("Relation"))
            default: try group.skip()
            }
        }
    }

    private mutating func readNode(_ message: ProtobufReader) throws(ProtobufFailure) {
        var message = message
        var id: Int64?
        var latitude: Int64?
        var longitude: Int64?
        var keys: [UInt64] = []
        var values: [UInt64] = []
        while let field = try message.next() {
            switch field {
            case 1: id = try message.signed()
            case 2: try message.append(to: &keys)
            case 3: try message.append(to: &values)
            case 8: latitude = try message.signed()
            case 9: longitude = try message.signed()
            default: try message.skip()
            }
        }
        guard let id, let latitude, let longitude else { throw message.failure(.missing) }
        nodeIds.append(id)
        coordinates.append(try grid.coordinate(latitude, longitude, message))
        try Self.add(keys, values, to: &nodeTags, message)
    }

    private mutating func readDense(_ message: ProtobufReader) throws(ProtobufFailure) {
        var message = message
        var ids: [Int64] = []
        var latitudes: [Int64] = []
        var longitudes: [Int64] = []
        var tags: [UInt64] = []
        while let field = try message.next() {
            switch field {
            case 1: try message.append(signedTo: &ids)
            case 8: try message.append(signedTo: &latitudes)
            case 9: try message.append(signedTo: &longitudes)
            case 10: try message.append(to: &tags)
            default: try message.skip()
            }
        }
        guard latitudes.count == ids.count, longitudes.count == ids.count else {
            throw message.failure(.unequalLengths)
        }
        var id: Int64 = 0
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        var tag = 0
        for position in ids.indices {
            id &+= ids[position]
            latitude &+= latitudes[position]
            longitude &+= longitudes[position]
            nodeIds.append(id)
            coordinates.append(try grid.coordinate(latitude, longitude, message))
            // Key, value, key, value, …, 0 for each node; nothing at all where none has tags.
            while tag < tags.count, tags[tag] != 0 {
                guard tag + 1 < tags.count else { throw message.failure(.unequalLengths) }
                try nodeTags.add(tags[tag], tags[tag + 1], message)
                tag += 2
            }
            tag += 1
            nodeTags.endElement()
        }
    }

    private mutating func readWay(_ message: ProtobufReader) throws(ProtobufFailure) {
        var message = message
        var id: Int64?
        var keys: [UInt64] = []
        var values: [UInt64] = []
        var differences: [Int64] = []
        while let field = try message.next() {
            switch field {
            case 1: id = try message.integer()
            case 2: try message.append(to: &keys)
            case 3: try message.append(to: &values)
            case 8: try message.append(signedTo: &differences)
            default: try message.skip()
            }
        }
        guard let id else { throw message.failure(.missing) }
        wayIds.append(id)
        var node: Int64 = 0
        for difference in differences {
            node &+= difference
            wayNodes.append(node)
        }
        wayEnds.append(wayNodes.count)
        try Self.add(keys, values, to: &wayTags, message)
    }

    private mutating func readRelation(_ message: ProtobufReader) throws(ProtobufFailure) {
        var message = message
        var id: Int64?
        var keys: [UInt64] = []
        var values: [UInt64] = []
        var roles: [UInt64] = []
        var differences: [Int64] = []
        var types: [UInt64] = []
        while let field = try message.next() {
            switch field {
            case 1: id = try message.integer()
            case 2: try message.append(to: &keys)
            case 3: try message.append(to: &values)
            case 8: try message.append(to: &roles)
            case 9: try message.append(signedTo: &differences)
            case 10: try message.append(to: &types)
            default: try message.skip()
            }
        }
        guard let id else { throw message.failure(.missing) }
        guard roles.count == differences.count, types.count == differences.count else {
            throw message.failure(.unequalLengths)
        }
        var member: Int64 = 0
        for position in differences.indices {
            member &+= differences[position]
            guard roles[position] < UInt64(strings.count) else {
                throw message.failure(.valueOutOfRange(Int64(bitPattern: roles[position])))
            }
            let type = UInt8(exactly: types[position]).flatMap(OSMMember.Kind.init(rawValue:))
            guard let type else {
                throw message.failure(.valueOutOfRange(Int64(bitPattern: types[position])))
            }
            let role = strings[UInt32(truncatingIfNeeded: roles[position])]
            members.append(OSMMember(type, member, role: role))
        }
        relationIds.append(id)
        relationEnds.append(members.count)
        try Self.add(keys, values, to: &relationTags, message)
    }

    private static func add(
        _ keys: [UInt64],
        _ values: [UInt64],
        to tags: inout OSMTagColumns,
        _ message: ProtobufReader
    ) throws(ProtobufFailure) {
        guard keys.count == values.count else { throw message.failure(.unequalLengths) }
        for position in keys.indices {
            try tags.add(keys[position], values[position], message)
        }
        tags.endElement()
    }
}
