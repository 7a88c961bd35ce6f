import NIOCore
import NIOPosix

/// The one thread of this process: its connections are on it, and whoever uses them.
///
/// A driver who wakes up on another thread, and hops to that of his connection and back, takes more
/// of the cores that the server which is measured is on too (docs/benchmarks.md).
final class Loop: TaskExecutor {
    static let only = Loop()

    /// The connections' threads, of which there is one.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let thread: any EventLoop

    private init() { thread = group.next() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Waits until a moment.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until moment: ContinuousClock.Instant) async throws {
        let alarm = thread.scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: moment))) {}
        do {
            try await withTaskCancellationHandler {
                try await alarm.futureResult.get()
            } onCancel: {
                alarm.cancel()
            }
        } catch {
            throw CancellationError()
        }
    }
}
