import Columns
import Geo
import Journeys

/// The features of a city's map while they are gathered, and their way into a city file.
struct MapSections {
    private var groups: [[Feature]]

    /// A feature of one zoom range.
    struct Feature {
        /// The properties of a line.
        var flags: MapFlags = []
        /// How important a place is.
        var rank: UInt8 = 0
        /// Its name, as a text number.
        var name: UInt32 = 0
        /// The line, the point, or the outline and its holes.
        var parts: [[Coordinate]]
    }

    /// Creates a map without features.
    init() {
        let count = MapRange.allCases.count * MapClass.allCases.count
        groups = Array(repeating: [], count: count)
    }

    /// How many features there are.
    var count: Int { groups.reduce(0) { $0 + $1.count } }

    /// Adds a feature; nothing happens where it has no points.
    mutating func add(_ feature: Feature, _ range: MapRange, _ mapClass: MapClass) {
        guard feature.parts.first?.isEmpty == false else { return }
        let group = Int(range.rawValue) * MapClass.allCases.count + Int(mapClass.rawValue)
        groups[group].append(feature)
    }

    /// Writes the `map.*` sections, which ``MapLayers`` reads, with the names that features have.
    consuming func write(texts: [String], to writer: inout SectionWriter) {
        let whole = BoundingBox(around: groups.joined().compactMap(\.parts.first).joined())
        var rows = Rows()
        var names = TextPool()
        for group in groups.indices {
            let features = whole.map { Self.inOrder(groups[group], in: $0) } ?? []
            groups[group] = []
            for start in stride(from: 0, to: features.count, by: MapLayers.blockLength) {
                let end = min(features.count, start + MapLayers.blockLength)
                rows.add(features[start..<end], texts, &names)
            }
            rows.groups.append(UInt32(rows.blocks.count - 1))
        }
        rows.write(names, to: &writer)
    }

    /// Features along a curve that fills the plane, so that neighbours share blocks.
    ///
    /// Source: Morton, "A computer oriented geodetic data base", IBM, 1966.
    private static func inOrder(_ features: [Feature], in whole: BoundingBox) -> [Feature] {
        let height = Int64(whole.north) - Int64(whole.south) + 1
        let width = Int64(whole.east) - Int64(whole.west) + 1
        let keys = features.map { feature in
            let centre = BoundingBox(around: feature.parts[0])?.centre ?? whole.centre
            let row = (Int64(centre.latitude) - Int64(whole.south)) << 16 / height
            let column = (Int64(centre.longitude) - Int64(whole.west)) << 16 / width
            return spread(UInt64(row)) << 1 | spread(UInt64(column))
        }
        return features.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { features[$0] }
    }

    /// The lower 16 bits of a number, with a zero bit before each.
    private static func spread(_ number: UInt64) -> UInt64 {
        var bits = number & 0xFFFF
        bits = (bits | bits << 8) & 0x00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333
        return (bits | bits << 1) & 0x5555_5555
    }

    /// The columns of the sections.
    private struct Rows {
        var groups: [UInt32] = [0]
        var blocks: [UInt32] = [0]
        private var boxes: [BoundingBox] = []
        private var flags: [UInt8] = []
        private var ranks: [UInt8] = []
        private var names: [UInt32] = []
        private var features: [UInt32] = [0]
        private var parts: [UInt32] = [0]
        private var latitudes: [Int32] = []
        private var longitudes: [Int32] = []

        mutating func add(
            _ block: ArraySlice<Feature>,
            _ texts: [String],
            _ names: inout TextPool
        ) {
            let outlines = block.compactMap(\.parts.first).joined()
            guard let box = BoundingBox(around: outlines) else { return }
            boxes.append(box)
            for feature in block {
                flags.append(feature.flags.rawValue)
                ranks.append(feature.rank)
                self.names.append(names.number(of: texts[Int(feature.name)]))
                for part in feature.parts {
                    latitudes += part.map(\.latitude)
                    longitudes += part.map(\.longitude)
                    parts.append(UInt32(latitudes.count))
                }
                features.append(UInt32(parts.count - 1))
            }
            blocks.append(UInt32(flags.count))
        }

        func write(_ texts: TextPool, to writer: inout SectionWriter) {
            writer.add("map.group.offsets", groups)
            writer.add("map.block.offsets", blocks)
            writer.add("map.block.south", boxes.map(\.south))
            writer.add("map.block.west", boxes.map(\.west))
            writer.add("map.block.north", boxes.map(\.north))
            writer.add("map.block.east", boxes.map(\.east))
            writer.add("map.feature.flags", flags)
            writer.add("map.feature.rank", ranks)
            writer.add("map.feature.name", names)
            writer.add("map.feature.offsets", features)
            writer.add("map.part.offsets", parts)
            writer.add("map.point.latitude", latitudes)
            writer.add("map.point.longitude", longitudes)
            writer.add("map.text", texts: texts.texts)
        }
    }
}
