import Chronology
import Foundation
import Identity
import Notify
import Taxi
import TestClock
import WebApp
import WebCore

/// Serves the web application with a clock that standard input advances.
///
/// With `push=loopback`, push notifications go to a push service on this machine and to no other.
@main
struct ClockedServer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            FileHandle.standardError.write(
                Data("Usage: ClockedServer DATABASE FOLDER [NAME=VALUE...] [push=loopback]\n".utf8)
            )
            exit(2)
        }
        var options = [
            "listen": "127.0.0.1:0", "database": arguments[1],
            "keys.database": "sqlite:\(arguments[2])/keys.sqlite",
            "keys.secret": "\(arguments[2])/secret",
            "backups.folder": "\(arguments[2])/backups",
            "backups.keys_folder": "\(arguments[2])/backups-keys",
        ]
        for argument in arguments.dropFirst(3) {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            options[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        let isPushedHere = options.removeValue(forKey: "push") == "loopback"
        let clock = SettableClock()
        let settings = try Settings(file: nil, environment: [:], options: options)
        var installation = try await Installation(
            settings,
            clock: clock.clock,
            workers: PasswordWorkers()
        )
        if isPushedHere { installation.pushesToLoopback = true }
        let site = Site(installation)
        let logger = site.logLevels.logger("services", clock: clock.clock.now)
        let office = try PostOffice(installation, home: settings.home(), logger: logger)
        let rank = TaxiServiceRunner(installation, logger: logger)
        let server = SiteServer(site, services: [office, rank]) { say("port \($0)") }
        let serving = Task { try await server.run() }
        for await line in lines() {
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == "advance", let seconds = Int64(words[1]) else {
                continue
            }
            clock.advance(seconds: seconds)
            say("now \(clock.now.milliseconds)")
        }
        serving.cancel()
        _ = await serving.result
    }

    /// The lines of standard input, read on a separate thread: blocking the main thread would keep
    /// the server from starting.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
