package import Columns
import Geo
package import OpenData
package import Transit

/// Writes the `address.*` sections of a city file, which ``AddressBook`` reads.
package struct AddressBuilder {
    /// How many addresses and places of each kind a city file contains.
    package struct Counts: Equatable, Sendable {
        /// The number of towns and their parts.
        package var localities = 0
        /// The number of streets; the same name in two towns counts twice.
        package var streets = 0
        /// The number of house numbers; a range such as 12-16 counts as several.
        package var houses = 0
        /// The number of shops, museums, schools and other named features.
        package var features = 0
        /// The number of stops; those of one name close together count once.
        package var stops = 0
    }

    private let draft: AddressDraft
    private let register: AddressRegister

    /// Adds the addresses of a city to a city file.
    ///
    /// - Parameters:
    ///   - osm: the OpenStreetMap file; nil if there is none.
    ///   - timetable: the stops; nil if there are none.
    ///   - writer: receives the sections.
    /// - Returns: how many were added.
    /// - Throws: ``OSMFailure`` if the map cannot be read; nothing has been added then.
    @discardableResult
    package static func add(
        osm: OSMFile?,
        timetable: Timetable?,
        to writer: inout SectionWriter
    ) throws(OSMFailure) -> Counts {
        var draft = AddressDraft()
        if let osm { draft = try AddressReader.read(osm) }
        if let timetable { draft.addStops(of: timetable) }
        let builder = AddressBuilder(draft: draft, register: AddressRegister(draft))
        builder.write(to: &writer)
        return Counts(
            localities: builder.register.count(.locality),
            streets: builder.register.count(.street),
            houses: builder.register.houses.reduce(0) { $0 + $1.count },
            features: builder.register.count(.feature),
            stops: builder.register.count(.stop)
        )
    }

    private func write(to writer: inout SectionWriter) {
        writer.add("address.text", texts: register.texts.texts)
        writer.add("address.bounds", register.bounds)
        writer.add("address.style", [isNumberFirst ? UInt8(1) : 0])
        let entries = register.entries
        writer.add("address.entry.name", entries.map(\.name))
        writer.add("address.entry.category", entries.map(\.category))
        writer.add("address.entry.importance", entries.map(\.importance))
        writer.add("address.entry.latitude", entries.map(\.coordinate.latitude))
        writer.add("address.entry.longitude", entries.map(\.coordinate.longitude))
        writer.add("address.entry.town", entries.map(\.town))
        writer.add("address.entry.quarter", entries.map(\.quarter))
        writer.add("address.entry.othertown", entries.map(\.otherTown))
        writer.add("address.entry.shows", entries.map { $0.showsPart ? UInt8(1) : 0 })
        writer.add("address.entry.kind", entries.map { $0.kind?.code ?? 0 })
        writer.add("address.entry.street", entries.map(\.street))
        writer.add("address.entry.hours", entries.map(\.hours))
        writeHouses(&writer)
        writeSegments(&writer)
        writer.add("address.member.offsets", Self.offsets(draft.stops.map(\.stops.count)))
        writer.add("address.member.stop", draft.stops.flatMap(\.stops))
        AddressIndex(register).write(to: &writer)
    }

    private func writeHouses(_ writer: inout SectionWriter) {
        let houses = register.houses.flatMap { $0 }
        writer.add("address.house.offsets", Self.offsets(register.houses.map(\.count)))
        writer.add("address.house.value", houses.map(\.number.value))
        writer.add("address.house.text", houses.map(\.text))
        writer.add("address.house.latitude", houses.map(\.coordinate.latitude))
        writer.add("address.house.longitude", houses.map(\.coordinate.longitude))
        let first = register.bounds[1]
        writer.add(
            "address.house.street",
            register.houses.enumerated().flatMap { street, houses in
                repeatElement(first + UInt32(street), count: houses.count)
            }
        )
        AddressGrid.add(
            "address.house.grid",
            houses.map { ($0.coordinate, $0.coordinate) },
            to: &writer
        )
    }

    /// Writes the straight pieces of all streets, for reverse look-ups.
    private func writeSegments(_ writer: inout SectionWriter) {
        var streets: [UInt32] = []
        var lines: [(Coordinate, Coordinate)] = []
        for (way, street) in zip(draft.ways, register.streetOfWay) where street > 0 {
            for point in way.points.dropLast() {
                let line = (draft.points[point], draft.points[point + 1])
                let north = abs(Int64(line.0.latitude) - Int64(line.1.latitude))
                let east = abs(Int64(line.0.longitude) - Int64(line.1.longitude))
                guard max(north, east) < Self.segmentLimit else { continue }
                streets.append(street)
                lines.append(line)
            }
        }
        writer.add("address.segment.street", streets)
        writer.add("address.segment.latitude1", lines.map(\.0.latitude))
        writer.add("address.segment.longitude1", lines.map(\.0.longitude))
        writer.add("address.segment.latitude2", lines.map(\.1.latitude))
        writer.add("address.segment.longitude2", lines.map(\.1.longitude))
        AddressGrid.add("address.segment.grid", lines, to: &writer)
    }

    /// The greatest length of a straight piece of street, in 1e-7 degrees; a longer one is an error
    /// in the data.
    private static let segmentLimit: Int64 = 2_000_000

    /// Whether most streets have English names, which follow their numbers.
    private var isNumberFirst: Bool {
        var balance = 0
        let streets = register.rows(.street)
        for entry in register.entries[streets] {
            let words = AddressText.words(register.texts.texts[Int(entry.name)])
            if let last = words.last, AddressVocabulary.isEnglishStreet(last.bytes) { balance += 1 }
            if let first = words.first, AddressVocabulary.isRomanceStreet(first.bytes) {
                balance -= 1
            }
        }
        return balance > 0
    }

    /// The offsets of parts with the given lengths.
    private static func offsets(_ counts: [Int]) -> [UInt32] {
        var result: [UInt32] = [0]
        var sum: UInt32 = 0
        for count in counts {
            sum += UInt32(count)
            result.append(sum)
        }
        return result
    }
}

extension AddressRegister {
    /// The rows of the entries of a kind.
    func rows(_ kind: AddressMatch.Kind) -> Range<Int> {
        Int(bounds[Int(kind.rawValue)])..<Int(bounds[Int(kind.rawValue) + 1])
    }

    /// How many entries of a kind there are.
    func count(_ kind: AddressMatch.Kind) -> Int { rows(kind).count }
}
