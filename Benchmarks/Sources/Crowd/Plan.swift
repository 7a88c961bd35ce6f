import Foundation

/// The settings of one process of the crowd.
struct Plan: Sendable {
    /// The port of the server on this machine.
    var port = 8443
    /// The file of sessions that `fill` wrote.
    var sessions = "sessions"
    /// Which part of the people this process simulates, from 0, and the number of parts.
    var part = 0
    var parts = 2
    /// The duration of the measurement, in seconds.
    var seconds = 900.0
    /// The average number of requests per second.
    var rate = 50.0
    /// How long a driver thinks, on average and below 58, and how long a ride takes, in seconds.
    var answerSeconds = 10.0
    var rideSeconds = 30.0
    /// The number of seconds over which the drivers start.
    var comingSeconds = 60.0
    /// Whether the server is killed after the measurement, and comes back.
    var hasOutage = false
    var seed: UInt64 = 1

    /// Parses arguments of the form `NAME=VALUE`.
    ///
    /// - Parameter arguments: the arguments of the command line.
    /// - Throws: ``Fault``.
    init(_ arguments: some Sequence<String>) throws(Fault) {
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw .unknown(argument) }
            let value = parts[1]
            switch parts[0] {
            case "port": port = Int(value) ?? port
            case "sessions": sessions = value
            case "part": part = Int(value) ?? part
            case "parts": self.parts = Int(value) ?? self.parts
            case "seconds": seconds = Double(value) ?? seconds
            case "rate": rate = Double(value) ?? rate
            case "answer": answerSeconds = Double(value) ?? answerSeconds
            case "ride": rideSeconds = Double(value) ?? rideSeconds
            case "coming": comingSeconds = Double(value) ?? comingSeconds
            case "outage": hasOutage = value == "yes"
            case "seed": seed = UInt64(value) ?? seed
            default: throw .unknown(argument)
            }
        }
    }

    /// Why the arguments are invalid.
    enum Fault: Error {
        /// An argument is not a known NAME=VALUE.
        case unknown(String)
    }
}

/// A person with a session and a position in degrees.
struct Person: Sendable {
    var session: String
    var north: Double
    var east: Double
}

extension Person {
    /// The people of a plan's part, from a line `driver|passenger ZONE SESSION NORTH EAST` each.
    ///
    /// - Parameter plan: names the file.
    /// - Returns: both kinds.
    /// - Throws: errors of reading the file.
    static func all(_ plan: Plan) throws -> (drivers: [Person], passengers: [Person]) {
        var drivers: [Person] = []
        var passengers: [Person] = []
        let text = try String(contentsOfFile: plan.sessions, encoding: .utf8)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 5, let zone = Int(words[1]), zone % plan.parts == plan.part,
                let north = Double(words[3]), let east = Double(words[4])
            else { continue }
            let person = Person(session: words[2], north: north, east: east)
            if words[0] == "driver" { drivers.append(person) } else { passengers.append(person) }
        }
        return (drivers, passengers)
    }
}
