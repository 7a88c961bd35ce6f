import Chronology
import Dispatching
import Foundation
import Localization
import StorageTestSupport
import Testing

@testable import Taxi

@Suite("Log files")
struct LogFileTests {
    /// A small log: one zone, two taxis, one request that the second takes.
    static func log() throws -> [Entry] {
        var dispatcher = Dispatcher()
        var log: [Entry] = []
        func give(_ command: Command) throws {
            if let entry = try dispatcher.log(command) { log.append(entry) }
        }
        _ = dispatcher.log(advanceTo: Moment(milliseconds: 1_778_630_400_000))
        try give(.adopt(.viavai))
        try give(.drawZones(ZoneDrawing(names: ["Duomo", "Brera"], hash: 1)))
        for (index, seats) in [4, 6, 6].enumerated() {
            let capacity = Capacity(seats: UInt8(seats))
            try give(.register(TaxiForm(code: "T\(index)", capacity: capacity)))
        }
        try give(.completeSetup)
        for taxi in dispatcher.taxis.map(\.number) {
            try give(.regainContact(taxi, .zone(ZoneNumber(rawValue: 0))))
            try give(.goOnDuty(taxi))
        }
        try give(
            .request(
                RequestForm(
                    passenger: PassengerNumber(rawValue: 9),
                    zone: ZoneNumber(rawValue: 0),
                    needs: Capacity(seats: 5)
                )
            )
        )
        let request = RequestNumber(rawValue: 1)
        func offer() -> Offer? { dispatcher.request(request)?.offer }
        if let offer = offer() { try give(.refuse(request, offer.taxi, epoch: offer.epoch)) }
        if let offer = offer() { try give(.accept(request, offer.taxi, epoch: offer.epoch)) }
        return log
    }

    private static func write(_ log: [Entry], to path: String) throws {
        let writer = try LogFile.Writer(path: path)
        for entry in log { try writer.append(entry) }
        try writer.close()
    }

    @Test("what is written is read")
    func roundTrip() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/a.log"
            let log = try Self.log()
            try Self.write(log, to: path)
            var read: [Entry] = []
            try LogFile.read(path) { read.append($0) }
            #expect(read == log)
        }
    }

    @Test("a byte changed, cut off or added anywhere is found (I23)")
    func isTamperEvident() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/a.log"
            try Self.write(try Self.log(), to: path)
            let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            for place in sound.indices {
                var damaged = sound
                damaged[place] ^= 1 << UInt8(place % 8)
                try Data(damaged).write(to: URL(fileURLWithPath: path))
                #expect(throws: LogFile.Failure.self) { try LogFile.read(path) { _ in } }
            }
            var whole = 0
            for length in stride(from: 0, to: sound.count, by: 3) {
                try Data(sound[..<length]).write(to: URL(fileURLWithPath: path))
                // A file truncated between two entries is a valid shorter log, which only
                // its head reveals.
                do { try LogFile.read(path) { _ in whole += 1 } } catch is LogFile.Failure {}
            }
            try Data(sound + [0]).write(to: URL(fileURLWithPath: path))
            #expect(throws: LogFile.Failure.torn(after: try Self.log().count)) {
                try LogFile.read(path) { _ in }
            }
        }
    }
}

@Suite("The story of a request")
struct StoryTests {
    private static let teller = StoryTeller(.english) {
        "\($0.milliseconds - 1_778_630_400_000)"
    }

    @Test("says who was asked, in which order, and by which rule")
    func story() throws {
        var story = Story(of: RequestNumber(rawValue: 1))
        for entry in try LogFileTests.log() { try story.hear(entry) }
        #expect(
            Self.teller.lines(story) == [
                "0  A taxi was called in Duomo for 5 passengers.",
                "0  Offered to taxi T1, 2nd in the queue, the first that can take it; "
                    + "answer due by 60000. Before it stood T0 (too small).",
                "0  Taxi T1 refuses and goes to the tail of its queue.",
                "0  Offered to taxi T2, 2nd in the queue, the first that can take it; "
                    + "answer due by 60000. Before it stood T0 (too small).",
                "0  Taxi T2 accepts.",
            ]
        )
    }

    @Test(
        "answers why not me",
        arguments: [
            ("T0", ["Taxi T0 cannot carry what was asked for."]),
            ("T2", ["Taxi T2 stood further back: 2 before it.", "That was you."]),
        ]
    )
    func whyNotMe(taxi: String, because: [String]) throws {
        var story = Story(of: RequestNumber(rawValue: 1), whyNot: taxi)
        for entry in try LogFileTests.log() { try story.hear(entry) }
        let answers = Self.teller.answers(story, taxi: taxi)
        for reason in because { #expect(answers.contains { $0.hasSuffix(reason) }) }
    }
}
