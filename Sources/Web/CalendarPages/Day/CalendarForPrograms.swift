package import Chronology
import CityData
import DayPlanning
package import Geo
import HTTPTypes
package import Identity
import Localization
import TaxiPages
import TripPlanning
import WebCore

/// Plans of days for programs that act for a person: those of the pages.
extension CalendarPages: CalendarWork {
    /// How long a program waits for a plan, in milliseconds.
    private static let programPatience: Int64 = 10_000

    package func plan(
        of person: PersonNumber,
        on date: CivilDate,
        at now: Moment
    ) async throws -> String {
        let day = try await day(
            date,
            of: person,
            patience: Self.programPatience,
            in: environment.cities.current,
            at: now
        )
        switch day.outcome {
        case .planning, .answered(.busy): throw Failure.busy(retryAfter: 2)
        case .answered(.planned(let plan, _)):
            return try DayJSON(zone: web.settings.zoneTable).text(plan)
        case .answered(.failed(.unreadable(.tooMany))):
            throw Self.refusal(CalendarTexts.tooMany.in(.english))
        case .answered(.failed): throw Self.refusal(CalendarTexts.notRead.in(.english))
        case .noCity: throw Self.refusal(CalendarTexts.noCity.in(.english))
        }
    }

    package func refusal(ofPlaceAt position: Coordinate) -> String? {
        coverage?.verdict(at: position)?.refusal?.in(.english)
    }

    private static func refusal(_ detail: String) -> ProgramRefusal {
        ProgramRefusal("day-not-planned", .conflict, "The day has no plan", detail)
    }
}
