import NIOCore
import Testing

@testable import HTTPServer

/// Issue 29, "Types": an HTTP/2 connection as a state machine, tested without I/O.
@Suite("The state machine of a connection of HTTP/2")
struct HTTP2ConnectionMachineTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private static func after(_ time: TimeAmount) -> NIODeadline { start + time }

    private static func machine() -> HTTP2ConnectionMachine {
        HTTP2ConnectionMachine(ClientLimits(), start)
    }

    /// A connection with one request, which has arrived in full and is being answered.
    private static func asked() -> HTTP2ConnectionMachine {
        var machine = machine()
        machine.requestBegan(1, isWhole: true, start)
        #expect(machine.readCompleted() == [.answer(1)])
        return machine
    }

    @Test("requests are answered in their order, except those that were cancelled meanwhile")
    func order() {
        var machine = Self.machine()
        for number: Int32 in [1, 3, 5] { machine.requestBegan(number, isWhole: true, Self.start) }
        #expect(machine.closed(3, Self.start) == [.release(3)])
        #expect(machine.eventsHandled().isEmpty)
        #expect(machine.readCompleted() == [.answer(1), .answer(5)])
        #expect(machine.readCompleted().isEmpty)
        #expect(machine.closed(3, Self.start).isEmpty, "a stream is over once")
    }

    @Test("more of a body may come when its reader wants it, and on other streams at once")
    func bodies() {
        var machine = Self.machine()
        machine.requestBegan(1, isWhole: false, Self.start)
        #expect(machine.bodyCame(1, 100, isWanted: true) == [.allow(100, on: 1)])
        #expect(machine.bodyCame(1, 50, isWanted: false).isEmpty)
        #expect(machine.bodyCame(1, 7, isWanted: false).isEmpty)
        #expect(machine.eventsHandled() == [.allowOnConnection(157)])
        #expect(machine.eventsHandled().isEmpty)
        #expect(machine.bodyWanted(1) == [.allow(57, on: 1)])
        #expect(machine.bodyWanted(1).isEmpty)
        #expect(machine.requestEnded(1) == [.endBody(1)])
        // Data for a closed stream counts for the connection only.
        #expect(machine.closed(1, Self.start) == [.release(1)])
        #expect(machine.bodyCame(1, 9, isWanted: false).isEmpty)
        #expect(machine.eventsHandled() == [.allowOnConnection(9)])
    }

    @Test("the writer of an answer learns when it was sent, and only then writes more")
    func writing() {
        var machine = Self.asked()
        #expect(machine.isFree(1))
        machine.wrote(1, 1_000, isEnded: false, Self.start)
        #expect(!machine.isFree(1))
        #expect(machine.sent(isWritable: true, Self.start) { _ in true }.isEmpty)
        #expect(machine.sent(isWritable: true, Self.start) { _ in false } == [.tellGone(1)])
        #expect(machine.isFree(1))
        machine.wrote(1, 0, isEnded: true, Self.start)
        // The last part waits until the client reads.
        #expect(machine.sent(isWritable: false, Self.start) { _ in false }.isEmpty)
        #expect(machine.sent(isWritable: true, Self.start) { _ in false } == [.tellGone(1)])
        #expect(!machine.isFree(3), "nothing is written on a stream that does not exist")
    }

    @Test("the rest of a request that is answered early is declined (RFC 9113, 8.1)")
    func declined() {
        var machine = Self.machine()
        machine.requestBegan(1, isWhole: false, Self.start)
        #expect(machine.readCompleted() == [.answer(1)])
        machine.wrote(1, 3, isEnded: true, Self.start)
        let actions = machine.sent(isWritable: true, Self.start) { _ in false }
        #expect(actions == [.tellGone(1), .decline(1)])
    }

    @Test("a body that does not come in time fails first, and then its stream ends")
    func lateBody() {
        var machine = Self.machine()
        machine.requestBegan(1, isWhole: false, Self.start)
        #expect(machine.nextDeadline == Self.after(.seconds(60)))
        #expect(machine.look(Self.after(.seconds(59))).isEmpty)
        #expect(machine.look(Self.after(.seconds(60))) == [.failBody(1)])
        #expect(machine.nextDeadline == Self.after(.seconds(70)))
        let late = machine.look(Self.after(.seconds(70)))
        #expect(late == [.cancel(1)])
        #expect(machine.nextDeadline == nil, "nobody waits twice")
        #expect(machine.lastText(after: late) == [.closeSoon])
        #expect(machine.closed(1, Self.after(.seconds(70))) == [.release(1)])
        #expect(machine.lastText(after: late).isEmpty)
    }

    @Test("an answer that is not taken in time ends its stream only")
    func lateAnswer() {
        var machine = Self.asked()
        machine.requestBegan(3, isWhole: true, Self.start)
        // Thirty seconds, plus one for each 4,096 bytes.
        machine.wrote(1, 8_192, isEnded: true, Self.start)
        #expect(machine.nextDeadline == Self.after(.seconds(32)))
        #expect(machine.look(Self.after(.seconds(32))) == [.cancel(1)])
        #expect(machine.nextDeadline == nil, "the other request may take its time")
    }

    @Test("a connection without requests ends after a minute of silence")
    func silence() {
        var machine = Self.machine()
        #expect(machine.nextDeadline == Self.after(.seconds(60)))
        machine.requestBegan(1, isWhole: true, Self.start)
        #expect(machine.nextDeadline == nil)
        #expect(machine.closed(1, Self.after(.seconds(5))) == [.release(1)])
        #expect(machine.look(Self.after(.seconds(64))).isEmpty)
        #expect(machine.look(Self.after(.seconds(65))) == [.announceEnd])
        #expect(machine.nextDeadline == nil)
        #expect(!machine.isDone, "the client has not heard of it")
        #expect(machine.endHeard() == [.refuseMore])
        #expect(machine.isDone)
    }

    @Test("a server that stops answers what has begun, and refuses more after the announcement")
    func leaving() {
        var machine = Self.asked()
        #expect(machine.endHeard().isEmpty, "an answer to no question means nothing")
        #expect(machine.leave() == [.announceEnd])
        #expect(machine.leave().isEmpty)
        // A request that was sent before the announcement arrived.
        machine.requestBegan(3, isWhole: true, Self.start)
        #expect(machine.readCompleted() == [.answer(3)])
        #expect(machine.endHeard() == [.refuseMore])
        #expect(machine.endHeard().isEmpty)
        #expect(machine.closed(1, Self.start) == [.release(1)])
        #expect(!machine.isDone)
        #expect(machine.closed(3, Self.start) == [.release(3)])
        #expect(machine.isDone)
    }

    @Test(
        "a nuisance is tolerated so often within its time, then the connection ends",
        arguments: [
            (HTTP2ConnectionMachine.Nuisance.idleTalk, 64, 10),
            (.cancelling, 128, 20),
            (.breaking, 64, 10),
        ]
    )
    func floods(nuisance: HTTP2ConnectionMachine.Nuisance, most: Int, seconds: Int64) {
        var machine = Self.asked()
        for _ in 0..<most { #expect(machine.noted(nuisance, Self.start).isEmpty) }
        // A new time window begins.
        let later = Self.after(.seconds(seconds))
        for _ in 0..<most { #expect(machine.noted(nuisance, later).isEmpty) }
        machine.requestBegan(3, isWhole: true, later)
        #expect(machine.noted(nuisance, later) == [.calm, .closeSoon])
        #expect(machine.noted(nuisance, later).isEmpty, "it is told once")
        #expect(machine.readCompleted().isEmpty, "a client that floods gets no further answer")
    }
}
