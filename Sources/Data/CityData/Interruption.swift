import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Signals that ask the program to end, put off while something has to be tidied up first.
enum Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The signal that was caught, 0 for none; a handler may do no more than set it.
    private static let caught = Atomic<Int32>(0)

    /// Whether a signal has asked the program to end since the protected work began.
    static var isAsked: Bool { caught.load(ordering: .relaxed) != 0 }

    /// Runs work that must not be cut off, and handles a signal that arrived during it only
    /// afterwards; long work checks ``isAsked`` regularly, and throws.
    static func putOff<Failure: Error>(during work: () throws(Failure) -> Void) throws(Failure) {
        caught.store(0, ordering: .relaxed)
        let before = signals.map { number in
            signal(number) { Interruption.caught.store($0, ordering: .relaxed) }
        }
        for (number, handler) in zip(signals, before) where isIgnored(handler) {
            signal(number, handler)
        }
        defer {
            for (number, handler) in zip(signals, before) { signal(number, handler) }
            let number = caught.load(ordering: .relaxed)
            if number != 0 { raise(number) }
        }
        try work()
    }

    /// Whether a handler is `SIG_IGN`, as `nohup` sets it: an ignored signal must stay ignored.
    private static func isIgnored(_ handler: __sighandler_t?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
