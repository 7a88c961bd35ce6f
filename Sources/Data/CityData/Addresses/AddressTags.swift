import Encoding
import OpenData

/// The address information in the tags of an element.
struct AddressTags {
    /// The values of the keys of ``Key``, as numbers of the block's texts; 0 if absent.
    private var values = [UInt32](repeating: 0, count: Key.allCases.count)
    private let strings: OSMStrings

    /// The keys that matter.
    ///
    /// Source: OSM wiki, "Addresses", "Names" and "Map features".
    enum Key: String, CaseIterable {
        case name, highway, place, railway, aeroway, amenity, tourism, historic, leisure, shop
        case office, healthcare, craft, building, natural, type, population, brand, iata
        case access, station, subway, boundary
        case operatorName = "operator"
        case publicTransport = "public_transport"
        case manMade = "man_made"
        case alternativeName = "alt_name"
        case shortName = "short_name"
        case officialName = "official_name"
        case oldName = "old_name"
        case localName = "loc_name"
        case englishName = "name:en"
        case italianName = "name:it"
        case portugueseName = "name:pt"
        case germanName = "name:de"
        case frenchName = "name:fr"
        case spanishName = "name:es"
        case welshName = "name:cy"
        case adminLevel = "admin_level"
        case openingHours = "opening_hours"
        case houseNumber = "addr:housenumber"
        case street = "addr:street"
        case addressPlace = "addr:place"
        case city = "addr:city"
        case suburb = "addr:suburb"
        case interpolation = "addr:interpolation"

        /// The position of the key's value.
        var position: Int { Int(Self.positions[self, default: 0]) }
        private static let positions = Dictionary(
            uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) }
        )
    }

    /// Maps the texts of a block to keys, computed once for each block.
    struct Keys {
        private let positions: [Int8]

        init(_ strings: OSMStrings) {
            positions = (0..<strings.count).map { number in
                AddressTags.known[Array(strings.utf8(UInt32(number)))] ?? -1
            }
        }

        subscript(number: UInt32) -> Int? {
            let position = positions[Int(number)]
            return position < 0 ? nil : Int(position)
        }
    }

    private static let known: [[UInt8]: Int8] = Dictionary(
        uniqueKeysWithValues: Key.allCases.enumerated().map { (Array($1.rawValue.utf8), Int8($0)) }
    )

    /// The tags of an element; nil if none of them matters.
    init?(_ tags: OSMTags, _ keys: Keys) {
        strings = tags.strings
        var isRelevant = false
        var position = tags.numbers.startIndex
        while position + 1 < tags.numbers.endIndex {
            if let key = keys[tags.numbers[position]] {
                if values[key] == 0 { values[key] = tags.numbers[position + 1] }
                isRelevant = true
            }
            position += 2
        }
        guard isRelevant else { return nil }
    }

    /// The value of a key; nil if it is absent or empty.
    subscript(key: Key) -> String? {
        let number = values[key.position]
        return number == 0 ? nil : strings[number]
    }

    /// The alternative names, separated by semicolons; "" if there are none.
    var otherNames: String {
        let keys: [Key] = [
            .alternativeName, .shortName, .officialName, .localName, .englishName, .italianName,
            .portugueseName, .germanName, .frenchName, .spanishName, .welshName, .oldName,
        ]
        let name = self[.name]
        var names: [String] = []
        for key in keys {
            for other in (self[key] ?? "").split(separator: ";") {
                let other = String(other).trimmingWhiteSpace()
                if !other.isEmpty, other != name, !names.contains(other) { names.append(other) }
            }
        }
        return names.joined(separator: ";")
    }

    /// The category, kind and importance of an element that can be found.
    var feature: (category: String, kind: PlaceKind?, importance: UInt8)? {
        for key in Self.featureKeys {
            guard let value = self[key], value != "no" else { continue }
            if key == .building, value == "yes" { continue }
            if key == .railway, value != "station", value != "halt" { continue }
            if key == .publicTransport, value != "station" { continue }
            if key == .aeroway, value != "aerodrome", value != "terminal" { continue }
            if key == .natural, value != "peak", value != "beach", value != "wood" { continue }
            var kind = PlaceKind(key: key.rawValue, value: value)
            if kind == .station, self[.station] == "subway" || self[.subway] == "yes" {
                kind = .metro
            }
            var importance = Self.importance[value] ?? 2
            // Travellers mean an airport with scheduled flights.
            if kind == .airport, self[.iata] != nil { importance = 12 }
            return (value == "yes" ? key.rawValue : value, kind, importance)
        }
        return nil
    }

    private static let featureKeys: [Key] = [
        .railway, .publicTransport, .aeroway, .amenity, .tourism, .historic, .leisure, .shop,
        .healthcare, .office, .craft, .manMade, .natural, .building,
    ]

    /// Importance from 0 to 15 of categories that are often searched for; all others have 2.
    private static let importance: [String: UInt8] = [
        "aerodrome": 9, "station": 8, "terminal": 7, "university": 7, "hospital": 7,
        "halt": 6, "attraction": 6, "museum": 6, "stadium": 6, "townhall": 6, "cathedral": 6,
        "castle": 5, "theatre": 5, "park": 5, "library": 5, "mall": 5, "bus_station": 6,
        "monument": 4, "college": 4, "hotel": 4, "cinema": 4, "marketplace": 4,
        "place_of_worship": 3, "school": 3, "supermarket": 3, "police": 3, "cemetery": 3,
    ]

    /// How far a town with the stated number of inhabitants extends, in metres: the radius of a
    /// disc with 3,500 people per square kilometre.
    ///
    /// Nil if the number is unstated.
    var reachOfPopulation: Double? {
        guard let value = self[.population], let people = Int32(value), people > 0 else {
            return nil
        }
        return min(max(Double(people).squareRoot() * 9.5, 500), 40_000)
    }

    /// The rank of a `place` value: its importance, how far it extends in metres, and whether it is
    /// a town.
    static func place(_ value: String) -> (importance: UInt8, reach: Double, isTown: Bool)? {
        switch value {
        case "city": (15, 10_000, true)
        case "town": (12, 3_000, true)
        case "village": (9, 1_200, true)
        case "hamlet": (6, 900, false)
        case "borough", "suburb": (8, 1_800, false)
        case "quarter": (7, 1_200, false)
        case "neighbourhood": (6, 900, false)
        case "isolated_dwelling", "locality", "farm", "island", "square": (3, 0, false)
        default: nil
        }
    }
}
