package import Agenda
import HTTPTypes
package import LiveFeeds
package import TaxiPages
package import TripPlanning
package import WebCore

/// The pages of the trip planner: the question, the trips to choose from, and a trip step by step;
/// the stops with their departures, and the lines; the area that can be reached within a time.
package struct TravelPages: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment
    /// The travel settings of people.
    let agenda: Agenda
    /// What live feeds say.
    let feeds: LiveFeeds
    /// Seals questions into the addresses of their answers.
    let seal: TripSeal
    /// The limit on questions from each address; it is lower than that on requests, because an
    /// answer takes much longer than a page.
    let rate: RequestRate<String>
    /// The answers given a moment ago.
    let recent = RecentAnswers<TripAnswer>()
    /// The areas drawn a moment ago.
    let recentAreas = RecentAnswers<ReachAnswer>()

    /// Creates the pages of the trip planner.
    ///
    /// - Parameters:
    ///   - environment: the services and settings of the site.
    ///   - key: the key of the addresses of answers: 32 bytes, which outlast the server.
    ///   - agenda: the travel settings of people.
    ///   - feeds: what live feeds say, such as where shared vehicles are.
    ///   - rate: the questions that each address may ask.
    package init(
        _ environment: TaxiEnvironment,
        key: [UInt8],
        agenda: Agenda,
        feeds: LiveFeeds,
        rate: RequestRate<String>
    ) {
        self.environment = environment
        seal = TripSeal(key: key)
        self.agenda = agenda
        self.feeds = feeds
        self.rate = rate
    }

    /// All routes of the trip planner, of stops and lines, and of reachable areas.
    package var routes: [Route] {
        let all =
            askingRoutes + answerRoutes + tripRoutes + nearRoutes + stopRoutes + lineRoutes
            + reachRoutes + rentalRoutes
        return serving(all)
    }

    /// Routes whose requests are each served from the city files of one moment.
    package func serving(_ routes: [Route]) -> [Route] {
        routes.map { route in
            var route = route
            let answer = route.answer
            // Taken once: data that a page reads from one city file must not meet data of the next
            // one.
            route.answer = { [cities = environment.cities] context in
                var context = context
                context[OpenedCities.self] = cities.current
                return try await answer(context)
            }
            return route
        }
    }

    /// Whether a path belongs to a page of the trip planner, which has its own style sheet.
    package static func isTravel(_ path: String) -> Bool {
        ["/plan", "/stops", "/lines", "/reach", "/rentals"].contains {
            path == $0 || path.hasPrefix($0 + "/")
        }
    }
}

extension RequestContext {
    /// The cities that serve this request from beginning to end.
    package var cities: OpenedCities {
        guard let cities = self[OpenedCities.self] else {
            preconditionFailure("a page that plans is asked without its cities")
        }
        return cities
    }
}
