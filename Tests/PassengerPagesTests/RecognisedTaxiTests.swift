import Dispatching
import Notify
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// R58 and issue 30, 2: a passenger recognises the taxi by its make and colour too.
@Suite("The make and colour of a taxi", .serialized)
struct RecognisedTaxiTests {
    private static let english = ">white Toyota Corolla<"
    private static let italian = ">Toyota Corolla bianca<"

    @Test("R58: make and colour stand by the plate on the ride, its shared link and its receipt")
    func pages() async throws {
        try await RideTown.open(.viavai) { town in
            let taxi = town.taxis[0]
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(taxi)
            // Papers that state neither leave the plate alone.
            let plain = try await visitor.get(path).text
            #expect(plain.contains("<dt>Plate</dt>") && !plain.contains("Plate and car"))
            try await town.describe(taxi, make: "Toyota Corolla", colour: "white")
            let found = try await visitor.get(path).text
            #expect(found.contains("<dt>Plate and car</dt>"), "\(found)")
            #expect(found.contains(Self.english))
            visitor.language = "it"
            let italian = try await visitor.get(path).text
            #expect(italian.contains("<dt>Targa e auto</dt>") && italian.contains(Self.italian))
            visitor.language = "en"
            _ = try await visitor.press(path + "/link", on: path + "/link")
            let shown = try await visitor.get(path + "/link").text
            let link = try #require(shown.firstMatch(of: /href="(\/trip\/[0-9a-f]{40})"/)).1
            #expect(try await town.site.visitor().get(String(link)).text.contains(Self.english))
            try await town.reach(taxi)
            try await town.board(taxi)
            try await town.end(taxi)
            #expect(try await !visitor.get(path).text.contains(Self.english))
            let receipt = path.replacing("/ride/", with: "/receipt/")
            #expect(try await visitor.get(receipt).text.contains(Self.english))
        }
    }

    @Test("R58: the messages that a taxi was found and is here, and the receipt, describe the car")
    func letters() async throws {
        try await RideTown.open(.viavai, isPosted: true) { town in
            let taxi = town.taxis[0]
            try await town.describe(taxi, make: "Toyota Corolla", colour: "white")
            let taken = RideLetterTests.Taken()
            let worker = try RideLetterTests.worker(town, taken)
            func letter(_ beginning: String) throws -> Letter {
                try #require(taken.all.last { $0.letter.subject.hasPrefix(beginning) }?.letter)
            }
            _ = try await town.call(try await town.passenger())
            try await town.accept(taxi)
            try await RideLetterTests.send(town, worker)
            let found = try letter("Your taxi arrives in about")
            #expect(found.short.contains("Car: white Toyota Corolla."), "\(found.short)")
            #expect(found.paragraphs[0].contains("Car: white Toyota Corolla."))
            try await town.reach(taxi)
            try await RideLetterTests.send(town, worker)
            let here = try letter("Your taxi is here")
            #expect(here.short.contains("Car: white Toyota Corolla."), "\(here.short)")
            try await town.board(taxi)
            try await town.end(taxi)
            try await RideLetterTests.send(town, worker)
            let receipt = try letter("Your ride: ")
            #expect(receipt.paragraphs.contains { $0.contains("Car: white Toyota Corolla.") })
        }
    }
}
