import Chronology
import Dispatching
import Fares
import Geo
import Positions
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

@Suite("Arrivals that are learned")
struct LearningTests {
    /// Simulates a request, a drive of 900 m in 90 s, and a short ride.
    private static func ride(_ town: TaxiTown, from start: Double) async throws {
        let origin = start + 900
        let (request, taxi) = try await town.ride(UInt64(origin), from: origin)
        try await town.drive(taxi, from: start, to: origin)
        try await town.until("the meeting point is reached") {
            try await town.service.store.record(of: request)?.reached != nil
        }
        let code = try await town.service.ride(of: taxi)?.code
        let isAboard = try await town.service.board(taxi, aboard: 1, code: code)
        #expect(isAboard)
        _ = try await town.service.endRide(taxi)
    }

    @Test(
        "what drives took is learned, told with the next promise, and kept (R62, M7)",
        arguments: TestEngine.allCases
    )
    func learns(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: 1) { town in
                for number in 0..<4 { try await Self.ride(town, from: 100 + 900 * Double(number)) }
                // The passenger gets the learned time, not the 108 s of the map (R70).
                let (request, taxi) = try await town.ride(99, from: 4_600)
                let view = try await town.service.view(request, for: PassengerNumber(rawValue: 99))
                let arrival = try #require(view?.arrival)
                guard case .at(let moment) = arrival else {
                    Issue.record("no arrival is told")
                    return
                }
                let told = (moment.milliseconds - clock.now.milliseconds) / 1_000
                #expect((60..<108).contains(told), "\(told) s")
                _ = try await town.give(.closeRide(taxi, reason: "test"))
                let learned = await town.service.drives.calibration
                #expect(learned != Calibration())
                // The map gives 108 s; the arrival radius is reached some seconds earlier.
                let time = LocalTime(clock.now.instant, in: .utc)
                #expect(learned.perMille(decimetres: 9_000, at: time) < 1_000)
                let errors = try await town.service.store.arrivalErrors(
                    since: Moment(milliseconds: 0),
                    until: .never
                )
                #expect(errors.count == 4)
                #expect(errors.biasSeconds.map { $0 > 0 } == true)
            }
            let kept = try await RideStore(
                of: EventLog("town", in: database),
                in: database
            )
            .calibration()
            try await TaxiTown.run(in: database, clock) { town in
                let restored = await town.service.drives.calibration
                #expect(restored == kept)
                #expect(restored != Calibration())
            }
        }
    }

    @Test("a passenger is told anew when the taxi turns away, and not when it keeps its time (C8)")
    func news() async throws {
        try await withStorage(on: .sqlite) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: 1) { town in
                let service = town.service
                let (request, taxi) = try await town.ride(7, from: 3_000)
                let passenger = PassengerNumber(rawValue: 7)
                @Sendable func arrival() async throws -> RideView.Arrival? {
                    try await service.view(request, for: passenger)?.arrival
                }
                let first = try await arrival()
                // At the speed of the map: half a kilometre per minute.
                for metres in [350.0, 600] {
                    clock.advance(seconds: 30)
                    town.report(taxi, at: metres)
                    try await service.refreshArrivals()
                }
                let kept = try await arrival()
                #expect(kept == first)
                // The taxi stands still for so long that it arrives more than a minute later.
                clock.advance(seconds: 70)
                town.report(taxi, at: 600)
                // Either this call or the periodic one of the service looks first.
                try await service.refreshArrivals()
                try await town.until("told anew") {
                    try await arrival() == .at(clock.now.adding(seconds: 288))
                }
            }
        }
    }

    @Test("a meter counts time where the taxi is slow and way where it is fast, once")
    func meter() throws {
        let tariff = try #require(try TariffBook(text: TariffBook.example).tariffs.last)
        let start = Moment(milliseconds: 1_778_630_400_000)
        var meter = Meter(at: start, place: TaxiTown.place(0), tariff: tariff)
        var pieces: [Drive.Piece] = []
        var metres = 0.0
        var last = TaxiTown.place(0)
        for step in 1...200 {
            metres += step % 3 == 0 ? 0 : Double(step % 7) * 20
            let place = TaxiTown.place(metres)
            let at = start.adding(seconds: Int64(step) * 5)
            meter.pass(PositionReport(at: at, place: place, accuracyMetres: 5))
            let way = last.distanceMetres(to: place)
            let isMoving = way > Meter.tremble
            if isMoving { last = place }
            let decimetres = isMoving ? Int64((way * 10).rounded()) : 0
            pieces.append(Drive.Piece(milliseconds: 5_000, decimetres: decimetres))
        }
        let ride = TariffInput(start: start.instant, drive: meter.drive)
        let whole = TariffInput(start: start.instant, drive: Drive(pieces))
        #expect(tariff.metered(ride, in: .utc) == tariff.metered(whole, in: .utc))
        #expect(meter.drive.milliseconds == 1_000_000)
        // Older reports have no effect.
        let before = meter
        meter.pass(PositionReport(at: start, place: TaxiTown.place(9_000)))
        #expect(meter == before)
    }
}
