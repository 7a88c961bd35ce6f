import Geo
import OpenData

/// Gathers the addresses of an OpenStreetMap file.
///
/// The file is read three times, for relations, ways and nodes. Each pass needs only the ids that
/// the previous one collected, so irrelevant elements are never kept.
struct AddressReader {
    private(set) var draft = AddressDraft()
    /// The ids of the nodes of all ways that matter, way by way.
    private var references: [Int64] = []
    private var streets: [StreetWay] = []
    private var outlines: [Outline] = []
    private var boundaries = BoundaryAreas()
    private var interpolations: [Interpolation] = []
    /// The street names that relations give to their houses.
    private var streetOfMember: [Member: UInt32] = [:]
    /// Relations with an address or name, by the id of a way that represents them.
    private var relationsOfWay: [Int64: [Record]] = [:]
    /// The nodes of address interpolation ways, and the house numbers among them.
    private var interpolated: Set<Int64> = []
    private var interpolatedHouses: [Int64: AddressDraft.House] = [:]

    private struct Member: Hashable {
        var kind: OSMMember.Kind
        var id: Int64
    }

    /// A named stretch of a street.
    private struct StreetWay {
        var name: UInt32
        var otherNames: UInt32
        var importance: UInt8
        var references: Range<Int>
    }

    /// An element whose position is that of some nodes.
    private struct Outline {
        var record: Record
        var references: Range<Int>
    }

    /// A stretch whose numbers are mapped at some of its nodes only.
    private struct Interpolation {
        var step: UInt32
        var references: Range<Int>
    }

    /// The address data of one element.
    private struct Record {
        var house: AddressDraft.House?
        var feature: AddressDraft.Place?
        var locality: AddressDraft.Place?
    }

    /// Reads the addresses of a file.
    static func read(_ file: OSMFile) throws(OSMFailure) -> AddressDraft {
        var reader = AddressReader()
        var relations = file.blocks(.relations)
        while let block = try relations.next() { reader.add(block.relations) }
        var ways = file.blocks(.ways)
        while let block = try ways.next() { reader.add(block.ways) }
        var places = NodePlaces(reader.references)
        var nodes = file.blocks(.nodes)
        while let block = try nodes.next() { reader.add(block.nodes, &places) }
        reader.resolve(places)
        return reader.draft
    }

    // MARK: The three walks

    private mutating func add(_ relations: OSMRelations) {
        guard let first = relations.first else { return }
        let keys = AddressTags.Keys(first.tags.strings)
        for relation in relations {
            guard let tags = AddressTags(relation.tags, keys) else { continue }
            switch tags[.type] {
            case "associatedStreet", "street":
                guard let name = tags[.name] ?? tags[.street] else { continue }
                let street = draft.texts.number(of: name)
                for member in relation.members where member.role != "street" {
                    streetOfMember[Member(kind: member.kind, id: member.id)] = street
                }
            case "multipolygon", "site":
                let outer = relation.members.first { $0.kind == .way && $0.role != "inner" }
                let member = Member(kind: .relation, id: relation.id)
                guard let outer, let record = record(tags, member) else { continue }
                relationsOfWay[outer.id, default: []].append(record)
            case "boundary" where BoundaryAreas.isArea(tags):
                let ways = relation.members.filter { $0.kind == .way && $0.role != "inner" }
                boundaries.add(district(tags), ways: ways.map(\.id))
            default: continue
            }
        }
    }

    private mutating func add(_ ways: OSMWays) {
        guard let first = ways.first else { return }
        let keys = AddressTags.Keys(first.tags.strings)
        for way in ways where !way.nodes.isEmpty {
            if boundaries.contains(way: way.id) { boundaries.add(way: way.id, refer(to: way)) }
            if let records = relationsOfWay[way.id] {
                let range = refer(to: way)
                outlines += records.map { Outline(record: $0, references: range) }
            }
            guard let tags = AddressTags(way.tags, keys) else { continue }
            if let importance = Self.importance(ofHighway: tags[.highway]) {
                guard let name = tags[.name] else { continue }
                streets.append(
                    StreetWay(
                        name: draft.texts.number(of: name),
                        otherNames: draft.texts.number(of: tags.otherNames),
                        importance: importance,
                        references: refer(to: way)
                    )
                )
            } else if let kind = tags[.interpolation] {
                let step: UInt32 = kind == "odd" || kind == "even" ? 2 : 1
                interpolations.append(Interpolation(step: step, references: refer(to: way)))
                interpolated.formUnion(way.nodes)
            } else if let record = record(tags, Member(kind: .way, id: way.id)) {
                outlines.append(Outline(record: record, references: refer(to: way)))
            }
        }
    }

    private mutating func refer(to way: OSMWay) -> Range<Int> {
        let start = references.count
        references.append(contentsOf: way.nodes)
        return start..<references.count
    }

    private mutating func add(_ nodes: OSMNodes, _ places: inout NodePlaces) {
        guard let first = nodes.first else { return }
        let keys = AddressTags.Keys(first.tags.strings)
        for position in nodes.indices {
            let node = nodes[position]
            places.set(node.id, node.coordinate)
            guard nodes.isTagged(position), let tags = AddressTags(node.tags, keys),
                let record = record(tags, Member(kind: .node, id: node.id))
            else { continue }
            add(record, at: node.coordinate)
            if interpolated.contains(node.id), var house = record.house {
                house.coordinate = node.coordinate
                interpolatedHouses[node.id] = house
            }
        }
    }

