import Foundation

/// Measures the taxi dispatcher; prints one line of JSON and nothing else.
///
/// - `dispatch core`: the dispatcher alone.
/// - `dispatch positions [--zones FILE] [--redis SOCKET] [--postgis ADDRESS]`: zone
///   look-ups and reports.
@main
enum DispatchMeasurement {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let command = arguments.isEmpty ? "" : arguments.removeFirst()
        do {
            print(try await answer(command, options(arguments)))
        } catch {
            FileHandle.standardError.write(Data("dispatch: \(error)\n".utf8))
            exit(2)
        }
    }

    private static func answer(
        _ command: String,
        _ options: [String: String]
    ) async throws -> String {
        let seconds = options["seconds"].flatMap { Double($0) } ?? 30
        switch command {
        case "core": return try CoreMeasurement.run()
        case "positions":
            return try PositionMeasurement.run(
                zones: options["zones"],
                redis: options["redis"],
                postgis: options["postgis"]
            )
        case "offers":
            return try await OfferMeasurement.service(
                try options["database"] ?? missing(),
                pace: options["pace"],
                seconds: seconds
            )
        case "queue":
            return try await OfferMeasurement.baseline(
                try options["database"] ?? missing(),
                pace: options["pace"],
                seconds: seconds,
                links: try options["links"].flatMap { Int($0) } ?? missing()
            )
        case "hot": return try await HotZone.run(try options["database"] ?? missing())
        case "timers": return try await TimerMeasurement.run(try options["database"] ?? missing())
        case "prepare":
            try await RestartMeasurement.prepare(
                try options["database"] ?? missing(),
                state: try options["state"].flatMap { .init(rawValue: $0) } ?? missing()
            )
        case "serve":
            return try await RestartMeasurement.serve(try options["database"] ?? missing())
        case "disk": return try DiskMeasurement.run(try options["folder"] ?? missing())
        default: throw Failure.usage
        }
    }

    private static func missing<Value>() throws -> Value { throw Failure.usage }

    private static func options(_ arguments: [String]) throws -> [String: String] {
        var options: [String: String] = [:]
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard name.hasPrefix("--"), let value = rest.popFirst() else { throw Failure.usage }
            options[String(name.dropFirst(2))] = value
        }
        return options
    }
}

/// Why a measurement is not possible.
enum Failure: Error, CustomStringConvertible {
    /// The command-line arguments are invalid.
    case usage
    /// A peer system gave an unexpected answer.
    case peer(String)

    var description: String {
        switch self {
        case .usage: "the arguments are wrong: see Benchmarks/Sources/Dispatch/Dispatch.swift"
        case .peer(let reason): reason
        }
    }
}
