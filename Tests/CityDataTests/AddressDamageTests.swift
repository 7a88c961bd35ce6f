import CityData
import Columns
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

/// Issue 2, part "City file": a flipped byte never causes a trap or a read out of range.
@Suite("Damaged addresses")
struct AddressDamageTests {
    private static let queries = [
        "via padova 10", "v", "paidazza duomo", "12 via roma, villanova", "la scala",
        "via 25 aprile",
    ]

    /// Calls every query and ignores the results.
    private static func use(_ book: AddressBook) {
        for query in queries { _ = book.search(query, near: AddressTown.place(0, 0)) }
        for north in stride(from: 0.0, to: 1_200, by: 300) {
            _ = book.reverse(AddressTown.place(100, north), reachMetres: 500)
        }
        _ = book.counts
    }

    @Test("bytes flipped in the sections give wrong answers at worst")
    func flippedBytes() throws {
        var writer = SectionWriter()
        try AddressBuilder.add(osm: AddressTown.borgo.osm, timetable: nil, to: &writer)
        try withDamagedSections(writer, count: 1_000) { file in
            Self.use(AddressBook(file))
        }
    }

    @Test("a file without addresses, or without one of their sections, finds nothing or less")
    func missingSections() throws {
        let empty = AddressBook(try SectionWriter().opened())
        Self.use(empty)
        #expect(empty.search("via padova").isEmpty)
        #expect(empty.reverse(AddressTown.place(0, 100)) == nil)
        var nothing = SectionWriter()
        try AddressBuilder.add(osm: nil, timetable: nil, to: &nothing)
        Self.use(AddressBook(try nothing.opened()))
        var writer = SectionWriter()
        try AddressBuilder.add(osm: AddressTown.borgo.osm, timetable: nil, to: &writer)
        let whole = try writer.opened()
        for missing in whole.sections {
            var rest = SectionWriter()
            for section in whole.sections where section.name != missing.name {
                let name = String(decoding: section.name, as: UTF8.self)
                switch section.elementWidth {
                case 1: rest.add(name, whole.column(name, of: UInt8.self).array)
                case 4: rest.add(name, whole.column(name, of: UInt32.self).array)
                default: Issue.record("\(name) has another width")
                }
            }
            Self.use(AddressBook(try rest.opened()))
        }
    }

    @Test("the same map gives the same bytes")
    func reproducible() throws {
        func bytes() throws -> [UInt8] {
            var writer = SectionWriter()
            try AddressBuilder.add(osm: AddressTown.borgo.osm, timetable: nil, to: &writer)
            return writer.bytes()
        }
        #expect(try bytes() == bytes())
    }
}
