import Synchronization
import Testing

@testable import HTTPClient

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Threads that may block")
struct BlockingThreadsTests {
    private final class Counter: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func enter() {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func leave() {
            counts.withLock { $0.now -= 1 }
        }
    }

    @Test("all work is done, and never more at once than the limit", arguments: [1, 3, 50])
    func limited(limit: Int) async {
        let threads = BlockingThreads("viavai.test", limit: limit)
        let counter = Counter()
        let results = await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await threads.run {
                        counter.enter()
                        // Gives other threads the opportunity to run too early.
                        for _ in 0..<50 { sched_yield() }
                        counter.leave()
                        return number
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.sorted() == Array(0..<200))
        #expect((1...limit).contains(counter.most))
    }
}
