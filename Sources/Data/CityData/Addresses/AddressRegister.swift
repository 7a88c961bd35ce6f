import Geo

/// The addresses of a city in their final order: localities, streets with their houses, other
/// places and stops, each an entry with its own row.
struct AddressRegister {
    /// All texts of the draft.
    private(set) var texts: TextPool
    /// All entries: row 0 is unused, then localities, streets, features and stops.
    private(set) var entries: [Entry] = [Entry(name: 0)]
    /// The rows at which localities, streets, features and stops begin, and the end of all.
    private(set) var bounds: [UInt32] = [1]
    /// The houses of each street, ordered by number.
    private(set) var houses: [[House]] = []
    /// The row of the street that each of the draft's ways belongs to.
    private(set) var streetOfWay: [UInt32] = []

    /// An entry that can be found.
    struct Entry {
        /// The name, as a text number.
        var name: UInt32
        /// Its other names, divided by semicolons, as a text number.
        var otherNames: UInt32 = 0
        /// The category, as a text number.
        var category: UInt32 = 0
        /// How often people look for it, 0 to 15.
        var importance: UInt8 = 0
        /// A point that represents the entry.
        var coordinate = Coordinate(latitude: 0, longitude: 0)
        /// The row of the town that it lies in; 0 if unknown.
        var town: UInt32 = 0
        /// The row of the part of town that it lies in; 0 if unknown.
        var quarter: UInt32 = 0
        /// The row of the next town, which people may name instead; 0 if unknown.
        var otherTown: UInt32 = 0
        /// Whether its label needs the quarter of a street, or the street of another place, to
        /// tell it from its namesakes.
        var showsPart = false
        /// The kind that people may ask for; nil for other places.
        var kind: PlaceKind?
        /// The row of the street on which it lies; 0 if unknown, and for streets and stops.
        var street: UInt32 = 0
        /// The opening hours, as a text number; 0 if unknown.
        var hours: UInt32 = 0
    }

    /// A house number of a street.
    struct House {
        /// The house number itself.
        var number: HouseNumber
        /// How it is written, as a text number.
        var text: UInt32
        /// The position of the house.
        var coordinate: Coordinate
    }

    /// Sorts a draft into entries.
    init(_ draft: AddressDraft) {
        texts = draft.texts
        let localities = LocalityFinder.merged(draft)
        entries += localities.map { Entry($0) }
        bounds.append(UInt32(entries.count))
        let finder = LocalityFinder(localities, texts)
        addStreets(draft, finder)
        bounds.append(UInt32(entries.count))
        addFeatures(draft, finder)
        bounds.append(UInt32(entries.count))
        for stop in draft.stops {
            var entry = Entry(stop)
            entry.lie(finder.localities(around: stop.coordinate))
            entries.append(entry)
        }
        bounds.append(UInt32(entries.count))
        for row in 1..<max(1, Int(bounds[1])) {
            let town = finder.localities(around: entries[row].coordinate).town
            if town != row, !localities[row - 1].isTown { entries[row].town = town }
        }
        tellNamesakesApart()
    }

    /// Adds everything else that has a name or a kind, each on its street.
    private mutating func addFeatures(_ draft: AddressDraft, _ finder: LocalityFinder) {
        var streets = StreetFinder()
        for (way, street) in zip(draft.ways, streetOfWay) where street > 0 {
            streets.add(draft.points[way.points], street: street)
        }
        for place in draft.features {
            var entry = Entry(place)
            entry.lie(finder.localities(around: place.coordinate))
            let named = place.street == 0 ? nil : AddressText.key(texts.texts[Int(place.street)])
            entry.street = streets.street(at: place.coordinate) { street in
                guard let named else { return false }
                return AddressText.key(texts.texts[Int(entries[Int(street)].name)]) == named
            }
            entry.showsPart = place.name == 0
            entries.append(entry)
        }
    }

    /// Adds the streets and sorts the houses into them.
    private mutating func addStreets(_ draft: AddressDraft, _ finder: LocalityFinder) {
        streetOfWay = Array(repeating: 0, count: draft.ways.count)
        for name in StreetName.all(in: draft) {
            var groups = NearbyGroups()
            for way in name.ways { groups.add(draft.points[draft.ways[way].points]) }
            for house in name.houses { groups.add([draft.houses[house].coordinate]) }
            let leaders = groups.leadersOfAll()
            var rows: [Int: Int] = [:]
            var waysOfRow: [[Int]] = []
            var housesOfRow: [[Int]] = []
            for (item, leader) in leaders.enumerated() {
                let row = rows[leader] ?? waysOfRow.count
                if row == waysOfRow.count {
                    rows[leader] = row
                    waysOfRow.append([])
                    housesOfRow.append([])
                }
                if item < name.ways.count {
                    waysOfRow[row].append(name.ways[item])
                } else {
                    housesOfRow[row].append(name.houses[item - name.ways.count])
                }
            }
            for (ways, houses) in zip(waysOfRow, housesOfRow) {
                addStreet(draft, ways: ways, houses: houses, finder)
            }
        }
    }

