package import CityData
import HTTPTypes
package import TaxiPages
package import TripPlanning
package import WebCore

/// The pages of the trip planner: the question, the trips to choose from, and a trip step by step;
/// the stops with their departures, and the lines; how far one gets within a time.
package struct TravelPages: TaxiPageModule {
    /// What plans the trips of a city.
    package struct Planning: Sendable {
        package let planner: TripPlanner
        let places: PlaceResolver
        /// The stops and lines of the city.
        var guide: TransitGuide { planner.guide }

        /// Creates the planning of a city.
        package init(_ planner: TripPlanner, places: PlaceResolver) {
            self.planner = planner
            self.places = places
        }
    }

    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment
    /// What plans the trips; nil without a city file.
    let planning: Planning?
    /// Seals questions into the addresses of their answers.
    let seal: TripSeal
    /// The questions that each address may still ask; fewer than other requests, because an answer
    /// takes much longer than a page.
    let rate: RequestRate<String>
    /// The answers given a moment ago.
    let recent = RecentAnswers<TripAnswer>()
    /// The areas drawn a moment ago.
    let recentAreas = RecentAnswers<ReachAnswer>()

    /// Creates the pages of the trip planner.
    ///
    /// - Parameters:
    ///   - environment: the services and settings of the site.
    ///   - planning: what plans the trips; nil without a city file.
    ///   - key: the key of the addresses of answers: 32 bytes, which outlast the server.
    ///   - rate: the questions that each address may ask.
    package init(
        _ environment: TaxiEnvironment,
        _ planning: Planning?,
        key: [UInt8],
        rate: RequestRate<String>
    ) {
        self.environment = environment
        self.planning = planning
        seal = TripSeal(key: key)
        self.rate = rate
    }

    /// All routes of the trip planner, of the stops and lines, and of how far one gets.
    package var routes: [Route] {
        askingRoutes + answerRoutes + tripRoutes + nearRoutes + stopRoutes + lineRoutes
            + reachRoutes
    }

    /// Whether a path is that of a page of the trip planner, which has a style sheet of its own.
    package static func isTravel(_ path: String) -> Bool {
        ["/plan", "/stops", "/lines", "/reach"].contains { path == $0 || path.hasPrefix($0 + "/") }
    }
}
