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
/// Without it, the first question about each day would wait until its timetable is laid out, and
/// the first page of a stop until all stops and lines are arranged.
struct CityMaintenance: Service, CustomStringConvertible {
    /// The interval at which the city files are checked, in seconds.
    private static let checkSeconds: Int64 = 10

    /// The cities in service.
    let cities: CurrentCities
    /// Takes their new files.
    let renewal: CityRenewal
    /// The time source of the server.
    let clock: ServiceClock
    let logger: Logger
    /// Reads what operators restrict, before cities are checked.
    var refresh: @Sendable () async -> Void = {}

    /// The service's name in logs.
    var description: String { "city maintenance" }

    private var now: Instant { Instant(seconds: clock.now().milliseconds / 1_000) }

    /// Runs until the server stops.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                var midnight = now
                while true {
                    if now >= midnight { midnight = await prepare() }
                    await checkFiles()
                    let next = min(midnight, now.adding(seconds: Self.checkSeconds))
                    try await clock.sleep(Moment(milliseconds: next.seconds * 1_000))
                }
            }
        } catch is CancellationError {
            return
        }
    }

    /// Takes new city files, and logs the results.
    ///
    /// - Parameter isForced: whether to try a file again that was refused before.
    func checkFiles(isForced: Bool = false) async {
        await refresh()
        for result in await renewal.check(at: now, isForced: isForced) {
            switch result.outcome {
            case .taken:
                logger.notice("a new city file is in use", metadata: ["file": "\(result.path)"])
            case .refused(let fault):
                logger.error(
                    "a new city file was refused; the previous one stays in use",
                    metadata: ["file": "\(result.path)", "error": "\(Self.text(of: fault))"]
                )
            }
        }
    }

    /// What is wrong with a file, for the server's administrator.
    private static func text(of fault: RenewalResult.Fault) -> String {
        switch fault {
        case .empty: "it has neither streets nor timetables"
        case .noStreets: "it has no streets, and the one in use has some"
        case .file(.damaged(_, .truncated)): "it is cut short"
        case .file(.damaged(_, .notASectionFile)): "it is not a city file"
        case .file(.damaged(_, .otherVersion(let version))):
            "it was written by another version of Viavai (format \(version))"
        case .file(.damaged): "it is damaged"
        case .file: "it is missing or cannot be read"
        }
    }

    /// Prepares the trip planners of all cities.
    ///
    /// - Returns: the next midnight in any of them.
    private func prepare() async -> Instant {
        var first = now.adding(seconds: 86_400)
        for city in cities.current.cities {
            first = min(first, await city.planner.prepare(at: now))
        }
        return first
    }
}
