import Chronology
import Dispatching
import Fares
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

@Suite("Receipts")
struct RideReceiptTests {
    @Test(
        "a receipt is right by the log, and any change of it is noticed (I23)",
        arguments: TestEngine.allCases
    )
    func verifies(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let (request, taxi) = try await town.ride(7, from: 500)
                try await town.drive(taxi, from: 100, to: 500)
                try await town.until("there") {
                    try await service.store.record(of: request)?.reached != nil
                }
                let code = try await service.ride(of: taxi)?.code
                _ = try await service.board(taxi, aboard: 1, code: code)
                #expect(service.intake.meter(of: taxi, on: request) != nil, "it runs at once")
                try await town.drive(taxi, from: 500, to: 2_000)
                _ = try await service.endRide(taxi, extras: ["luggage": 3])
                // Later events do not affect the receipt.
                _ = try await town.give(.change(taxi, TaxiForm(code: "NEW")))
                try await town.until("the history knows") {
                    try await service.store.record(of: request)?.outcome == .completed
                }
                let owner = PassengerNumber(rawValue: 7)
                let (receipt, signature) = try await service.receipt(of: request, for: owner)
                #expect(receipt.taxi == "T0")
                #expect(receipt.fare?.fare.lines.isEmpty == false)
                #expect(try await service.check(receipt, signature: signature) == .right)
                try await Self.checkForgeries(of: receipt, signature, service)
                await #expect(throws: TaxiService.Failure.notYours) {
                    _ = try await service.receipt(
                        of: request,
                        for: PassengerNumber(rawValue: 8)
                    )
                }
                await #expect(throws: TaxiService.Failure.noReceipt) {
                    _ = try await service.receipt(of: RequestNumber(rawValue: 99), for: owner)
                }
            }
        }
    }

    /// Checks forgeries with and without the city's key.
    private static func checkForgeries(
        of receipt: RideReceipt,
        _ signature: [UInt8],
        _ service: TaxiService
    ) async throws {
        var cheaper = receipt
        cheaper.fare?.share.minorUnits -= 1
        let verdict = try await service.check(cheaper, signature: signature)
        #expect(verdict == .notSigned)
        var later = receipt
        later.times.ended = later.times.ended.adding(seconds: 1)
        var elsewhere = receipt
        elsewhere.head = LogHead(
            sequence: receipt.head.sequence,
            hash: receipt.head.hash.reversed()
        )
        var other = receipt
        other.ride = RequestNumber(rawValue: 5)
        var renamed = receipt
        renamed.taxi = "T9"
        let forged: [(RideReceipt, ReceiptCheck.Verdict)] = [
            (later, .toldOtherwise), (elsewhere, .otherChain), (other, .noSuchRide),
            (renamed, .toldOtherwise),
        ]
        for (receipt, verdict) in forged {
            let signature = try service.receipts.signature(of: receipt)
            #expect(try await service.check(receipt, signature: signature) == verdict)
        }
    }

    @Test("a fare comes back from its text, part by part")
    func fareText() throws {
        let kinds: [Fare.Line.Kind] = [
            .initialDay, .initialNight, .initialHoliday, .travelled, .minimum,
            .surcharge("luggage", count: 2), .fixed("malpensa", "linate"),
        ]
        let lines = kinds.enumerated().map { number, kind in
            Fare.Line(kind: kind, amount: Int64(number) * 100)
        }
        let fare = Fare(lines: lines, currency: .euro)
        #expect(Fare(text: fare.text, currency: .euro) == fare)
        for text in ["", "travelled", "travelled\tx", "unknown\t5", "fixed\ta\t5"] {
            #expect(Fare(text: text, currency: .euro) == nil, "\(text)")
        }
    }
}
