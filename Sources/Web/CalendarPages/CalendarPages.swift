package import Agenda
package import Chronology
package import CityData
import DayPlanning
package import HTTPClient
import Identity
import OpenData
package import Storage
import Taxi
package import TaxiPages
package import TravelPages
package import WebCore

/// The pages of a person's calendar: days with their journeys, the list, the form, the settings,
/// and the exchange with other calendars.
package struct CalendarPages: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment
    /// The pages of journeys.
    let travel: TravelPages
    /// The calendars of all people.
    let agenda: Agenda
    /// The plans of days that were asked for a moment ago.
    let plans: DayPlans
    /// Which entries may be at the same time.
    let rules: ConflictRules
    /// Where the city's means of travel go, and where nobody may go.
    let coverage: CoverageAreas?

    /// What the exchange with other calendars needs.
    let exchange: CalendarExchange

    /// What happens in the transaction that remembers that a plan no longer works.
    package typealias Breaking =
        @Sendable (BrokenPlan, _ now: Moment, Transaction) throws -> Void

    /// What happens in the transaction that remembers that a plan no longer works.
    let breaking: Breaking

    /// Creates the pages of the calendar.
    ///
    /// - Parameters:
    ///   - environment: the services and settings of the site.
    ///   - travel: the pages of journeys.
    ///   - agenda: the calendars of all people.
    ///   - rules: which entries may be at the same time.
    ///   - coverage: where the city's means of travel go; nil if the city does not say.
    ///   - scope: the network addresses from which calendars are imported.
    ///   - breaking: what happens in the transaction that remembers that a plan no longer works.
    package init(
        _ environment: TaxiEnvironment,
        travel: TravelPages,
        agenda: Agenda,
        rules: ConflictRules = .usual,
        coverage: CoverageAreas? = nil,
        scope: NetworkScope = .publicOnly,
        breaking: @escaping Breaking = { _, _, _ in }
    ) {
        self.environment = environment
        self.travel = travel
        self.agenda = agenda
        self.rules = rules
        self.coverage = coverage
        self.breaking = breaking
        exchange = CalendarExchange(scope: scope)
        plans = DayPlans { [clock = environment.clock] in try await clock.pause($0) }
    }

    /// All routes of the calendar.
    package var routes: [Route] {
        let days = dayRoutes + weekRoutes + monthRoutes + listRoutes
        let plans =
            memoryRoutes + goRoutes + wayRoutes + taxiRoutes + ticketRoutes
            + whereaboutsRoutes
        let settings =
            settingsRoutes + baseRoutes + passRoutes + passAdviceRoutes + limitRoutes + hoursRoutes
            + vehicleRoutes + templateRoutes
        let entries = entryRoutes + entryPointRoutes
        return travel.serving(
            refreshing(days + plans + entries + settings + exchangeRoutes)
        )
    }

    /// Whether a path belongs to a page of the calendar, which has its own style sheet.
    package static func isCalendar(_ path: String) -> Bool {
        path == "/calendar" || path.hasPrefix("/calendar/")
    }

    /// Whether a path belongs to a week or a month, which have a style sheet besides.
    package static func isWeekOrMonth(_ path: String) -> Bool {
        path.hasPrefix("/calendar/week") || path.hasPrefix("/calendar/month")
    }
}

/// What the exchange with other calendars keeps between requests.
struct CalendarExchange: Sendable {
    /// Fetches calendars.
    let fetcher: CalendarFetcher
    /// How often the programs of a person may read the calendar, besides the limit of each
    /// network address: an answer takes much longer than a page.
    let feedRate = RequestRate<PersonNumber>(perSecond: 1, atOnce: 10)

    init(scope: NetworkScope) {
        fetcher = CalendarFetcher(scope: scope)
    }
}

extension [InputField] {
    /// The day of a page.
    static let date = [InputField.path("date", .date, "The day, in the city's time zone.")]
}
