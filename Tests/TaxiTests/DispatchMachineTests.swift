import Chronology
import Dispatching
import Storage
import Testing

@testable import Taxi

/// Issue 29, "Types": the dispatch service as a state machine without clock or I/O.
///
/// Callers and readers are numbers here.
@Suite("The state machine of the dispatch service")
struct DispatchMachineTests {
    private typealias Machine = DispatchMachine<Int, Int>

    private static let start = Moment(milliseconds: 1_778_630_400_000)
    private static let genesis = LogHead.genesis(log: "town", founding: [])

    private static func machine(batchLimit: Int = 10) -> Machine {
        var machine = Machine(at: genesis, batchLimit: batchLimit)
        machine.loaded(Dispatcher(), at: genesis, snapshot: 0, clock: start)
        return machine
    }

    private static func asked(_ command: Command, key: String? = nil) -> DispatchService.Asked {
        DispatchService.Asked(
            command: command,
            key: key.map { DispatchService.Key(caller: "c", key: $0) },
            alongside: nil
        )
    }

    /// The batch to be appended, and the head of the log after it.
    private static func batch(_ machine: inout Machine) throws -> (batch: LogBatch, head: LogHead) {
        guard case .append(let batch, let head) = machine.next(at: start) else {
            throw NothingToAppend()
        }
        return (batch, batch.entries.reduce(head) { $0.adding($1) })
    }

    private struct NothingToAppend: Error {}

    private static let adopt = Command.adopt(.viavai)
    private static let draw = Command.drawZones(ZoneDrawing(names: ["west"], hash: 1))

    @Test("without work there is nothing to do")
    func rest() {
        var machine = Self.machine()
        guard case .rest = machine.next(at: Self.start) else {
            Issue.record("something is done without work")
            return
        }
        #expect(machine.nextDeadline() == nil)
    }

    @Test("commands that wait are decided in their order, and answered when they are durable")
    func durable() throws {
        var machine = Self.machine()
        machine.add(.command(Self.asked(Self.draw, key: "a"), 1))
        machine.add(.read(2))
        machine.add(.command(Self.asked(.register(TaxiForm(code: "T"))), nil))
        machine.add(.command(Self.asked(.register(TaxiForm(code: "T"))), 3))
        let (batch, head) = try Self.batch(&machine)
        #expect(batch.entries.count == 2)
        #expect(batch.answers.map(\.key) == ["a"])
        #expect(machine.head == Self.genesis, "nothing is durable yet")
        let (entries, answers) = machine.appended(head)
        #expect(machine.head == head && head.sequence == 2)
        #expect(entries.map(\.bytes) == batch.entries)
        #expect(answers.readers == [2])
        #expect(answers.replies.map(\.caller) == [1, 3])
        let receipt = try answers.replies[0].result.get()
        #expect(receipt.sequence == 1 && receipt.events == entries[0].events)
        #expect(batch.answers[0].answer == receipt.bytes)
        #expect(throws: Refusal.self) { try answers.replies[1].result.get() }
    }

    @Test("what is answered without an entry is confirmed first")
    func confirmed() {
        var machine = Self.machine()
        machine.add(.read(1))
        machine.add(.command(Self.asked(.resume), 2))
        guard case .confirm = machine.next(at: Self.start) else {
            Issue.record("a reader is answered from a state that may be out of date")
            return
        }
        let answers = machine.confirmed()
        #expect(answers.readers == [1])
        #expect(answers.replies.map(\.caller) == [2])
    }

    @Test(
        "when a batch fails, its callers are told so, and readers wait for the next state",
        arguments: [
            (DatabaseFailure.outcomeUnknown("lost"), DispatchService.Failure.outcomeUnknown, true),
            (.busy, .notDurable("busy"), false),
        ]
    )
    func failed(
        error: DatabaseFailure,
        failure: DispatchService.Failure,
        isUncertain: Bool
    ) throws {
        var machine = Self.machine()
        machine.add(.command(Self.asked(Self.draw), 1))
        machine.add(.command(Self.asked(.register(TaxiForm(code: ""))), 2))
        machine.add(.read(3))
        _ = try Self.batch(&machine)
        machine.add(.read(4))
        let answers = machine.failed(error)
        #expect(answers.readers == [3])
        for response in answers.replies {
            #expect(throws: failure) { try response.result.get() }
        }
        #expect(answers.replies.map(\.caller) == [1, 2], "a refusal may have been wrong, too")
        #expect(machine.isUncertain == isUncertain)
        machine.loaded(Dispatcher(), at: Self.genesis, snapshot: 0, clock: Self.start)
        #expect(machine.dispatcher.zones.isEmpty, "what was decided is void")
        #expect(!machine.isUncertain)
        #expect(machine.waiting.count == 1)
    }

    @Test("so many commands go into a batch, and the others into the next")
    func limit() throws {
        var machine = Self.machine(batchLimit: 2)
        for number in 0..<3 {
            machine.add(.command(Self.asked(.register(TaxiForm(code: "T\(number)"))), number))
        }
        let first = try Self.batch(&machine)
        #expect(first.batch.entries.count == 2)
        #expect(machine.appended(first.head).answers.replies.map(\.caller) == [0, 1])
        let second = try Self.batch(&machine)
        #expect(second.batch.entries.count == 1)
        #expect(try machine.appended(second.head).answers.replies[0].result.get().sequence == 3)
    }

    @Test("a restart continues at the time of the log if that is ahead of the clock (I28)")
    func restart() throws {
        var machine = Self.machine()
        #expect(machine.restart(at: Self.start) == nil)
        machine.add(.command(Self.asked(Self.adopt), 1))
        machine.add(.command(Self.asked(Self.draw), 1))
        let (_, head) = try Self.batch(&machine)
        _ = machine.appended(head)
        let hourBack = Self.start.adding(seconds: -3_600)
        var next = Machine(at: Self.genesis, batchLimit: 10)
        next.loaded(machine.dispatcher, at: head, snapshot: 0, clock: hourBack)
        #expect(next.time(at: hourBack) == Self.start)
        let decided = next.restart(at: hourBack.adding(seconds: 5))
        let restart = try #require(decided)
        let entry = try Entry(bytes: restart.batch.entries[0])
        #expect(entry.input == .restart && entry.at == Self.start.adding(seconds: 5))
        #expect(restart.after == head)
    }

    @Test("a snapshot is due after so many entries, once")
    func snapshot() throws {
        var machine = Self.machine()
        #expect(machine.snapshot(every: 2) == nil)
        machine.add(.command(Self.asked(Self.draw), 1))
        machine.add(.command(Self.asked(.register(TaxiForm(code: "T"))), 1))
        let (_, head) = try Self.batch(&machine)
        _ = machine.appended(head)
        #expect(machine.snapshot(every: 3) == nil)
        let taken = machine.snapshot(every: 2)
        let snapshot = try #require(taken)
        #expect(snapshot.head == head)
        #expect(machine.snapshot(every: 2) == nil)
        #expect(try Dispatcher(snapshot: snapshot.state).stateHash == machine.dispatcher.stateHash)
    }

    @Test("what waits can be taken back before it is decided")
    func takenBack() {
        var machine = Self.machine()
        machine.add(.read(1))
        machine.add(.command(Self.asked(Self.draw), 2))
        #expect(machine.takeWaiting().count == 2)
        guard case .rest = machine.next(at: Self.start) else {
            Issue.record("work is done that was taken back")
            return
        }
    }
}
