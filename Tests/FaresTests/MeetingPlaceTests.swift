import Fares
import Geo
import Testing

/// R49, and F14: "mapping service down/slow/wrong: offer still flows, ETA unknown, address falls
/// back to coordinates".
@Suite("Words for meeting places (R49, F14)")
struct MeetingPlaceTests {
    private let duomo = Coordinate(latitude: 454_641_943, longitude: 91_896_346)

    /// A clock whose sleeps end at once, or only when cancelled.
    private struct TestClock: Clock {
        struct Instant: InstantProtocol {
            var offset = Duration.zero
            func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
            func duration(to other: Self) -> Duration { other.offset - offset }
            static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
        }
        var isEager: Bool
        var now: Instant { Instant() }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            if !isEager { await Self.nothing() }
        }

        /// Waits until the task is cancelled.
        static func nothing() async {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            continuation.finish()
        }
    }

    @Test("an address is taken as it is")
    func address() async {
        let source = AddressSource { _ in "Piazza del Duomo 1" }
        let words = await source.words(
            for: duomo,
            within: .seconds(1),
            on: TestClock(isEager: false)
        )
        #expect(words == .address("Piazza del Duomo 1"))
        #expect(words.text == "Piazza del Duomo 1")
    }

    @Test("without an address the coordinates stand in")
    func none() async {
        for empty in [nil, "", "  \n"] as [String?] {
            let source = AddressSource { _ in empty }
            let words = await source.words(
                for: duomo,
                within: .seconds(1),
                on: TestClock(isEager: false)
            )
            #expect(words == .coordinates(duomo))
            #expect(words.text == "45.46419, 9.18963")
        }
    }

    @Test("a source that never answers is not waited for")
    func slow() async {
        let source = AddressSource { _ in
            await TestClock.nothing()
            return "too late"
        }
        let words = await source.words(
            for: duomo,
            within: .seconds(1),
            on: TestClock(isEager: true)
        )
        #expect(words == .coordinates(duomo))
    }

    @Test(
        "coordinates are written with five decimals",
        arguments: [
            (0, 0, "0.00000, 0.00000"), (-49, -50, "0.00000, -0.00001"),
            (-900_000_000, 1_800_000_000, "-90.00000, 180.00000"),
            (454_600_049, -91_234_567, "45.46000, -9.12346"),
        ] as [(Int32, Int32, String)]
    )
    func degrees(latitude: Int32, longitude: Int32, expected: String) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        #expect(PlaceDescription(nil, at: place).text == expected)
    }
}
