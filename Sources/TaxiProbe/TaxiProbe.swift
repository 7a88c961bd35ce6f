import Chronology
import Dispatching
import Foundation
import Storage
import Taxi

/// A dispatch service for crash tests: it runs a small town, says what was acknowledged, and can
/// be killed at any moment.
///
/// `TaxiProbe DATABASE HOLDER FIRST COUNT TASKS` drives passengers FIRST to FIRST + COUNT - 1, each
/// from the call to the end of the ride, TASKS at a time. Every step has a key of its own, so that
/// a run after a crash says the same again without its being done twice. Each receipt becomes a
/// line `ack KEY SEQUENCE` on standard output, written at once; the last line is `done`.
@main
struct TaxiProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let first = UInt64(arguments[3]),
            let count = UInt64(arguments[4]), let tasks = Int(arguments[5])
        else {
            FileHandle.standardError.write(
                Data("Usage: TaxiProbe DATABASE HOLDER FIRST COUNT TASKS\n".utf8)
            )
            exit(2)
        }
        let database = try await Database.open(arguments[1])
        try await database.migrate(Migration.storage)
        var clock = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &clock)
        let wall = Moment(milliseconds: Int64(clock.tv_sec) * 1_000)
        let service = DispatchService(
            city: "town",
            in: database,
            clock: .system(startingAt: wall),
            settings: DispatchService.Settings(holder: arguments[2])
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask {
                while await !service.serves { try await Task.sleep(for: .milliseconds(2)) }
                say("serving")
                let town = Town(service: service)
                try await town.open(taxis: tasks)
                try await town.drive(first..<first + count, tasks: tasks)
                say("done")
                exit(0)
            }
            // Whoever fails first ends the program.
            try await group.next()
            group.cancelAll()
        }
    }
}

/// Writes a line at once, so that a kill right after it cannot take it back.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}

/// The town of the probe.
struct Town {
    let service: DispatchService

    private func give(_ key: String, _ command: Command) async throws -> [Event]? {
        while true {
            do {
                let receipt = try await service.give(
                    command,
                    key: DispatchService.Key(caller: "probe", key: key)
                )
                say("ack \(key) \(receipt.sequence)")
                return receipt.events
            } catch is Refusal {
                return nil
            } catch DispatchService.Failure.outcomeUnknown, DispatchService.Failure.busy {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Sets the town up, unless it was before: one zone, and a taxi for each task.
    func open(taxis: Int) async throws {
        _ = try await give("adopt", .adopt(.milanoA))
        _ = try await give("zones", .drawZones(ZoneDrawing(names: ["town"], hash: 1)))
        for index in 0..<taxis {
            _ = try await give("register-\(index)", .register(TaxiForm(code: "T\(index)")))
        }
        _ = try await give("complete", .completeSetup)
        for index in 0..<taxis {
            let taxi = TaxiNumber(rawValue: UInt32(index))
            let town = Place.zone(ZoneNumber(rawValue: 0))
            _ = try await give("heard-\(index)", .regainContact(taxi, town))
            _ = try await give("duty-\(index)", .goOnDuty(taxi))
        }
    }

    /// Drives passengers, so many at a time.
    func drive(_ passengers: Range<UInt64>, tasks: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = passengers.makeIterator()
            for _ in 0..<tasks {
                if let next = rest.next() { group.addTask { try await drive(next) } }
            }
            while try await group.next() != nil {
                if let next = rest.next() { group.addTask { try await drive(next) } }
            }
        }
    }

    /// One ride, or as much of it as an earlier run left undone.
    private func drive(_ passenger: UInt64) async throws {
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: passenger),
            zone: ZoneNumber(rawValue: 0),
            hasDestination: true
        )
        guard let events = try await give("call-\(passenger)", .request(form)) else { return }
        guard case .requested(let request, _)? = events.first else { return }
        while true {
            let state = try await service.read { dispatcher in
                let request = dispatcher.request(request)
                return (request?.offer, request?.ride)
            }
            if state.1 != nil { break }
            guard let offer = state.0 else {
                let isOver = try await service.read { $0.request(request) == nil }
                if isOver { return }
                try await Task.sleep(for: .milliseconds(2))
                continue
            }
            let command = Command.accept(request, offer.taxi, epoch: offer.epoch)
            _ = try await give("accept-\(passenger)-\(offer.epoch)", command)
        }
        guard let taxi = try await service.read({ $0.request(request)?.ride?.taxi }) else { return }
        _ = try await give("reach-\(passenger)", .reachMeetingPoint(taxi))
        _ = try await give("board-\(passenger)", .board(taxi, aboard: 1, code: .right))
        _ = try await give("arrive-\(passenger)", .reachDestination(taxi))
        _ = try await give("end-\(passenger)", .endRide(taxi, reason: nil))
    }
}
