import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// ui.md 4.3, R101, R103, R105, I26: places that people save.
@Suite("Saved places")
struct PlaceTests {
    private static func place(_ name: String, _ words: String = "Via Dante 7") throws -> SavedPlace
    {
        try #require(
            SavedPlace(name: name, latitude: 454_642_700, longitude: -91_895_100, words: words)
        )
    }

    @Test("places are read as they were written, and nothing else is")
    func text() throws {
        let places = [try Self.place("Casa"), try Self.place("Nonna  ☀", "")]
        #expect(SavedPlace.places(SavedPlace.text(of: places)) == places)
        for text in ["", "1 2", "1 2\tCasa", "1\tCasa\t", "1 2 3\tCasa\t", "1 x\tCasa\t", "\t\t"] {
            #expect(SavedPlace.places(text).isEmpty, "\(text)")
        }
        let long = String(repeating: "a", count: SavedPlace.nameLimit + 1)
        for name in ["", " ", "a\tb", "a\nb", "a\u{202E}b", long] {
            #expect(SavedPlace(name: name, latitude: 0, longitude: 0, words: "") == nil, "\(name)")
        }
        #expect(try Self.place("a", "b\nc").words.isEmpty)
    }

    @Test(
        "they are kept by name, so many at most, sealed, and exported with all else (R105)",
        arguments: TestEngine.allCases
    )
    func keeping(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let accounts = city.accounts
            let (mario, anna) = (try await city.person("mario"), try await city.person("anna"))
            #expect(try await accounts.places(of: mario).isEmpty)
            for number in 0..<SavedPlace.most {
                #expect(try await accounts.keep(try Self.place("\(number)"), of: mario))
            }
            #expect(try await !accounts.keep(try Self.place("one more"), of: mario))
            #expect(try await accounts.keep(try Self.place("3", "Via Verdi 1"), of: mario))
            let kept = try await accounts.places(of: mario)
            #expect(kept.map(\.name) == (0..<SavedPlace.most).map(String.init))
            #expect(kept[3].words == "Via Verdi 1")
            try await accounts.forgetPlace(named: "3", of: mario)
            try await accounts.forgetPlace(named: "none", of: mario)
            #expect(try await accounts.places(of: mario).count == SavedPlace.most - 1)
            #expect(try await accounts.places(of: anna).isEmpty)

            let sealed = try await accounts.data.read { transaction in
                try transaction.rows(
                    "SELECT sealed FROM person_field WHERE person = \(mario) AND field = 'places'"
                ).map { try $0.value("sealed", as: [UInt8].self) }
            }
            #expect(sealed.count == 1)
            #expect(!String(decoding: sealed[0], as: UTF8.self).contains("Dante"))
            let export = try await accounts.export(of: mario, at: TestCity.start)
            #expect(export.contains("Via Dante 7"))
            #expect(
                try await refusal {
                    _ = try await accounts.keep(
                        try Self.place("Casa"),
                        of: PersonNumber(rawValue: 1)
                    )
                } == .noSuchPerson
            )
        }
    }

    @Test("many windows that keep places at once lose none", arguments: TestEngine.allCases)
    func windows(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let accounts = city.accounts
            let mario = try await city.person("mario")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<SavedPlace.most {
                    group.addTask {
                        _ = try await accounts.keep(try Self.place("\(number)"), of: mario)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await accounts.places(of: mario).count == SavedPlace.most)
        }
    }
}
