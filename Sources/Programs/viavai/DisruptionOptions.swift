import ArgumentParser
import Chronology
import Journeys
import LiveFeeds
import OpenData
import TripPlanning

/// The options about strikes and alerts.
struct DisruptionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The register of strikes of the Italian ministry (RSS): an address or a file. Lines on "
                + "strike are not used but in guaranteed hours.",
            valueName: "url|file"
        )
    )
    var strikes: String?

    @Option(
        help: ArgumentHelp(
            "A company of the register: how notices name it, its agency in the timetable, local or "
                + "rail, region, province, and the hours in which it runs in spite of a strike, as "
                + "\"atm: ATM, local, Lombardia, Milano, 00:00-08:45, 15:00-18:00\"; several times "
                + "for several. Without it, notices concern the agencies that they name.",
            valueName: "text"
        )
    )
    var strikeOperator: [String] = []

    @Option(
        help: ArgumentHelp(
            "Service alerts (GTFS Realtime): an address or a file; several times for several. What "
                + "they say is out of service is not used.",
            valueName: "url|file"
        )
    )
    var alerts: [String] = []

    func validate() throws {
        for text in strikeOperator where StrikeOperator(text) == nil {
            throw ValidationError(
                "--strike-operator \"\(text)\": write NAME: AGENCY, local or rail, REGION, "
                    + "PROVINCE, HH:MM-HH:MM, ..."
            )
        }
    }

    /// Reads the feeds.
    func read(into world: inout LiveWorld) async throws {
        let reader = LiveReader(now: SystemClock.now)
        if let strikes { world.strikes = try await reader.strikes(strikes) }
        for source in alerts { world.alerts.append((source, try await reader.alerts(source))) }
    }

    /// The disruptions of a city.
    func found(in world: LiveWorld, _ city: City, at now: Instant) -> Disruptions {
        Disruptions(
            world,
            city.timetable,
            strikeOperator.compactMap { StrikeOperator($0) },
            now: now
        )
    }
}
