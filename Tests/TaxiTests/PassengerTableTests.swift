import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// R105, R111, R130, I27: the contents of the passengers' tables and who may read them.
@Suite("Tables of passengers")
struct PassengerTableTests {
    private static let pia = PassengerNumber(rawValue: 7)

    private static func open(
        _ engine: TestEngine,
        taxis: Int = 1,
        _ body: @escaping @Sendable (TaxiTown) async throws -> Void
    ) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: taxis, body)
        }
    }

    /// Creates a completed ride as the history stores it.
    private static func ride(
        _ number: Int64,
        due: Moment,
        reached: Int64,
        boarded: Int64
    ) -> SQL {
        """
        INSERT INTO ride (log, request, passenger, asked, due, taxi, reached, boarded, ended,
            outcome, sequence, hash)
        VALUES ('town', \(number), 7, 0, \(due.milliseconds), 0,
            \(due.adding(seconds: reached).milliseconds),
            \(due.adding(seconds: boarded).milliseconds),
            \(due.adding(seconds: 900).milliseconds), \(Int64(RequestOutcome.completed.rawValue)),
            1, \([UInt8](repeating: 0, count: 32)))
        """
    }

    @Test(
        "who boards at the hour of a reservation let nobody wait, though the taxi came early",
        arguments: TestEngine.allCases
    )
    func earlyTaxi(engine: TestEngine) async throws {
        try await Self.open(engine) { town in
            let due = town.test.now.adding(seconds: -3_600)
            try await town.database.write { transaction in
                try transaction.execute([
                    Self.ride(901, due: due, reached: -540, boarded: 60),
                    Self.ride(902, due: due, reached: -540, boarded: 301),
                    Self.ride(903, due: due, reached: 120, boarded: 421),
                    Self.ride(904, due: due, reached: 120, boarded: 400),
                ])
            }
            let found = try await town.service.reliability(of: Self.pia)
            #expect(found.incidents.map(\.request.rawValue) == [902, 903])
        }
    }

    @Test(
        "an export has all that a passenger said, however much it is; a list has the latest (R105)",
        arguments: TestEngine.allCases
    )
    func whole(engine: TestEngine) async throws {
        try await Self.open(engine) { town in
            let count = TaxiService.listLimit + 1
            try await town.database.write { transaction in
                for number in 1...Int64(count) {
                    try transaction.execute([
                        """
                        INSERT INTO ride_feedback
                            (log, request, passenger, stars, words, is_report, made)
                        VALUES ('town', \(number), 7, 5, 'Good.', 0, \(number))
                        """,
                        """
                        INSERT INTO passenger_appeal
                            (log, number, passenger, words, made, decided, granted)
                        VALUES ('town', \(number), 7, 'I was there.', \(number), \(number), 0)
                        """,
                    ])
                }
            }
            let service = town.service
            #expect(try await service.feedback(of: Self.pia).count == count)
            #expect(try await service.latestFeedback().count == TaxiService.listLimit)
            #expect(try await service.appeals(of: Self.pia).count == count)
        }
    }

    @Test("a link to a ride holds no place in any form, neither while it comes nor aboard (I27)")
    func link() async throws {
        try await Self.open(.sqlite) { town in
            let (request, _) = try await town.ride(7, from: 1_000, to: 6_000)
            try await town.service.makeTripLink(to: request, for: Self.pia)
            let token = try #require(
                try await town.service.tripLink(to: request, for: Self.pia)
            )
            // An export contains the link, but no other person's (R105).
            let links = try await town.service.tripLinks(of: Self.pia)
            #expect(links.map(\.request) == [request] && links[0].made == town.test.now)
            let others = try await town.service.tripLinks(of: PassengerNumber(rawValue: 8))
            #expect(others.isEmpty)
            guard case .live(let view) = try await town.service.trip(token) else {
                Issue.record("the link leads nowhere")
                return
            }
            #expect(view.code == nil && view.position == nil)
            #expect(view.meeting == nil && view.meetingDescription == nil)
            #expect(view.destination == nil && view.destinationDescription == nil)
        }
    }

    @Test("who would join a ride that is gone, or is not shared, is told that, and nothing more")
    func join() async throws {
        try await Self.open(.sqlite, taxis: 2) { town in
            let (alone, _) = try await town.ride(7, from: 1_000, to: 6_000)
            var order = TaxiTown.order(8, from: 1_000, to: 6_000)
            order.isShared = true
            for number in [alone, RequestNumber(rawValue: 999)] {
                await #expect(throws: Refusal.notShared) {
                    try await town.service.join(order, to: number)
                }
            }
        }
    }

    @Test("what stands on the board of reservations is looked up by one for all, every ten seconds")
    func board() async throws {
        let board = ReservationBoard()
        let start = Moment(milliseconds: 1_000_000)
        func look(_ seconds: Int64, _ zone: String) async throws -> String? {
            let now = start.adding(seconds: seconds)
            return try await board.next(at: now) { (due: start, zone: zone) }?.zone
        }
        #expect(try await look(0, "first") == "first")
        #expect(try await look(9, "second") == "first")
        #expect(try await look(10, "third") == "third")
        // A clock that was set back must not make the cached value permanent.
        #expect(try await look(-1, "fourth") == "fourth")
    }
}
