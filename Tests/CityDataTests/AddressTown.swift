import CityData
import Columns
import Geo
import OpenData

/// A small fictitious town, written as an OpenStreetMap file and read back as an address book.
struct AddressTown {
    private var nodes: [(Coordinate, [OSMTag])] = []
    private var ways: [([Int64], [OSMTag])] = []
    private var relations: [([OSMMember], [OSMTag])] = []

    /// Returns the place at a distance in metres east and north of a point near Milan.
    static func place(_ east: Double, _ north: Double) -> Coordinate {
        let plane = LocalPlane(at: Coordinate(latitude: 454_640_000, longitude: 91_900_000))
        return Coordinate(
            latitude: plane.origin.latitude + Int32(north / plane.metresPerLatitude),
            longitude: plane.origin.longitude + Int32(east / plane.metresPerLongitude)
        )
    }

    /// Adds a node with tags like `addr:housenumber=12`.
    @discardableResult
    mutating func node(_ east: Double, _ north: Double, _ tags: String...) -> Int64 {
        nodes.append((Self.place(east, north), Self.tags(tags)))
        return Int64(nodes.count)
    }

    /// Adds a way through points given in metres.
    @discardableResult
    mutating func way(
        _ points: [(Double, Double)],
        closed: Bool = false,
        _ tags: String...
    )
        -> Int64
    {
        var ids = points.map { node($0.0, $0.1) }
        if closed, let first = ids.first { ids.append(first) }
        ways.append((ids, Self.tags(tags)))
        return Int64(ways.count)
    }

    /// Adds a way through existing nodes.
    @discardableResult
    mutating func way(through nodes: [Int64], _ tags: String...) -> Int64 {
        ways.append((nodes, Self.tags(tags)))
        return Int64(ways.count)
    }

    /// Adds a street from west to east with house numbers on both sides.
    mutating func street(
        _ name: String,
        east: Double = 0,
        north: Double,
        numbers: [Int] = [],
        highway: String = "residential"
    ) {
        way([(east, north), (east + 400, north)], "highway=\(highway)", "name=\(name)")
        for number in numbers {
            node(
                east + Double(number) * 4,
                north + (number % 2 == 0 ? 10 : -10),
                "addr:housenumber=\(number)",
                "addr:street=\(name)"
            )
        }
    }

    /// Adds an OpenStreetMap relation.
    mutating func relation(_ members: [OSMMember], _ tags: String...) {
        relations.append((members, Self.tags(tags)))
    }

    /// The town as an OpenStreetMap file.
    var osm: OSMFile {
        var writer = OSMWriter()
        for (row, node) in nodes.enumerated() {
            writer.add(node: Int64(row + 1), at: node.0, tags: node.1)
        }
        for (row, way) in ways.enumerated() {
            writer.add(way: Int64(row + 1), nodes: way.0, tags: way.1)
        }
        for (row, relation) in relations.enumerated() {
            writer.add(relation: Int64(row + 1), members: relation.0, tags: relation.1)
        }
        return OSMFile(name: "town", bytes: writer.finish())
    }

    /// The town's address book.
    func book() throws -> AddressBook {
        var writer = SectionWriter()
        try AddressBuilder.add(osm: osm, timetable: nil, to: &writer)
        return AddressBook(try writer.opened())
    }

    private static func tags(_ texts: [String]) -> [OSMTag] {
        texts.compactMap { text in
            guard let divider = text.firstIndex(of: "=") else { return nil }
            return OSMTag(
                String(text[..<divider]),
                String(text[text.index(after: divider)...])
            )
        }
    }
}

extension AddressTown {
    /// An Italian town with its neighbour, which has a Via Roma too.
    static let borgo: AddressTown = {
        var town = AddressTown()
        town.node(0, 0, "place=city", "name=Borgo Città")
        town.node(9_000, 0, "place=town", "name=Villanova")
        town.node(0, 700, "place=suburb", "name=Città Studi")
        town.street("Via Padova", north: 100, numbers: [2, 4, 10, 11, 13, 50])
        town.street("Via Roma", north: 200, numbers: [1, 3])
        town.street("Via Roma", east: 9_000, north: 200, numbers: [7])
        town.street("Via Romagnosi", north: 260)
        town.street("Piazza del Duomo", north: 300, numbers: [1])
        town.street("Via Massimo d'Azeglio", north: 400)
        town.street("Corso Vittorio Emanuele II", north: 500)
        town.street("Viale Monte Santo", north: 600, numbers: [5])
        town.street("Via Cesare Battisti", north: 700)
        town.street("Via 25 Aprile", north: 800, numbers: [6, 25])
        town.street("Piazza Cinque Giornate", north: 900)
        town.street("Via Fratelli Rosselli", north: 1_000)
        town.street("Via Niccolò Tommaseo", north: 1_100)
        town.street("Via Sant'Andrea", north: 1_200)
        town.node(50, 50, "amenity=theatre", "name=Teatro alla Scala", "alt_name=La Scala")
        town.node(60, 900, "railway=station", "name=Borgo Centrale")
        return town
    }()

    /// A city and a smaller town that share names of streets.
    static let milano: AddressTown = {
        var town = AddressTown()
        town.node(0, 0, "place=city", "name=Milano")
        town.node(9_000, 0, "place=town", "name=Corsico")
        town.street("Via Torino", north: 100)
        town.street("Alzaia Naviglio Grande", north: -2_000)
        town.street("Via Antonio Gramsci", north: 300)
        for (number, name) in ["Dante", "Brera", "Manzoni", "Solferino", "Moscova"].enumerated() {
            town.street("Via \(name)", north: 400 + Double(number) * 100)
        }
        town.street("Via dei Navigli", east: 9_000, north: 100)
        town.street("Via Torino", east: 9_000, north: 200, numbers: [1, 9], highway: "tertiary")
        town.street("Via Gramsci", east: 9_000, north: 300)
        return town
    }()
}
