import Foundation
import Synchronization
import Testing

@testable import Transit

/// Issue 31, "Shared windows": what threads share is made once, and nobody waits without need.
@Suite("Values that threads share")
struct SharedCacheTests {
    @Test("a value that many threads need at the same time is made by one of them")
    func once() {
        let cache = SharedCache<Int, Int>(limit: 2)
        let made = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            let value = cache.value(for: number % 2) {
                made.add(1, ordering: .relaxed)
                return number % 2 * 10
            }
            #expect(value == number % 2 * 10)
        }
        #expect(made.load(ordering: .relaxed) == 2)
    }

    @Test("while one value is being made, threads that need another one pass")
    func passing() {
        let cache = SharedCache<Int, Int>(limit: 2)
        let (isMaking, mayEnd, hasEnded) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread.detachNewThread {
            _ = cache.value(for: 1) {
                isMaking.signal()
                mayEnd.wait()
                return 1
            }
            hasEnded.signal()
        }
        isMaking.wait()
        #expect(cache.value(for: 2) { 2 } == 2)
        mayEnd.signal()
        hasEnded.wait()
        #expect(cache.value(for: 1) { 9 } == 1)
    }

    @Test("the value that was used least recently makes room for the next one")
    func leastRecent() {
        let cache = SharedCache<Int, Int>(limit: 2)
        func made(_ key: Int) -> Bool {
            var isMade = false
            _ = cache.value(for: key) {
                isMade = true
                return key
            }
            return isMade
        }
        #expect([1, 2, 1, 3].map(made) == [true, true, false, true])
        #expect(!made(1), "used after 2")
        #expect(made(2), "dropped for 3")
        #expect(cache.count == 2)
    }

    @Test("reserved values make no room for others, until others are reserved")
    func reserved() {
        let cache = SharedCache<Int, Int>(limit: 1)
        cache.reserve([1, 2])
        for key in 1...5 { _ = cache.value(for: key) { key } }
        #expect(cache.count == 3)
        #expect(cache.value(for: 1) { 0 } == 1)
        #expect(cache.value(for: 2) { 0 } == 2)
        #expect(cache.value(for: 4) { 0 } == 0, "dropped for 5")
        cache.reserve([3])
        #expect(cache.count == 1, "the two reserved before are no more")
    }
}
