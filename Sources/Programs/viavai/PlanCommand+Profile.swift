import Chronology
import CityData
import Encoding
import Foundation
import Journeys
import Transit
import TripPlanning

extension PlanCommand {
    /// Answers `--profile` on standard output: all best journeys between one place and many.
    ///
    /// - Returns: how long the search took.
    func answerProfile(_ planner: Planner, _ modes: TripModes) throws -> Duration {
        var planner = planner
        try refuseOptionsOfOne()
        guard let from, let to, let window else {
            throw CommandFailure.badInput(
                "--profile needs --from PLACE --to PLACES.csv --window 18h, or --from PLACES.csv "
                    + "--to PLACE"
            )
        }
        // The option that names a file gives the many places.
        let isInward =
            !FileManager.default.fileExists(atPath: to)
            && FileManager.default.fileExists(atPath: from)
        let places = PlaceReader(city: planner.city)
        let query: ProfileQuery
        let transfers = try transfers()
        let many = try ProfilePlaces(path: isInward ? from : to, places)
        do throws(PlaceReader.Failure) {
            let (one, endpoint) = try places.placeWithEndpoint(
                isInward ? to : from,
                isInward ? "--to" : "--from"
            )
            for note in one.remarks { Console.note(note) }
            query = ProfileQuery(
                endpoint,
                many.endpoints,
                isInward: isInward,
                time: try time(places),
                isArriveBy: arriveBy != nil,
                windowSeconds: try windowSeconds(window),
                maxTransfers: transfers,
                modes: modes.vehicles,
                wheelchair: wheelchair
            )
        } catch {
            throw CommandFailure.badInput(error.text)
        }
        let start = ContinuousClock.now
        let profiles = planner.profiles(query)
        let time = ContinuousClock.now - start
        let zone = planner.city.timetable.zone
        var output = "id,departure,arrival,transfers\n"
        for (id, profile) in zip(many.ids, profiles) {
            output += Self.lines(CSVText.field(id), profile, zone)
        }
        Console.answer(output)
        return time
    }

    private func windowSeconds(_ text: String) throws(PlaceReader.Failure) -> Int32 {
        guard let seconds = SpanReader.seconds(text, atMostHours: Self.windowHours) else {
            throw .init(text: "--window \(text): write minutes or hours, as 60m or 18h")
        }
        return seconds
    }

    /// Refuses options about how to show or limit a single journey.
    private func refuseOptionsOfOne() throws {
        let named = [
            ("--json", json), ("--language", language != nil), ("--max-walk", maxWalk != nil),
        ].compactMap { $0.1 ? $0.0 : nil }
        guard !named.isEmpty else { return }
        throw CommandFailure.badInput(
            "--profile goes without \(named.joined(separator: " and ")): it lists the times of all "
                + "best journeys, as CSV"
        )
    }

    /// The lines for one of the many places: the way without rides, which can begin at any time,
    /// then the journeys.
    private static func lines(_ id: String, _ profile: PlaceProfile, _ zone: ZoneTable) -> String {
        var lines = profile.directSeconds.map { "\(id),,\($0),0\n" } ?? ""
        for journey in profile.journeys {
            let departure = clockTime(journey.departure, zone)
            let arrival = clockTime(journey.arrival, zone)
            lines += "\(id),\(departure),\(arrival),\(journey.transfers)\n"
        }
        return lines
    }

    /// A time on the city's clocks, as `2014-10-20T08:30:00`.
    private static func clockTime(_ instant: Instant, _ zone: ZoneTable) -> String {
        String(instant.iso8601(in: zone).prefix(19))
    }
}

/// The many places of a profile, read from a CSV file with the columns `id` and `place`.
struct ProfilePlaces {
    /// The identifier of each place in the file.
    private(set) var ids: [String] = []
    /// The endpoint of each place.
    private(set) var endpoints: [Endpoint] = []

    /// How many invalid lines are reported before giving up.
    private static let errorLimit = 10

    /// Reads all places of a file; reports every invalid line, and refuses a file that has any.
    init(path: String, _ places: PlaceReader) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.badInput(
                "\(path): cannot be read; with --profile, --to or --from is a CSV file: id,place"
            )
        }
        var rows = CSVScanner([UInt8](data))
        guard rows.next() else {
            throw CommandFailure.badInput("\(path): is empty; the first line names the columns")
        }
        let header = (0..<rows.fieldCount).map { rows.text($0) }
        guard let id = header.firstIndex(of: "id"), let place = header.firstIndex(of: "place")
        else {
            throw CommandFailure.badInput("\(path): line 1: write the columns id and place")
        }
        var errors: [String] = []
        while rows.next(), errors.count < Self.errorLimit {
            do throws(PlaceReader.Failure) {
                if rows.openQuote != nil {
                    throw .init(text: "a quote is opened and nothing closes it")
                }
                let (found, endpoint) = try places.placeWithEndpoint(rows.text(place), "place")
                for note in found.remarks { Console.note("\(path): line \(rows.line): \(note)") }
                ids.append(rows.text(id))
                endpoints.append(endpoint)
            } catch {
                errors.append("\(path): line \(rows.line): \(error.text)")
            }
        }
        guard errors.isEmpty else {
            throw CommandFailure.badInput(errors.joined(separator: "\nviavai: "))
        }
    }
}
