import Chronology
import Geo
import Journeys
import SeededRandom
import Transit

/// The places and the day of measurements between many places.
struct NamedPlaces {
    /// How many places the measurement is warmed up with; none of them is measured.
    private static let warmUpCount = 5

    /// The city.
    let city: City
    /// The places that are measured.
    let measured: [Endpoint]
    /// The places to warm up with.
    let others: [Endpoint]
    /// The day on the city's clocks.
    let date: CivilDate

    /// Reads a city and its places.
    ///
    /// - Parameters:
    ///   - path: a city file.
    ///   - places: a CSV file `id,place`, with places of the form `lat,lon`.
    ///   - date: a date of the form 2019-05-13.
    /// - Throws: ``Failure`` where a file or the date is not what it should be.
    init(city path: String, places: String, date: String) throws {
        city = try CityOpening.city(path)
        let rows = try CityOpening.rows(places, fields: 2)
        let found = try rows.enumerated().map { number, row in
            guard let place = CityOpening.coordinate(row[1]) else {
                throw Failure.line(file: places, number: number + 2)
            }
            return Endpoint.place(place)
        }
        guard found.count > Self.warmUpCount else { throw Failure.usage }
        others = Array(found.suffix(Self.warmUpCount))
        measured = Array(found.dropLast(Self.warmUpCount))
        let numbers = date.split(separator: "-").compactMap { Int32($0) }
        guard numbers.count == 3,
            let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        else { throw Failure.usage }
        self.date = date
    }

    /// A snapshot of the city that has laid out the day, as a server has.
    func prepared() -> CitySnapshot {
        let snapshot = CitySnapshot(city)
        snapshot.prepare(from: date, days: 2)
        return snapshot
    }

    /// A moment of the day.
    func moment(hour: Int32) -> Instant {
        city.timetable.zone.instant(date, second: hour * 3_600)
    }
}
