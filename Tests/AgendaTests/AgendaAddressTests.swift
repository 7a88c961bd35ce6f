import Identity
import IdentityTestSupport
import OpenData
import Storage
import StorageTestSupport
import Testing

@testable import Agenda

/// Issue 32, 5: the secret address at which other programs read a calendar.
@Suite("Secret addresses of calendars")
struct AgendaAddressTests {
    @Test(
        "an address is of one person, and works until it is renewed, ended, or its owner is erased",
        arguments: TestEngine.allCases
    )
    func life(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let agenda = city.agenda
            let (mario, luigi) = (try await city.person("mario"), try await city.person("luigi"))
            #expect(try await agenda.address(of: mario) == nil)
            try await agenda.makeAddress(of: mario)
            let first = try #require(try await agenda.address(of: mario))
            #expect(first.utf8.count == 40)
            #expect(try await agenda.owner(ofAddress: first) == mario)
            #expect(try await agenda.address(of: luigi) == nil)
            // Made again it stays; renewed it does not.
            try await agenda.makeAddress(of: mario)
            #expect(try await agenda.address(of: mario) == first)
            try await agenda.makeAddress(of: mario, isRenewal: true)
            let second = try #require(try await agenda.address(of: mario))
            #expect(second != first)
            #expect(try await agenda.owner(ofAddress: first) == nil)
            #expect(try await agenda.owner(ofAddress: second) == mario)
            try await agenda.makeAddress(of: luigi)
            let other = try #require(try await agenda.address(of: luigi))
            #expect(other != second)
            #expect(try await agenda.owner(ofAddress: other) == luigi)
            try await agenda.endAddress(of: luigi)
            #expect(try await agenda.owner(ofAddress: other) == nil)
            #expect(try await agenda.address(of: luigi) == nil)
            try await city.accounts.destroy([mario], at: TestCity.start)
            #expect(try await agenda.owner(ofAddress: second) == nil)
            await #expect(throws: AccountFailure.noSuchPerson) {
                try await agenda.makeAddress(of: mario)
            }
        }
    }

    @Test("entries and settings stay as they are when the address changes")
    func apart() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.makeAddress(of: mario)
            let first = try await agenda.address(of: mario)
            try await agenda.add([Sample.event("a", "A")], of: mario)
            var settings = TravelSettings()
            settings.walkMetres = 500
            try await agenda.keep(settings, of: mario)
            #expect(try await agenda.address(of: mario) == first)
            let version = try await agenda.version(of: mario)
            try await agenda.makeAddress(of: mario, isRenewal: true)
            try await agenda.endAddress(of: mario)
            // Plans that are remembered under the version stay too.
            #expect(try await agenda.version(of: mario) == version)
            #expect(try await agenda.entries(of: mario).titles == ["A"])
            #expect(try await agenda.settings(of: mario) == settings)
        }
    }

    @Test(
        "what is no token is not looked up",
        arguments: ["", "x", String(repeating: "g", count: 40), String(repeating: "A", count: 40)]
    )
    func malformed(token: String) async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let owner = try await city.agenda.owner(ofAddress: token)
            #expect(owner == nil)
        }
    }

    @Test("a row that is moved to another person, or to another installation, is no address")
    func moved() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let luigi = try await city.person("luigi")
            try await agenda.makeAddress(of: mario)
            let token = try #require(try await agenda.address(of: mario))
            try await city.data.write { transaction in
                try transaction.execute("UPDATE agenda SET person = \(luigi)")
            }
            // The page would show another token, which leads nowhere.
            let shown = try #require(try await agenda.address(of: luigi))
            #expect(shown != token)
            #expect(try await agenda.owner(ofAddress: shown) == nil)
        }
    }
}
