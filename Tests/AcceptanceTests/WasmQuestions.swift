import Columns
import Geo
import Journeys
import SeededRandom
import Streets
import TestSupport
import Transit

/// Seeded queries about a city in the format of `viavai plan --batch`.
struct WasmQuestions {
    private let city: City
    private let day: String
    private var random: SeededRandom
    /// The stops that are served by trips.
    private let stops: [StopIndex]

    init(_ city: City, day: String, seed: UInt64) {
        self.city = city
        self.day = day
        random = SeededRandom(seed: seed)
        let platforms = city.timetable.platforms
        stops = platforms.indices.map { platforms.stop[$0] }
    }

    /// Returns queries of all kinds in turn: between stops, places and both; by departure or
    /// arrival at a time of the day; with and without a limit on transfers.
    func text(count: Int) -> String {
        var random = random
        var text = "id,from,to,time,arrive_by,max_transfers\n"
        for number in 0..<count {
            let kind = number / 2 % 4
            let from = kind & 1 == 0 ? stop(&random) : place(&random)
            let to = kind & 2 == 0 ? stop(&random) : place(&random)
            let minute = Int.random(in: 0..<1_440, using: &random)
            let clock = "\(Self.two(minute / 60)):\(Self.two(minute % 60))"
            let most = number % 5 == 0 ? "\(Int.random(in: 0...3, using: &random))" : ""
            let isArriveBy = number % 2 == 1
            text += "\(number),\(from),\(to),\(day)T\(clock),\(isArriveBy),\(most)\n"
        }
        return text
    }

    private func stop(_ random: inout SeededRandom) -> String {
        let stop = stops.randomElement(using: &random) ?? .zero
        let timetable = city.timetable
        let feed = timetable.texts[Int(timetable.feeds.name[timetable.stops.feed[stop]])]
        return "\"stop:\(feed)/\(timetable.texts[Int(timetable.stops.id[stop])])\""
    }

    /// Returns a place near a junction, or sometimes one from which nothing is reachable.
    private func place(_ random: inout SeededRandom) -> String {
        if Int.random(in: 0..<20, using: &random) == 0 { return "\"-12.5,0.0000001\"" }
        let vertex = UInt32.random(in: 0..<UInt32(city.streets.vertexCount), using: &random)
        let place = city.streets.place(of: VertexIndex(rawValue: vertex))
        let latitude = place.latitude &+ Int32.random(in: -5_000...5_000, using: &random)
        let longitude = place.longitude &+ Int32.random(in: -5_000...5_000, using: &random)
        return "\"\(Self.degrees(latitude)),\(Self.degrees(longitude))\""
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// Formats a number in units of 1e-7 degrees.
    static func degrees(_ value: Int32) -> String {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        return (value < 0 ? "-" : "") + padded.dropLast(7) + "." + padded.suffix(7)
    }
}
