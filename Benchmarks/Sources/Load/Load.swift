import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Puts a server under load and prints one line of JSON: `load NAME=VALUE...`.
@main
struct Load {
    static func main() async throws {
        var plan = OpenLoop.Plan()
        var name = "load"
        for argument in CommandLine.arguments.dropFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { fail(argument) }
            let value = parts[1]
            switch parts[0] {
            case "name": name = value
            case "port": plan.port = Int(value) ?? plan.port
            case "tls": plan.hasTLS = value == "yes"
            case "connections": plan.connections = Int(value) ?? plan.connections
            case "rate": plan.rate = Double(value) ?? plan.rate
            case "seconds": plan.seconds = Double(value) ?? plan.seconds
            case "path": plan.path = value
            case "method": plan.method = .RAW(value: value)
            case "body": plan.body = value
            case "source": plan.firstSource = Int(value) ?? plan.firstSource
            case "sources": plan.sources = Int(value) ?? plan.sources
            case "questions":
                guard let questions = PlanQuestion.all(value) else { fail(argument) }
                plan.questions = questions
            case "paths": plan.paths = lines(of: value, argument)
            case "tokens": plan.tokens = lines(of: value, argument)
            case "seed": plan.seed = UInt64(value) ?? plan.seed
            case "header":
                let pair = value.split(separator: ":", maxSplits: 1).map(String.init)
                guard pair.count == 2 else { fail(argument) }
                plan.headers.append((pair[0], String(pair[1].drop { $0 == " " })))
            default: fail(argument)
            }
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let begun = ContinuousClock.now
        let planned = plan
        let latencies = try await loop.flatSubmit { OpenLoop(planned, on: loop).run() }.get()
        let (seconds, attoseconds) = begun.duration(to: .now).components
        let wall = Double(seconds) + Double(attoseconds) / 1e18
        let used = Double(clock()) / Double(CLOCKS_PER_SEC)
        print(latencies.json(name, seconds: planned.seconds, share: used / wall))
        try await group.shutdownGracefully()
    }

    /// The lines of a file, of which there must be some.
    private static func lines(of path: String, _ argument: String) -> [String] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").map(String.init)
        guard !lines.isEmpty else { fail(argument) }
        return lines
    }

    private static func fail(_ argument: String) -> Never {
        let line = "load: \(argument) is no NAME=VALUE that it knows\n"
        FileHandle.standardError.write(Data(line.utf8))
        exit(2)
    }
}
