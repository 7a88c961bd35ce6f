import Chronology
import Synchronization
import Taxi
import TestClock
import Testing

/// The clock of a sandbox; decision 0055.
@Suite("A clock of its own")
struct AdjustableClockTests {
    @Test("it runs as fast as it is told, and never jumps")
    func speeds() {
        let base = SettableClock()
        let own = AdjustableClock(following: base.clock)
        let start = base.now
        base.advance(seconds: 10)
        #expect(own.clock.now() == start.adding(seconds: 10))
        own.run(20)
        #expect(own.clock.now() == start.adding(seconds: 10))
        base.advance(seconds: 3)
        #expect(own.clock.now() == start.adding(seconds: 70))
        own.run(1)
        base.advance(seconds: 1)
        #expect(own.clock.now() == start.adding(seconds: 71))
    }

    @Test("who sleeps by it wakes when its time has come, also if it is hurried meanwhile")
    func sleepers() async throws {
        let base = SettableClock()
        let own = AdjustableClock(following: base.clock)
        let due = own.clock.now().adding(seconds: 100)
        let woken = Mutex<Moment?>(nil)
        let sleeper = Task {
            try await own.clock.sleep(due)
            let now = own.clock.now()
            woken.withLock { $0 = now }
        }
        while base.nextWake == nil { await Task.yield() }
        base.advance(seconds: 10)
        own.run(20)
        var seconds = 0
        while woken.withLock({ $0 }) == nil, seconds < 20 {
            // The sleeper looks at the speed again before its time has come.
            while base.nextWake == nil, woken.withLock({ $0 }) == nil { await Task.yield() }
            base.advance(seconds: 1)
            seconds += 1
        }
        try await sleeper.value
        let at = try #require(woken.withLock { $0 })
        #expect(at >= due && at <= due.adding(seconds: 40), "\(at)")
        #expect(seconds <= 7)
    }

    @Test("a cancelled sleeper wakes at once")
    func cancelled() async throws {
        let own = AdjustableClock(following: SettableClock().clock)
        let clock = own.clock
        let sleeper = Task { try await clock.sleep(clock.now().adding(seconds: 100)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
