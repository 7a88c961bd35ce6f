import Chronology
import Dispatching
import TestClock
import Testing
import TravelPages
import TripPlanning
import WebTestSupport

@testable import WebApp

/// Issue 31: the first question of a day is as quick as the next one.
@Suite("Preparing the trip planner", .serialized)
struct TripPreparationTests {
    @Test("V54: days are laid out when the server starts, and after midnight in the city")
    func days() async throws {
        try await RideTown.open(.viavai, isOpen: false, hasLines: true) { town in
            let site = town.site
            let planner = try #require(site.installation.city?.planner)
            // It is 9 in the morning in Rome, on the same day as in Greenwich.
            let today = Int32(site.clock.now.milliseconds / 86_400_000)
            func days(from first: Int32) -> [CivilDate] {
                (first..<(first + 6)).map { CivilDate(daysSince1970: $0) }
            }
            try await site.until("the days are laid out") {
                planner.preparedDays == days(from: today)
            }
            site.clock.advance(seconds: 15 * 3_600)
            try await site.until("the next day is laid out") {
                planner.preparedDays == days(from: today + 1)
            }
        }
    }
}
