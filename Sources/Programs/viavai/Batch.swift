import Chronology
import CityData
import Encoding
import Foundation
import Journeys
import LiveFeeds
import Transit
import TripPlanning

/// Many queries from a CSV file, and their answers as CSV.
struct Batch {
    private var planner: Planner
    private let modes: TripModes
    private let maxWalkMetres: UInt32?
    private let wheelchair: Bool
    private let rules: [ModeHours]
    private let avoidsRain: Bool
    private let world: LiveWorld
    private let costing: TripCosting
    private let party: Int
    private let passes: [String]
    private let reliability: TripReliability?
    private var questions: [Question] = []

    private struct Question {
        let id: String
        let asked: TripQuestion
        let query: JourneyQuery
    }

    /// The columns that the file must have.
    private static let columns = ["id", "from", "to", "time", "arrive_by", "max_transfers"]
    /// The columns of the answers.
    private static let header =
        "id,transfers,departure,arrival,walk_m,modes,duration_s,distance_m,"
        + "price_minor,currency,price_kind,co2_g,wet_min,on_time"
    /// What follows the identifier of a query without an answer.
    private static let blank = String(repeating: ",", count: 13)
    /// How many invalid lines are reported before giving up.
    private static let errorLimit = 10

    /// Reads all queries of the file.
    ///
    /// A file with an invalid line is refused as a whole, and every error is reported.
    init(
        path: String,
        planner: Planner,
        modes: TripModes,
        maxWalkMetres: UInt32?,
        wheelchair: Bool,
        rules: [ModeHours],
        avoidsRain: Bool,
        world: LiveWorld,
        costing: TripCosting,
        party: Int,
        passes: [String],
        reliability: TripReliability?
    ) throws {
        self.planner = planner
        self.modes = modes
        self.maxWalkMetres = maxWalkMetres
        self.wheelchair = wheelchair
        self.rules = rules
        self.avoidsRain = avoidsRain
        self.world = world
        self.costing = costing
        self.party = party
        self.passes = passes
        self.reliability = reliability
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.badInput("\(path): cannot be read; is the path right?")
        }
        var rows = CSVScanner([UInt8](data))
        guard rows.next() else {
            throw CommandFailure.badInput("\(path): is empty; the first line names the columns")
        }
        let header = (0..<rows.fieldCount).map { rows.text($0) }
        let positions = Self.columns.map { header.firstIndex(of: $0) }
        for (name, position) in zip(Self.columns, positions) where position == nil {
            throw CommandFailure.badInput("\(path): line 1: the column \(name) is missing")
        }
        let places = PlaceReader(city: planner.city)
        var errors: [String] = []
        while rows.next(), errors.count < Self.errorLimit {
            let values = positions.map { rows.text($0) }
            do throws(PlaceReader.Failure) {
                if let quote = rows.openQuote {
                    let field = quote.field < header.count ? header[quote.field] : "a field"
                    throw .init(text: "\(field): a quote is opened and nothing closes it")
                }
                let (question, notes) = try question(values, places)
                questions.append(question)
                for note in notes { Console.note("\(path): line \(rows.line): \(note)") }
            } catch {
                errors.append("\(path): line \(rows.line): \(error.text)")
            }
        }
        guard errors.isEmpty else {
            throw CommandFailure.badInput(errors.joined(separator: "\nviavai: "))
        }
    }

    private func question(
        _ values: [String],
        _ places: PlaceReader
    ) throws(PlaceReader.Failure) -> (Question, notes: [String]) {
        guard let time = places.time(values[3]) else {
            throw .init(text: "time: \"\(values[3])\" is not written as 2014-10-20T08:30")
        }
        guard values[4] == "true" || values[4] == "false" else {
            throw .init(text: "arrive_by: \"\(values[4])\" is neither true nor false")
        }
        var maxTransfers = JourneyQuery.defaultMaxTransfers
        if !values[5].isEmpty {
            guard let number = Int(values[5]), (0..<Raptor.tripLimit).contains(number) else {
                throw .init(
                    text: "max_transfers: \"\(values[5])\" is no number from 0 to "
                        + "\(Raptor.tripLimit - 1)"
                )
            }
            maxTransfers = number
        }
        let (origin, from) = try places.placeWithEndpoint(values[1], "from")
        let (destination, to) = try places.placeWithEndpoint(values[2], "to")
        var question = TripQuestion(
            from: origin,
            to: destination,
            time: time,
            isArriveBy: values[4] == "true",
            modes: modes,
            maxTransfers: maxTransfers,
            maxWalkMetres: maxWalkMetres,
            wheelchair: wheelchair
        )
        question.avoided = rules
        question.avoidsRain = avoidsRain
        let query = question.query(from: from, to: to, modes.vehicles)
        let one = Question(id: values[0], asked: question, query: query)
        return (one, origin.remarks + destination.remarks)
    }

    /// Answers all queries on standard output.
    ///
    /// - Returns: how long each took.
    mutating func run() -> [Duration] {
        var output = Self.header + "\n"
        var times: [Duration] = []
        times.reserveCapacity(questions.count)
        let now = SystemClock.now
        for question in questions {
            let start = ContinuousClock.now
            let conditions = LiveOptions.conditions(world, for: question.asked, now: now)
            let answers = planner.journeys(question.query, for: question.asked, conditions)
            times.append(ContinuousClock.now - start)
            let id = CSVText.field(question.id)
            if answers.isEmpty { output += "\(id)\(Self.blank)\n" }
            let deadline = question.query.isArriveBy ? question.query.time : nil
            for answer in answers {
                output += "\(id),\(line(answer, conditions, by: deadline))\n"
            }
            if output.utf8.count > 1 << 16 {
                Console.answer(output)
                output = ""
            }
        }
        Console.answer(output)
        return times
    }

    private func line(
        _ itinerary: Itinerary,
        _ conditions: TripConditions,
        by deadline: Instant?
    ) -> String {
        let zone = planner.city.timetable.zone
        let (price, emissions) = costing.price(itinerary, party: party, passes: passes)
        var columns = [
            String(itinerary.transfers),
            itinerary.departure.iso8601(in: zone), itinerary.arrival.iso8601(in: zone),
            String(itinerary.walkMetres), itinerary.modes.joined(separator: "+"),
            String(itinerary.arrival.seconds - itinerary.departure.seconds),
            String(itinerary.metres),
        ]
        // What is unknown is empty, never 0.
        columns.append(price.minorUnits.map { String($0) } ?? "")
        columns.append(price.currencyCode ?? "")
        columns.append(price.name)
        columns.append(emissions.map { String($0.grams) } ?? "")
        // Without any forecast nothing is said, not even of journeys without a step outdoors.
        let wet = world.forecasts.isEmpty ? nil : conditions.wetMinutes(of: itinerary)
        columns.append(wet.map { String($0) } ?? "")
        let onTime = reliability?.onTime(itinerary, by: deadline)
        columns.append(onTime.map { String(format: "%.3f", locale: nil, $0) } ?? "")
        return columns.joined(separator: ",")
    }
}

extension Itinerary {
    /// The names of the journey's modes in order of first use.
    var modes: [String] {
        legs.reduce(into: []) { names, leg in
            let name = leg.modeName
            if !names.contains(name) { names.append(name) }
        }
    }
}

extension Leg {
    /// The name of the route's mode in output files.
    var modeName: String {
        switch means {
        case .walk: "walk"
        case .bicycle: "bike"
        case .car: "car"
        case .taxi: "taxi"
        case .rental: "rental"
        case .ride(let ride): "\(ride.mode)"
        }
    }
}
