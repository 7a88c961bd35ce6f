import Foundation

/// Measures Viavai's kernel in process; prints one line of JSON and nothing else.
///
/// - `measure transit CITY QUERIES ROUNDS`: the journeys of each question of a batch file.
/// - `measure streets CITY PAIRS ROUNDS FOLDER`: the ways between the places of each question, by
///   car, bicycle and on foot, and tables; writes `id,seconds,metres` of each into the folder.
@main
enum Measure {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "transit" where arguments.count == 4:
                guard let rounds = Int(arguments[3]), rounds > 0 else { throw Failure.usage }
                try print(
                    TransitMeasurement.run(
                        city: arguments[1],
                        questions: arguments[2],
                        rounds: rounds
                    )
                )
            case "streets" where arguments.count == 5:
                guard let rounds = Int(arguments[3]), rounds > 0 else { throw Failure.usage }
                try print(
                    StreetMeasurement.run(
                        city: arguments[1],
                        pairs: arguments[2],
                        rounds: rounds,
                        folder: arguments[4]
                    )
                )
            default:
                throw Failure.usage
            }
        } catch {
            FileHandle.standardError.write(Data("measure: \(error)\n".utf8))
            exit(2)
        }
    }
}

/// Why nothing could be measured.
enum Failure: Error, CustomStringConvertible {
    /// The arguments are wrong.
    case usage
    /// A file cannot be read.
    case unreadable(String)
    /// A line of a file does not say what it should.
    case line(file: String, number: Int)

    var description: String {
        switch self {
        case .usage: "usage: measure (transit CITY QUERIES | streets CITY PAIRS) ROUNDS [FOLDER]"
        case .unreadable(let path): "\(path): cannot be read"
        case .line(let file, let number): "\(file): line \(number) is wrong"
        }
    }
}
