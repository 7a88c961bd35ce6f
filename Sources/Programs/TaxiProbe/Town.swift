import Chronology
import Dispatching
import Foundation
import Storage
import Taxi

/// The town of the probe: one zone, some taxis, and passengers who never cancel.
struct Town: Sendable {
    let service: DispatchService
    /// How many times a command that could not be made durable is repeated.
    let patience: Int

    /// Carries out the plan.
    func follow(_ plan: Plan) async throws {
        switch plan {
        case .drive(let passengers, let tasks, _):
            try await open(taxis: tasks, .milanoA)
            try await drive(passengers, tasks: tasks)
        case .wait(let seconds):
            try await open(taxis: 2, Self.hasty())
            _ = try await give("call-1", .request(form(1)))
            let due = try await service.read { $0.now.adding(seconds: seconds) }
            _ = try await give("reserve-2", .reserve(form(2), due: due))
            fallthrough
        case .idle:
            while true { try await Task.sleep(for: .seconds(60)) }
        }
    }

    /// A policy with the shortest time limits that are allowed.
    private static func hasty() throws -> Policy {
        try Policy.viavai.with(.offerTimeout, "5").with(.reserveMin, "0")
            .with(.allocateBefore, "0")
    }

    /// Submits a command under its key until it is applied or refused.
    ///
    /// - Returns: the receipt; nil if it was refused.
    private func give(
        _ key: String,
        _ command: Command,
        taxi: TaxiNumber? = nil
    ) async throws -> [Event]? {
        say("give \(Self.time) \(key)" + (taxi.map { " \($0.rawValue)" } ?? ""))
        for attempt in 0... {
            do {
                let receipt = try await service.give(
                    command,
                    key: DispatchService.Key(caller: "probe", key: key)
                )
                say("ack \(Self.time) \(key) \(receipt.sequence)")
                return receipt.events
            } catch is Refusal {
                return nil
            } catch DispatchService.Failure.notServing {
                throw DispatchService.Failure.notServing
            } catch {
                say("failed \(key) \(error)")
                guard attempt < patience else { throw error }
                try await Task.sleep(for: Plan.pause)
            }
        }
        return nil
    }

    /// The machine's monotonic clock, in nanoseconds.
    private static var time: Int64 {
        var clock = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &clock)
        return Int64(clock.tv_sec) * 1_000_000_000 + Int64(clock.tv_nsec)
    }

    private func form(_ passenger: UInt64) -> RequestForm {
        RequestForm(
            passenger: PassengerNumber(rawValue: passenger),
            zone: ZoneNumber(rawValue: 0),
            hasDestination: true
        )
    }

    /// Sets up the town, unless an earlier run has done so.
    private func open(taxis: Int, _ policy: Policy) async throws {
        _ = try await give("adopt", .adopt(policy))
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

    /// Serves passengers, `tasks` at a time.
    private func drive(_ passengers: Range<UInt64>, tasks: Int) async throws {
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

    /// Completes one ride, or the part of it that an earlier run left undone.
    private func drive(_ passenger: UInt64) async throws {
        let call = Command.request(form(passenger))
        guard let events = try await give("call-\(passenger)", call) else { return }
        guard case .request(.requested(let request, _))? = events.first else { return }
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
            _ = try await give("accept-\(passenger)-\(offer.epoch)", command, taxi: offer.taxi)
        }
        guard let taxi = try await service.read({ $0.request(request)?.ride?.taxi }) else { return }
        _ = try await give("reach-\(passenger)", .reachMeetingPoint(taxi))
        _ = try await give("board-\(passenger)", .board(taxi, aboard: 1, code: .right))
        _ = try await give("arrive-\(passenger)", .reachDestination(taxi))
        _ = try await give("end-\(passenger)", .endRide(taxi, reason: nil), taxi: taxi)
    }
}
