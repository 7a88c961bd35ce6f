import Chronology
import CityData
import Columns
import Logging
import ServiceLifecycle
import Taxi
import TripPlanning

/// Keeps the cities ready for questions: prepares their trip planners when the server starts and
/// after each midnight of a city (V54), and takes new city files.
///
/// Without it, the first question about each day would wait while its timetable is laid out, and
/// the first person at a stop while all stops and lines are arranged.
struct CityKeeping: Service, CustomStringConvertible {
    /// How often it is looked whether a file was replaced, in seconds.
    private static let lookSeconds: Int64 = 10

    /// The cities in service.
    let cities: CurrentCities
    /// What takes their new files.
    let renewal: CityRenewal
    /// The time source of the server.
    let clock: ServiceClock
    let logger: Logger

    /// The service's name in logs.
    var description: String { "city keeping" }

    private var now: Instant { Instant(seconds: clock.now().milliseconds / 1_000) }

    /// Runs until the server stops.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                var midnight = now
                while true {
                    if now >= midnight { midnight = await prepare() }
                    await look()
                    let next = min(midnight, now.adding(seconds: Self.lookSeconds))
                    try await clock.sleep(Moment(milliseconds: next.seconds * 1_000))
                }
            }
        } catch is CancellationError {
            return
        }
    }

    /// Takes the files that were replaced, and logs what became of them.
    ///
    /// - Parameter isForced: whether a file is tried again that was refused before.
    func look(isForced: Bool = false) async {
        for news in await renewal.look(at: now, isForced: isForced) {
            switch news.outcome {
            case .taken:
                logger.notice("a new city file is in use", metadata: ["file": "\(news.path)"])
            case .refused(let fault):
                logger.error(
                    "a new city file was refused; the one before it stays in use",
                    metadata: ["file": "\(news.path)", "error": "\(Self.words(fault))"]
                )
            }
        }
    }

    /// What is wrong with a file, for the server's administrator.
    private static func words(_ fault: CityNews.Fault) -> String {
        switch fault {
        case .empty: "it has neither streets nor timetables"
        case .noStreets: "it has no streets, and the one in use has some"
        case .file(.damaged(_, .truncated)): "it is cut short"
        case .file(.damaged(_, .notASectionFile)): "it is no city file"
        case .file(.damaged(_, .otherVersion(let version))):
            "it was written by another version of Viavai (format \(version))"
        case .file(.damaged): "it is damaged"
        case .file: "it is missing or cannot be read"
        }
    }

    /// Prepares the trip planners of all cities.
    ///
    /// - Returns: the first midnight of one of them.
    private func prepare() async -> Instant {
        var first = now.adding(seconds: 86_400)
        for city in cities.current.cities {
            first = min(first, await city.planner.prepare(at: now))
        }
        return first
    }
}
