package import Columns
import Geo
import Transit

/// The addresses of a city: a read-only view of the `address.*` sections of a city file.
///
/// Every locality, street, feature and stop is an *entry* with a row. A street's houses are
/// rows of their own, ordered by number. Words lead to names and names to entries
/// (``AddressIndex``). Nothing is parsed or copied when it is opened, and a damaged file gives
/// wrong answers but never traps.
package struct AddressBook: Sendable {
    /// The bytes that the columns point into.
    let file: SectionFile
    let texts: Texts
    let entries: Entries
    let houses: Houses
    let segments: Segments
    let words: WordList
    /// The entry of each name row.
    let entryOfName: Column<UInt32>
    /// For each name the number of words that count, in the lower four bits, and the number of
    /// words that may be left out, as ``AddressIndex`` writes them.
    let wordsOfName: Column<UInt8>
    let postingOffsets: Column<UInt32>
    let postings: Column<UInt32>
    private let memberOffsets: Column<UInt32>
    private let members: Column<UInt32>
    private let isNumberFirst: Bool
    /// How large the towns are.
    let towns: TownSizes

    /// Reads the addresses in a file; there are none if the file has none.
    package init(_ file: SectionFile) {
        self.file = file
        texts = Texts("address.text", in: file)
        entries = Entries(file)
        houses = Houses(file)
        segments = Segments(file)
        words = WordList(file)
        entryOfName = file.column("address.name.entry")
        wordsOfName = file.column("address.name.words")
        postingOffsets = file.column("address.posting.offsets")
        postings = file.column("address.posting.name")
        memberOffsets = file.column("address.member.offsets")
        members = file.column("address.member.stop")
        isNumberFirst = file.column("address.style", of: UInt8.self)[0] == 1
        towns = TownSizes(entries)
    }

    /// The numbers of addresses and places that can be found.
    package var counts: AddressBuilder.Counts {
        AddressBuilder.Counts(
            localities: entries.rows(.locality).count,
            streets: entries.rows(.street).count,
            houses: houses.count,
            features: entries.rows(.feature).count,
            stops: entries.rows(.stop).count
        )
    }

    /// The columns of the entries.
    struct Entries: Sendable {
        private let bounds: Column<UInt32>
        let name: Column<UInt32>
        let category: Column<UInt32>
        let importance: Column<UInt8>
        let town: Column<UInt32>
        let quarter: Column<UInt32>
        let otherTown: Column<UInt32>
        let showsPart: Column<UInt8>
        /// The ``PlaceKind/code`` of each entry; older files have none.
        let kindCode: Column<UInt8>
        let street: Column<UInt32>
        let hours: Column<UInt32>
        private let latitude: Column<Int32>
        private let longitude: Column<Int32>

        init(_ file: SectionFile) {
            bounds = file.column("address.bounds")
            name = file.column("address.entry.name")
            category = file.column("address.entry.category")
            importance = file.column("address.entry.importance")
            town = file.column("address.entry.town")
            quarter = file.column("address.entry.quarter")
            otherTown = file.column("address.entry.othertown")
            showsPart = file.column("address.entry.shows")
            kindCode = file.column("address.entry.kind")
            street = file.column("address.entry.street")
            hours = file.column("address.entry.hours")
            latitude = file.column("address.entry.latitude")
            longitude = file.column("address.entry.longitude")
        }

        /// The number of rows, including the unused row 0.
        var count: Int { name.count }

        /// The rows of entries of a kind; if there are none, the position at which they would be.
        func rows(_ kind: AddressMatch.Kind) -> Range<Int> {
            let first = min(Int(bounds[Int(kind.rawValue)]), count)
            return first..<max(first, min(Int(bounds[Int(kind.rawValue) + 1]), count))
        }

        /// The kind of the entry in a row.
        func kind(_ row: Int) -> AddressMatch.Kind {
            AddressMatch.Kind.allCases.first { rows($0).contains(row) } ?? .feature
        }

        func coordinate(_ row: Int) -> Coordinate {
            Coordinate(latitude: latitude[row], longitude: longitude[row])
        }
    }

    /// Columns of houses, street by street.
    struct Houses: Sendable {
        private let offsets: Column<UInt32>
        let value: Column<UInt32>
        let text: Column<UInt32>
        let street: Column<UInt32>
        let grid: AddressGrid
        private let latitude: Column<Int32>
        private let longitude: Column<Int32>

        init(_ file: SectionFile) {
            offsets = file.column("address.house.offsets")
            value = file.column("address.house.value")
            text = file.column("address.house.text")
            street = file.column("address.house.street")
            latitude = file.column("address.house.latitude")
            longitude = file.column("address.house.longitude")
            grid = AddressGrid("address.house.grid", in: file)
        }

        var count: Int { value.count }

        /// The houses of a street, given by its number among streets.
        func rows(street: Int) -> Range<Int> { offsets.range(street, limit: count) }

        func coordinate(_ row: Int) -> Coordinate {
            Coordinate(latitude: latitude[row], longitude: longitude[row])
        }
    }

    /// Columns of the straight pieces of streets.
    struct Segments: Sendable {
        let street: Column<UInt32>
        let grid: AddressGrid
        private let latitude1: Column<Int32>
        private let longitude1: Column<Int32>
        private let latitude2: Column<Int32>
        private let longitude2: Column<Int32>

        init(_ file: SectionFile) {
            street = file.column("address.segment.street")
            latitude1 = file.column("address.segment.latitude1")
            longitude1 = file.column("address.segment.longitude1")
            latitude2 = file.column("address.segment.latitude2")
            longitude2 = file.column("address.segment.longitude2")
            grid = AddressGrid("address.segment.grid", in: file)
        }

        /// The two ends of a piece.
        func ends(_ row: Int) -> (Coordinate, Coordinate) {
            (
                Coordinate(latitude: latitude1[row], longitude: longitude1[row]),
                Coordinate(latitude: latitude2[row], longitude: longitude2[row])
            )
        }
    }
}

