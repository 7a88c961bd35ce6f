import CityData
import Columns
import Geo
import OpenData
import TestSupport
import Testing

/// Issue 2, part "Addresses": reverse look-up.
@Suite("Address at a place")
struct AddressReverseTests {
    @Test("a place on a street has that street and its nearest house")
    func onStreet() throws {
        let book = try AddressTown.borgo.book()
        let found = try #require(book.reverse(AddressTown.place(42, 101)))
        #expect(found.match.label == "Via Padova 10, Borgo Città")
        #expect(abs((found.streetDistanceMetres ?? -1) - 1) < 0.1)
        let without = try #require(book.reverse(AddressTown.place(200, 262)))
        #expect(without.match.label == "Via Romagnosi, Borgo Città")
        #expect(abs(without.distanceMetres - 2) < 0.1)
    }

    @Test("the only town of a city is known, and none where there are several (issue 30)")
    func onlyTown() throws {
        #expect(try AddressTown.borgo.book().onlyTown == nil)
        var town = AddressTown()
        town.node(200, 50, "place=town", "name=Borgo Solo")
        town.street("Via Padova", north: 0, numbers: [10])
        let book = try town.book()
        #expect(book.search("via padova 10").first?.label == "Via Padova 10, Borgo Solo")
        #expect(book.onlyTown == "Borgo Solo")
    }

    @Test("a house that is nearer than any street gives its own street")
    func atHouse() throws {
        var town = AddressTown()
        town.street("Via Davanti", north: 0)
        town.street("Via Dietro", north: 40)
        town.node(100, 25, "addr:housenumber=9", "addr:street=Via Davanti")
        let found = try #require(try town.book().reverse(AddressTown.place(100, 26)))
        #expect(found.match.label == "Via Davanti 9")
    }

    @Test("far from every street there is no address")
    func nowhere() throws {
        let book = try AddressTown.borgo.book()
        #expect(book.reverse(AddressTown.place(-3_000, 0)) == nil)
        for latitude in [Int32.min, 0, .max] {
            for longitude in [Int32.min, 0, .max] {
                let place = Coordinate(latitude: latitude, longitude: longitude)
                #expect(book.reverse(place, reachMetres: .infinity) == nil)
            }
        }
        #expect(book.reverse(AddressTown.place(0, 0), reachMetres: .nan) == nil)
    }
}
