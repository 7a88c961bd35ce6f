package import Chronology
import HTTPServer
package import Journeys

/// The live feeds that the demo city publishes about itself, in the formats of real services.
///
/// All of them follow from the city, the seed and the time.
package struct DemoFeeds: Sendable {
    /// All files of the feeds.
    package let documents: [FeedDocument]

    /// Creates the feeds of a city.
    ///
    /// - Parameters:
    ///   - city: the city, with streets.
    ///   - cityName: its name.
    ///   - zone: its clocks.
    ///   - seed: chooses stations, weather and disruptions.
    package init(of city: City, named cityName: String, zone: ZoneTable, seed: UInt64) {
        let places = FeedPlaces(city)
        let bicycles = BicycleSharing(places, cityName: cityName, zone: zone, seed: seed)
        let cars = CarSharing(places, cityName: cityName, seed: seed)
        documents =
            bicycles.documents + cars.documents + [
                ForecastDocument(place: places.middle, seed: seed).document,
                StrikeDocument(cityName: cityName, zone: zone, seed: seed).document,
                AlertDocument(city.timetable, zone: zone, seed: seed).document,
                TrafficDocument(city, places, seed: seed).document,
            ]
    }

    /// The feeds as an operator writes them under `feeds:`, for a publisher at a port: the kind and
    /// the address by the name.
    package static func settings(port: Int) -> [String: String] {
        [
            "bikes": ("gbfs", "/bikes/gbfs.json"),
            "cars": ("gbfs", "/cars/gbfs.json"),
            "rain": ("open-meteo", "/weather.json"),
            "strikes": ("italian-strikes", "/strikes.rss"),
            "disruptions": ("gtfs-rt-alerts", "/alerts.pb"),
            "speeds": ("traffic", "/traffic.json"),
        ].mapValues { kind, path in "\(kind) http://\(FeedPublisher.host):\(port)\(path)" }
    }

    /// The first free port after that of the demo's server.
    ///
    /// - Throws: ``DemoFailure/taken(listen:)`` if none of the next twenty is free.
    package static func freePort(after port: Int) async throws(DemoFailure) -> Int {
        // A server whose port the system chooses states 0.
        let first = (port == 0 ? 8_080 : port) + 1
        for candidate in first..<(first + 20) {
            let address = ListenAddress(host: FeedPublisher.host, port: candidate)
            if await address.isFree() { return candidate }
        }
        throw .taken(listen: "\(FeedPublisher.host):\(first)")
    }
}