    /// Adds one street and its houses.
    private mutating func addStreet(
        _ draft: AddressDraft,
        ways: [Int],
        houses: [Int],
        _ finder: LocalityFinder
    ) {
        var entry = Entry(name: 0)
        if let first = ways.first {
            entry.name = draft.ways[first].name
        } else if let first = houses.first {
            entry.name = draft.houses[first].street
        }
        for way in ways {
            streetOfWay[way] = UInt32(entries.count)
            entry.importance = max(entry.importance, draft.ways[way].importance)
            if entry.otherNames == 0 { entry.otherNames = draft.ways[way].otherNames }
        }
        let places =
            ways.isEmpty
            ? houses.map { draft.houses[$0].coordinate }
            : ways.flatMap { draft.points[draft.ways[$0].points] }
        entry.coordinate = Self.middle(of: places)
        entry.lie(finder.localities(around: entry.coordinate))
        if let town = finder.town(named: houses.map { draft.houses[$0].city }, texts) {
            if town != entry.town { entry.otherTown = entry.town }
            entry.town = town
        }
        entries.append(entry)
        self.houses.append(numbered(houses.map { draft.houses[$0] }))
    }

    /// The houses of one street with their numbers, in order; equal numbers from south to north.
    private mutating func numbered(_ houses: [AddressDraft.House]) -> [House] {
        var result: [House] = []
        for house in houses {
            for (number, text) in HouseNumber.all(in: texts.texts[Int(house.number)]) {
                result.append(
                    House(
                        number: number,
                        text: texts.number(of: text),
                        coordinate: house.coordinate
                    )
                )
            }
        }
        return result.sorted { first, second in
            if first.number.value != second.number.value {
                return first.number.value < second.number.value
            }
            if first.number.suffix != second.number.suffix {
                return first.number.suffix.lexicographicallyPrecedes(second.number.suffix)
            }
            let (one, other) = (first.coordinate, second.coordinate)
            return (one.latitude, one.longitude, first.text)
                < (other.latitude, other.longitude, second.text)
        }
    }

    /// The one of several points that is closest to their mean.
    private static func middle(of places: [Coordinate]) -> Coordinate {
        guard let first = places.first else { return Coordinate(latitude: 0, longitude: 0) }
        let count = Int64(places.count)
        let mean = Coordinate(
            latitude: Int32(places.reduce(0) { $0 + Int64($1.latitude) } / count),
            longitude: Int32(places.reduce(0) { $0 + Int64($1.longitude) } / count)
        )
        let plane = LocalPlane(at: mean)
        var best = (place: first, metres: Double.infinity)
        for place in places {
            let metres = plane.distanceMetres(mean, place)
            if metres < best.metres { best = (place, metres) }
        }
        return best.place
    }

    /// Marks the streets that share their name with another street of the same town.
    private mutating func tellNamesakesApart() {
        struct Label: Hashable {
            var name: UInt32
            var town: UInt32
        }
        var first: [Label: Int] = [:]
        for row in Int(bounds[1])..<Int(bounds[2]) {
            let label = Label(name: entries[row].name, town: entries[row].town)
            if let other = first[label] {
                entries[row].showsPart = true
                entries[other].showsPart = true
            } else {
                first[label] = row
            }
        }
    }
}

extension AddressRegister.Entry {
    /// Creates an entry for a place.
    init(_ place: AddressDraft.Place) {
        name = place.name
        otherNames = place.otherNames
        category = place.category
        importance = place.importance
        coordinate = place.coordinate
        kind = place.kind
        hours = place.hours
    }

    /// Creates an entry for stops of one name.
    fileprivate init(_ stop: AddressDraft.StopGroup) {
        name = stop.name
        otherNames = stop.otherNames
        kind = stop.kind
        coordinate = stop.coordinate
        // A station comes before a street of its name, and trains before the metro below them.
        importance =
            switch stop.kind {
            case .station: 10
            case .metro: 8
            default: 4
            }
    }

    /// Assigns the localities in which the entry lies.
    fileprivate mutating func lie(_ localities: LocalityFinder.Localities) {
        town = localities.town
        quarter = localities.quarter
        otherTown = localities.otherTown
    }
}

/// The ways and houses that bear one street name, wherever they are.
private struct StreetName {
    var ways: [Int] = []
    var houses: [Int] = []

    /// All names of a draft, in the order in which they first appear.
    static func all(in draft: AddressDraft) -> [StreetName] {
        var names: [StreetName] = []
        var numbers: [[UInt8]: Int] = [:]
        var numberOfText: [UInt32: Int] = [:]
        func number(_ text: UInt32) -> Int? {
            if let number = numberOfText[text] { return number }
            let key = AddressText.key(draft.texts.texts[Int(text)])
            guard !key.isEmpty else { return nil }
            let number = numbers[key] ?? names.count
            if number == names.count {
                numbers[key] = number
                names.append(StreetName())
            }
            numberOfText[text] = number
            return number
        }
        for (way, value) in draft.ways.enumerated() {
            if let number = number(value.name) { names[number].ways.append(way) }
        }
        for (house, value) in draft.houses.enumerated() {
            if let number = number(value.street) { names[number].houses.append(house) }
        }
        return names
    }
}
