import Chronology
import Fares
import Testing

@testable import Taxi

/// ui.md 4.1, 11; C8: the arrivals that are announced.
@Suite("What is announced of arrivals")
struct RideBookTests {
    private static func moment(_ seconds: Int64) -> Moment {
        Moment(milliseconds: seconds * 1_000)
    }

    @Test("an arrival is announced anew where it differs by more than a minute, either way (C8)")
    func announced() {
        var page = RideBook.Page()
        #expect(page.announced == nil)
        for (told, announced) in [
            (1_000, 1_000), (1_060, 1_000), (940, 1_000), (1_061, 1_061), (1_000, 1_000),
        ] as [(Int64, Int64)] {
            page.tell(Self.moment(told), at: Self.moment(0))
            #expect(page.announced == Self.moment(announced), "\(told)")
            #expect(page.told?.arrival == Self.moment(told))
        }
        page.tell(nil, at: Self.moment(0))
        #expect(page.announced == nil && page.told != nil)
        page.tell(Self.moment(1_010), at: Self.moment(0))
        #expect(page.announced == Self.moment(1_010))
    }
}