    /// Gives all ways and relations the positions of their nodes.
    private mutating func resolve(_ places: NodePlaces) {
        for street in streets {
            let start = draft.points.count
            draft.points += places.coordinates(references[street.references])
            guard draft.points.count > start else { continue }
            draft.ways.append(
                AddressDraft.Way(
                    name: street.name,
                    otherNames: street.otherNames,
                    importance: street.importance,
                    points: start..<draft.points.count
                )
            )
        }
        for outline in outlines {
            let ring = places.coordinates(references[outline.references])
            if let inside = Outlines.pointInside(ring) { add(outline.record, at: inside) }
        }
        for stretch in interpolations { interpolate(stretch, places) }
        draft.localities += boundaries.localities(references, places)
    }

    /// Adds the numbers between the mapped ones of a stretch, evenly along it.
    ///
    /// Source: OSM wiki, "Addresses", section "Interpolation".
    private mutating func interpolate(_ stretch: Interpolation, _ places: NodePlaces) {
        var last: (house: AddressDraft.House, position: Int)?
        for position in stretch.references {
            guard let house = interpolatedHouses[references[position]] else { continue }
            if let last, last.house.street == house.street {
                let line = places.coordinates(references[last.position...position])
                addBetween(last.house, house, line, step: stretch.step)
            }
            last = (house, position)
        }
    }

    private mutating func addBetween(
        _ first: AddressDraft.House,
        _ last: AddressDraft.House,
        _ line: [Coordinate],
        step: UInt32
    ) {
        guard let from = HouseNumber.all(in: draft.texts.texts[Int(first.number)]).first,
            let to = HouseNumber.all(in: draft.texts.texts[Int(last.number)]).first
        else { return }
        let low = min(from.number.value, to.number.value)
        let high = max(from.number.value, to.number.value)
        guard high - low <= 1_000, high - low > step else { return }
        for value in stride(from: low + step, to: high, by: Int(step)) {
            let share = Double(value - low) / Double(high - low)
            let place = Outlines.point(
                along: line,
                share: from.number.value < to.number.value ? share : 1 - share
            )
            guard let place else { return }
            var house = first
            house.number = draft.texts.number(of: "\(value)")
            house.coordinate = place
            draft.houses.append(house)
        }
    }

    private mutating func add(_ record: Record, at place: Coordinate) {
        if var house = record.house {
            house.coordinate = place
            draft.houses.append(house)
        }
        if var feature = record.feature {
            feature.coordinate = place
            draft.features.append(feature)
        }
        if var locality = record.locality {
            locality.coordinate = place
            draft.localities.append(locality)
        }
    }

    /// The address record of an element's tags; nil if they have none.
    private mutating func record(_ tags: AddressTags, _ member: Member) -> Record? {
        let nowhere = Coordinate(latitude: 0, longitude: 0)
        var record = Record()
        if let number = tags[.houseNumber] {
            let named = (tags[.street] ?? tags[.addressPlace]).map { draft.texts.number(of: $0) }
            if let street = named ?? streetOfMember[member] {
                record.house = AddressDraft.House(
                    street: street,
                    city: draft.texts.number(of: tags[.city] ?? ""),
                    number: draft.texts.number(of: number),
                    coordinate: nowhere
                )
            }
        }
        if tags[.highway] == nil { addPlace(tags, to: &record) }
        if record.house == nil, record.feature == nil, record.locality == nil { return nil }
        return record
    }

    /// Adds what the tags say about a locality or another place that people look for.
    private mutating func addPlace(_ tags: AddressTags, to record: inout Record) {
        let feature = tags.feature
        var name = tags[.name]
        if name == nil, let kind = feature?.kind, kind.needsNoName,
            !["private", "no"].contains(tags[.access])
        {
            name = tags[.brand] ?? tags[.operatorName] ?? ""
        }
        guard let name else { return }
        var place = AddressDraft.Place(
            name: draft.texts.number(of: name),
            otherNames: draft.texts.number(of: tags.otherNames),
            category: 0,
            importance: 0,
            coordinate: Coordinate(latitude: 0, longitude: 0)
        )
        if let value = tags[.place], !name.isEmpty, let rank = AddressTags.place(value) {
            place.category = draft.texts.number(of: value)
            place.importance = rank.importance
            place.reach = rank.isTown ? tags.reachOfPopulation ?? rank.reach : rank.reach
            place.isTown = rank.isTown
            if rank.reach > 0 { record.locality = place } else { record.feature = place }
        } else if let feature {
            place.category = draft.texts.number(of: feature.category)
            place.importance = feature.importance
            place.kind = feature.kind
            place.hours = draft.texts.number(of: tags[.openingHours] ?? "")
            place.street = draft.texts.number(of: tags[.street] ?? "")
            record.feature = place
        }
    }

    /// The part of a city that a boundary encloses; its position is not known yet.
    private mutating func district(_ tags: AddressTags) -> AddressDraft.Place {
        AddressDraft.Place(
            name: draft.texts.number(of: tags[.name] ?? ""),
            otherNames: draft.texts.number(of: tags.otherNames),
            category: draft.texts.number(of: "quarter"),
            importance: 7,
            coordinate: Coordinate(latitude: 0, longitude: 0)
        )
    }

    /// The importance of a kind of highway for traffic, 0 to 6; nil if it is not a street.
    private static func importance(ofHighway value: String?) -> UInt8? {
        switch value {
        case nil, "bus_stop", "platform", "services", "rest_area", "street_lamp", "proposed",
            "construction", "elevator", "emergency_bay":
            nil
        case "motorway", "trunk", "primary": 6
        case "secondary": 5
        case "tertiary": 4
        case "residential", "unclassified", "living_street", "pedestrian": 3
        case "motorway_link", "trunk_link", "primary_link", "service": 1
        default: 0
        }
    }
}
