import Chronology
import Storage
import Testing

@testable import Taxi

/// Issue 29, "Types": the write lease as a state machine without clock or I/O.
@Suite("The state machine of the write lease")
struct LeaseMachineTests {
    private static let start = Moment(milliseconds: 1_778_630_400_000)

    private static func lease(_ epoch: Int64, expires: Int64) -> Lease {
        Lease(name: "town", holder: "one", epoch: epoch, expires: expires)
    }

    private static func holding() -> LeaseMachine {
        var machine = LeaseMachine(term: .seconds(4))
        machine.acquired(lease(1, expires: 10), requested: start)
        return machine
    }

    @Test("the lease is certain for a term after it was requested, not after it was given")
    func certain() {
        #expect(!LeaseMachine(term: .seconds(4)).isCertain(at: Self.start))
        var machine = Self.holding()
        #expect(machine.isCertain(at: Self.start.adding(milliseconds: 3_999)))
        #expect(!machine.isCertain(at: Self.start.adding(seconds: 4)))
        machine.renewed(Self.lease(1, expires: 20), requested: Self.start.adding(seconds: 3))
        #expect(machine.isCertain(at: Self.start.adding(milliseconds: 6_999)))
        #expect(!machine.isCertain(at: Self.start.adding(seconds: 7)))
        #expect(machine.lease?.expires == 20)
    }

    @Test("a renewal that is answered late shortens nothing")
    func overtaken() {
        var machine = Self.holding()
        machine.renewed(Self.lease(1, expires: 30), requested: Self.start.adding(seconds: 3))
        machine.renewed(Self.lease(1, expires: 20), requested: Self.start.adding(seconds: 1))
        #expect(machine.lease?.expires == 30)
        #expect(machine.isCertain(at: Self.start.adding(milliseconds: 6_999)))
    }

    @Test("two renewals may fail before the term is over")
    func interval() {
        let machine = Self.holding()
        #expect(machine.isCertain(at: Self.start.adding(milliseconds: 2 * machine.renewalInterval)))
    }

    @Test(
        "a standby server asks again when the lease may be free, not too often, not too rarely",
        arguments: [(1, 50), (200, 200), (3_900, 500)]
    )
    func held(remaining: Int64, pause: Int64) {
        var machine = LeaseMachine(term: .seconds(4))
        let action = machine.notAcquired(LeaseFailure.held(by: "two", remaining: remaining))
        #expect(action == .retry(after: pause))
    }

    @Test("a standby server outlasts an outage, and one unknown outcome, but no broken disk")
    func outage() {
        var machine = LeaseMachine(term: .seconds(4))
        let unknown = DatabaseFailure.outcomeUnknown("")
        #expect(machine.notAcquired(DatabaseFailure.unavailable("")) == .retry(after: 500))
        #expect(machine.notAcquired(unknown) == .retry(after: 500))
        #expect(machine.notAcquired(DatabaseFailure.busy) == .retry(after: 500))
        #expect(machine.notAcquired(unknown) == .retry(after: 500))
        #expect(machine.notAcquired(unknown) == .giveUp)
        #expect(machine.notAcquired(DatabaseFailure.damaged("")) == .giveUp)
        #expect(machine.notAcquired(CancellationError()) == .giveUp)
    }
}
