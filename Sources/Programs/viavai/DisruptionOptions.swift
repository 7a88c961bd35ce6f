import ArgumentParser
import Chronology
import Journeys
import LiveFeeds
import OpenData
import Transit
import TripPlanning

/// The options about strikes, alerts and traffic.
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

    @Option(
        help: ArgumentHelp(
            "How fast cars drive at which hours (GeoJSON): an address or a file; several times for "
                + "several. docs/operating.md describes the format.",
            valueName: "url|file"
        )
    )
    var traffic: [String] = []

    @Option(
        help: ArgumentHelp(
            "Delays of the past, for how probable it is to be on time: a folder or archive with "
                + "OpenTripPlanner's empirical_delay_calendar.txt and "
                + "empirical_delay_stop_times.txt.",
            valueName: "path"
        )
    )
    var delays: String?

    func validate() throws {
        for text in strikeOperator where StrikeOperator(text) == nil {
            throw ValidationError(
                "--strike-operator \"\(text)\": write NAME: AGENCY, local or rail, REGION, "
                    + "PROVINCE, HH:MM-HH:MM, ..."
            )
        }
    }

    /// Adds what the named feeds say to what is known of the city; each is fetched or read once.
    func read(into world: inout LiveWorld) async throws {
        let reader = LiveReader(now: SystemClock.now)
        if let strikes { world.strikes = try await reader.strikes(strikes) }
        for source in traffic { world.traffic += try await reader.traffic(source) }
        for source in alerts { world.alerts.append((source, try await reader.alerts(source))) }
    }

    /// How reliable the journeys of a city are; nil without delays.
    ///
    /// - Throws: `CommandFailure` if the files cannot be read.
    func reliability(of city: City) throws -> TripReliability? {
        guard let delays else { return nil }
        let table: DelayTable
        do throws(GTFSFailure) {
            let known = try EmpiricalDelays(.at(path: delays), name: delays)
            table = DelayTable(known, city.timetable)
            Console.note(
                "delays: \(table.matchedCount) of \(known.rows.count) rows are of trips and stops "
                    + "of the city"
            )
        } catch {
            guard case .missingFile(_, let file) = error else { throw FailureText.failure(error) }
            throw CommandFailure.badInput(
                "\(delays): \(file) is missing, one of OpenTripPlanner's two files of delays"
            )
        }
        return TripReliability(city, table)
    }

    /// A snapshot of a city with its traffic, and without what does not run.
    func snapshot(
        of city: City,
        _ disruptions: Disruptions,
        in world: LiveWorld,
        at now: Instant
    ) -> CitySnapshot {
        let traffic = CityTraffic(world, city, now: now)
        if !world.traffic.isEmpty {
            Console.note(
                "traffic: \(traffic.matchedCount) of \(world.traffic.count) lines are on streets "
                    + "of the city"
            )
        }
        return disruptions.applied(to: traffic.applied(to: CitySnapshot(city)))
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
