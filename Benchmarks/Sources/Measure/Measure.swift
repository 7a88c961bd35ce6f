import Foundation

/// Measures Viavai's kernel in process; prints one line of JSON and nothing else.
///
/// - `measure journeys CITY QUESTIONS ROUNDS`: the journeys of each question of a batch file.
/// - `measure streets CITY PAIRS ROUNDS FOLDER`: the ways between the places of each question, by
///   car, bicycle and on foot, and tables; writes `id,seconds,metres` of each into the folder.
/// - `measure opening CITY ROUNDS`: how long the file takes to open.
/// - `measure profiles CITY PLACES DATE ROUNDS`: all journeys of a day between some places.
/// - `measure times CITY PLACES DATE THREADS ROUNDS`: the travel times between many places.
/// - `measure isochrones CITY PLACES DATE ROUNDS`: the areas that one reaches within half an hour.
/// - `measure walking CITY QUESTIONS METRES ROUNDS`: the journeys of each question with a limit on
///   walking and without.
/// - `measure emissions CITY QUESTIONS GRAMS ROUNDS`: the journeys of each question without
///   emissions, with a limit on them, and where they are compared.
/// - `measure days CITY PLACES DATE TASKS FIXED MEANS COUNT`: random days around the first place,
///   planned and planned again; MEANS is 1 for walking and public transport, 2 for all.
/// - `measure day CITY PLACES DATE TASKS FIXED MEANS SEED`: no measurement but one of these days
///   with its travel times, for other solvers.
/// - `measure questions CITY COUNT DATE`: no measurement but a batch file of questions between
///   junctions of the city.
/// - `measure places CITY COUNT`: no measurement but a file of junctions for those of PLACES.
@main
enum Measure {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            print(try answer(arguments.first, Array(arguments.dropFirst())))
        } catch {
            FileHandle.standardError.write(Data("measure: \(error)\n".utf8))
            exit(2)
        }
    }

    private static func answer(_ command: String?, _ values: [String]) throws -> String {
        switch (command, values.count) {
        case ("journeys", 3):
            return try JourneyMeasurement.run(
                city: values[0],
                questions: values[1],
                rounds: try count(values[2])
            )
        case ("streets", 4):
            return try StreetMeasurement.run(
                city: values[0],
                pairs: values[1],
                rounds: try count(values[2]),
                folder: values[3]
            )
        case ("opening", 2):
            let times = try CityOpening.times(values[0], rounds: try count(values[1]))
            return "{\"open_us\":\(Stopwatch.json(times))}"
        case ("questions", 3):
            return JunctionPairs.questions(
                in: try CityOpening.city(values[0]),
                count: try count(values[1]),
                date: values[2]
            )
        case ("places", 2):
            return JunctionPairs.places(
                in: try CityOpening.city(values[0]),
                count: try count(values[1])
            )
        case ("walking", 4):
            return try WalkingMeasurement.run(
                city: values[0],
                questions: values[1],
                rounds: try count(values[3]),
                metres: UInt32(clamping: try count(values[2]))
            )
        case ("emissions", 4):
            return try EmissionMeasurement.run(
                city: values[0],
                questions: values[1],
                rounds: try count(values[3]),
                grams: Int64(try count(values[2]))
            )
        default: return try betweenPlaces(command, values)
        }
    }

    /// The measurements between some places on a day.
    private static func betweenPlaces(_ command: String?, _ values: [String]) throws -> String {
        guard values.count >= 4 else { throw Failure.usage }
        let places = try NamedPlaces(city: values[0], places: values[1], date: values[2])
        let numbers = try values.dropFirst(3).map(count)
        switch (command, numbers.count) {
        case ("profiles", 1): return ProfileMeasurement.run(places, rounds: numbers[0])
        case ("isochrones", 1): return IsochroneMeasurement.run(places, rounds: numbers[0])
        case ("times", 2):
            return TravelTimeMeasurement.run(places, threads: numbers[0], rounds: numbers[1])
        case ("days", 4), ("day", 4):
            let days = DayMeasurement(
                places,
                tasks: numbers[0],
                fixed: min(numbers[0], numbers[1]),
                hasVehicles: numbers[2] > 1
            )
            return command == "days"
                ? try days.times(numbers[3]) : try days.problem(UInt64(numbers[3]))
        default: throw Failure.usage
        }
    }

    private static func count(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw Failure.usage }
        return number
    }
}

/// Why a measurement is not possible.
enum Failure: Error, CustomStringConvertible {
    /// The command-line arguments are invalid.
    case usage
    /// A file cannot be read.
    case unreadable(String)
    /// A line of a file is invalid.
    case line(file: String, number: Int)

    var description: String {
        switch self {
        case .usage:
            "usage: measure (journeys CITY QUESTIONS ROUNDS | streets CITY PAIRS ROUNDS FOLDER"
                + " | opening CITY ROUNDS | profiles CITY PLACES DATE ROUNDS"
                + " | times CITY PLACES DATE THREADS ROUNDS | isochrones CITY PLACES DATE ROUNDS"
                + " | walking CITY QUESTIONS METRES ROUNDS"
                + " | emissions CITY QUESTIONS GRAMS ROUNDS | questions CITY COUNT DATE"
                + " | places CITY COUNT | days CITY PLACES DATE TASKS FIXED MEANS COUNT"
                + " | day CITY PLACES DATE TASKS FIXED MEANS SEED)"
        case .unreadable(let path): "\(path): cannot be read"
        case .line(let file, let number): "\(file): line \(number) is wrong"
        }
    }
}
