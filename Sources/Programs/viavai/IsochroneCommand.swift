import ArgumentParser
import Chronology
import CityData
import Foundation
import Geo
import Journeys
import OpenData
import Transit
import TripPlanning

/// `viavai isochrone`: draws the area that can be reached within a time.
struct IsochroneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "isochrone",
        abstract: "Draw the area reachable within a time, on foot and by public transport.",
        discussion: """
            The area is one feature in a GeoJSON file: a MultiPolygon on a grid of 50 metres. A \
            place is an address, a coordinate as 45.4641,9.1919, or stop:ID.
            """
    )

    @Option(help: "The city file.")
    var city: String

    @Option(help: "The place of departure.")
    var from: String

    @Option(help: "When, in the city's local time, such as 2014-10-20T08:30; now by default.")
    var depart: String?

    @Option(help: ArgumentHelp("The longest travel time, as 30m or 2h.", valueName: "time"))
    var within: String

    @Option(
        help: ArgumentHelp(
            "The modes: walk, transit, or single ones such as bus,tram,metro,rail,ferry.",
            valueName: "list"
        )
    )
    var modes = "walk,transit"

    @Flag(help: "Only paths, stops and vehicles that are known to be wheelchair-accessible.")
    var wheelchair = false

    @Option(help: ArgumentHelp("The GeoJSON file to write.", valueName: "file"))
    var geojson: String

    func run() throws {
        let modes = try ModeReader.modes(modes)
        guard !modes.bicycle, !modes.car, !modes.taxi else {
            throw CommandFailure.badInput(
                "--modes: an isochrone is drawn for walking and public transport only"
            )
        }
        let seconds = try seconds()
        var planner = Planner(CitySnapshot(City(try CityFile.open(city))))
        let places = PlaceReader(city: planner.city)
        guard let time = depart.map({ places.time($0) }) ?? SystemClock.now else {
            throw CommandFailure.badInput(
                "--depart: \"\(depart ?? "")\" is not written as 2014-10-20T08:30"
            )
        }
        let origin: ResolvedPlace
        let endpoint: Endpoint
        do throws(PlaceReader.Failure) {
            (origin, endpoint) = try places.placeWithEndpoint(from, "--from")
        } catch {
            throw CommandFailure.badInput(error.text)
        }
        for note in origin.remarks { Console.note(note) }
        let query = JourneyQuery(
            from: endpoint,
            to: endpoint,
            time: time,
            modes: modes.vehicles,
            wheelchair: wheelchair
        )
        let area = planner.isochrone(query, within: seconds)
        guard !area.polygons.isEmpty else {
            throw CommandFailure.noAnswer("no street and no stop is reached from \(origin.name)")
        }
        let feature = GeoJSON.Feature(
            geometry: .multiPolygon(area),
            properties: JSONObject([
                JSONObject.Member("from", .text(origin.name)),
                JSONObject.Member(
                    "depart",
                    .text(time.iso8601(in: planner.city.timetable.zone))
                ),
                JSONObject.Member("within_s", .number(Double(seconds))),
            ])
        )
        do {
            let bytes = GeoJSON([feature]).bytes
            try Data(bytes).write(to: URL(fileURLWithPath: geojson), options: .atomic)
        } catch {
            throw CommandFailure(code: .environment, text: "\(geojson): cannot be written")
        }
    }

    /// Parses `30m` or `2h` as seconds.
    private func seconds() throws -> Int32 {
        guard let seconds = SpanReader.seconds(within, atMostHours: 4), seconds > 0 else {
            throw CommandFailure.badInput(
                "--within \(within): write minutes or hours up to four, as 30m or 2h"
            )
        }
        return seconds
    }
}
