import Foundation

/// Measures Viavai's kernel in process; prints one line of JSON and nothing else.
///
/// - `measure journeys CITY QUESTIONS ROUNDS`: the journeys of each question of a batch file.
/// - `measure walking CITY QUESTIONS ROUNDS`: the same with and without walking as a criterion.
/// - `measure streets CITY PAIRS ROUNDS FOLDER`: the ways between the places of each question, by
///   car, bicycle and on foot, and tables; writes `id,seconds,metres` of each into the folder.
/// - `measure opening CITY ROUNDS`: how long the file takes to open.
/// - `measure questions CITY COUNT DATE`: no measurement but a batch file of questions between
///   junctions of the city.
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
        case ("walking", 3):
            return try WalkingMeasurement.run(
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
        default:
            throw Failure.usage
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
            "usage: measure (journeys CITY QUESTIONS ROUNDS | walking CITY QUESTIONS ROUNDS"
                + " | streets CITY PAIRS ROUNDS FOLDER | opening CITY ROUNDS | questions CITY COUNT DATE)"
        case .unreadable(let path): "\(path): cannot be read"
        case .line(let file, let number): "\(file): line \(number) is wrong"
        }
    }
}
