import Chronology
import Dispatching
import Foundation
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import Taxi

#if canImport(Glibc)
import Glibc
#endif

/// Timers in wall-clock time that are due while no server runs (issue 3, "timers"; G1, M5).
@Suite("Timers over a crash")
struct RealTimeTests {
    private static func entries(_ address: String) async throws -> [Entry] {
        let database = try await Database.open(address)
        defer { database.close() }
        let log = EventLog("town", in: database)
        return try await log.records(after: log.genesis()).map { try Entry(bytes: $0.entry) }
    }

    /// The times of the events for which a closure returns a value.
    private static func moments<Value>(
        _ entries: [Entry],
        _ value: (Event) -> Value?
    ) -> [(at: Moment, value: Value)] {
        entries.flatMap { entry in
            entry.events.compactMap { event in value(event).map { (entry.at, $0) } }
        }
    }

    @Test(
        "a reservation and an offer that were due while no server ran are seen to, not too early",
        arguments: TestEngine.allCases
    )
    func dueMeanwhile(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            try await withTemporaryFolder { folder in
                let address = place.address
                let before = try Probe("wait 5", on: address, output: folder + "/before")
                try await before.until { text in
                    text.split(separator: "\n").contains {
                        $0.hasPrefix("ack ") && $0.contains(" reserve-2 ")
                    }
                }
                kill(before.child.pid, SIGKILL)
                _ = try await before.end()
                let known = try await Self.entries(address)
                let first = Self.moments(known) { event -> Moment? in
                    if case .request(.reserved(_, _, due: let due, _)) = event { due } else { nil }
                }
                let due = try #require(first.first?.value)
                let offered = Self.moments(known) { event -> Moment? in
                    if case .offer(.offered(_, _, deadline: let deadline, _)) = event {
                        deadline
                    } else {
                        nil
                    }
                }
                let deadline = try #require(offered.first?.value)
                // The later of the two passes while no server is running.
                let latest = max(due, deadline).milliseconds
                try await eventually(within: Probe.limit) {
                    Int64(time(nil)) * 1_000 > latest
                }
                let after = try Probe("idle", on: address, output: folder + "/after")
                defer { kill(after.child.pid, SIGKILL) }
                try await eventually(within: 30, after.text) {
                    let found = try await Self.entries(address)
                    let ignored = found.flatMap(\.events).filter {
                        if case .offer(.offerClosed(_, .ignored)) = $0 { true } else { false }
                    }
                    return !ignored.isEmpty
                }
                try Self.check(try await Self.entries(address), from: known.count, due: due)
            }
        }
    }

    @Test("on a slow disk timers are late, and never early (F2, M5)")
    func slowDisk() async throws {
        try await withDatabase(on: .sqlite) { place in
            try await withTemporaryFolder { folder in
                let shim = try await CrashShim(in: folder)
                let armed = folder + "/armed"
                let delay = Effort.current == .everything ? 2_000 : 300
                let probe = try Probe(
                    "wait 3",
                    on: place.address,
                    environment: shim.environment(
                        on: .sqlite,
                        [
                            "CRASH_CALLS": "fsync,fdatasync", "CRASH_ARMED": armed,
                            "CRASH_AT": "1", "CRASH_HOW": "delay", "CRASH_DELAY": "\(delay)",
                        ]
                    ),
                    output: folder + "/output"
                )
                defer { kill(probe.child.pid, SIGKILL) }
                try await probe.until { $0.contains(" duty-1 ") }
                try Data().write(to: URL(fileURLWithPath: armed))
                try await eventually(within: 60, probe.text) {
                    let events = try await Self.entries(place.address).flatMap(\.events)
                    let isTried = events.contains {
                        if case .request(.reservationTried) = $0 { true } else { false }
                    }
                    let isClosed = events.contains {
                        if case .offer(.offerClosed(_, .ignored)) = $0 { true } else { false }
                    }
                    return isTried && isClosed
                }
                kill(probe.child.pid, SIGTERM)
                #expect(try await probe.end() == 0, "\(probe.text)")
                Self.checkNothingIsEarly(try await Self.entries(place.address))
                var history = History()
                history.add(probe.text)
                try await Aftermath.check(
                    place.address,
                    history,
                    isDelivered: false,
                    "\(delay) ms for a sync"
                )
            }
        }
    }

    private static func checkNothingIsEarly(_ entries: [Entry]) {
        var due: [RequestNumber: Moment] = [:]
        for entry in entries {
            for event in entry.events {
                switch event {
                case .offer(.offered(let number, _, let deadline, _)),
                    .offer(.offerRenewed(let number, let deadline)):
                    due[number] = deadline
                case .request(.reserved(let number, _, _, let firstTry)): due[number] = firstTry
                case .request(.reservationPostponed(let number, _, let nextTry)):
                    due[number] = nextTry
                case .offer(.offerClosed(let number, .ignored)),
                    .request(.reservationTried(let number)):
                    #expect(entry.at >= due[number] ?? entry.at, "\(event)")
                default: continue
                }
            }
        }
    }

    /// Checks that after the restart the reservation was tried at once and the offer was renewed.
    private static func check(_ all: [Entry], from start: Int, due: Moment) throws {
        checkNothingIsEarly(all)
        let later = Array(all[start...])
        #expect(later.first?.input == .restart)
        let tried = moments(all) { event -> RequestNumber? in
            if case .request(.reservationTried(let number)) = event { number } else { nil }
        }
        #expect(tried.map(\.value) == [RequestNumber(rawValue: 2)], "once, and not before")
        #expect(tried.allSatisfy { $0.at >= due })
        let renewed = moments(later) { event -> Moment? in
            if case .offer(.offerRenewed(_, deadline: let deadline)) = event {
                deadline
            } else {
                nil
            }
        }
        let again = try #require(renewed.first?.value)
        let closed = moments(later) { event -> RequestNumber? in
            if case .offer(.offerClosed(let number, .ignored)) = event { number } else { nil }
        }
        #expect(closed.first?.value == RequestNumber(rawValue: 1))
        #expect(closed.allSatisfy { $0.at >= again })
    }
}
