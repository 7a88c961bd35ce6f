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

    /// Whether the program was asked to end since the work began that puts it off.
    static var isAsked: Bool { caught.load(ordering: .relaxed) != 0 }

    /// Does some work to its end, and only then lets a signal that came meanwhile end the program;
    /// long work asks ``isAsked`` now and then, and throws.
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

    /// Whether a handler is `SIG_IGN`, as `nohup` sets it: what is ignored must stay so.
    private static func isIgnored(_ handler: __sighandler_t?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