extension AddressBook {
    /// The town of all addresses; nil if they are in several towns, or none is known.
    ///
    /// - Complexity: O(n) in the number of entries.
    package var onlyTown: String? {
        let limit = max(1, entries.count)
        var only = 0
        for row in 1..<limit {
            let town = entries.town.index(row, below: limit)
            guard town > 0, town != row else { continue }
            guard only == 0 || only == town else { return nil }
            only = town
        }
        return only == 0 ? nil : texts[Int(entries.name[only])]
    }

    /// The houses of a street's entry.
    func houses(ofEntry row: Int) -> Range<Int> {
        houses.rows(street: row - entries.rows(.street).lowerBound)
    }

    /// The match for an entry.
    ///
    /// - Parameters:
    ///   - row: the row of the entry.
    ///   - house: one of its houses; nil for the entry as a whole.
    ///   - asked: the requested house number, if `house` has a different one.
    ///   - showsStreet: whether the label names the street of a place.
    /// - Returns: the match.
    func match(
        entry row: Int,
        house: Int? = nil,
        asked: String? = nil,
        showsStreet: Bool = false
    ) -> AddressMatch {
        let kind = entries.kind(row)
        let number = house.map { texts[Int(houses.text[$0])] }
        var exactness = AddressMatch.Exactness.place
        if kind == .street {
            exactness = .street(asked: asked)
            if let number {
                exactness = .house(number)
                if let asked { exactness = .nearestHouse(known: number, asked: asked) }
            }
        }
        let stop = row - entries.rows(.stop).lowerBound
        let stops = kind == .stop ? memberOffsets.range(stop, limit: members.count) : 0..<0
        return AddressMatch(
            kind: kind,
            label: label(row, number: number, showsStreet: showsStreet),
            coordinate: house.map { houses.coordinate($0) } ?? entries.coordinate(row),
            exactness: exactness,
            category: texts[Int(entries.category[row])],
            placeKind: PlaceKind(code: entries.kindCode[row]),
            openingHours: texts[Int(entries.hours[row])],
            stops: stops.map { StopIndex(rawValue: members[$0]) }
        )
    }

    /// The text of an entry: name and number in the city's order, street or part of town where the
    /// name alone would be ambiguous, and town.
    private func label(_ row: Int, number: String?, showsStreet: Bool) -> String {
        let name = texts[Int(entries.name[row])]
        var parts = name.isEmpty ? [] : [name]
        if let number { parts = [isNumberFirst ? "\(number) \(name)" : "\(name) \(number)"] }
        let limit = max(1, entries.count)
        let town = entries.town.index(row, below: limit)
        if showsStreet || entries.showsPart[row] == 1 {
            let street = entries.street.index(row, below: limit)
            let part = street > 0 ? street : entries.quarter.index(row, below: limit)
            if part > 0, part != town { parts.append(texts[Int(entries.name[part])]) }
        }
        if parts.isEmpty { parts = [entries.coordinate(row).text] }
        if town > 0, town != row { parts.append(texts[Int(entries.name[town])]) }
        return parts.joined(separator: ", ")
    }
}
