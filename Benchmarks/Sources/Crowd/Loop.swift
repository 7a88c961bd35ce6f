import NIOCore
import NIOPosix

/// The one thread of this process: its connections are on it, and whoever uses them.
///
/// A driver who woke up on another thread and hopped to that of his connection and back would cost
/// more than what he sends, on the same cores as the server that is measured.
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
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: moment).components
        let pause = TimeAmount.nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        let alarm = thread.scheduleTask(in: pause) {}
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
