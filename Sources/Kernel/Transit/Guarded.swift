#if hasFeature(Embedded)
/// A value that threads use in turns; the module of a browser has one thread, so there is
/// nothing to wait for.
public final class Guarded<Value: Sendable>: @unchecked Sendable {
    // Unchecked: in Embedded Swift, which has no `Mutex` for wasm32, the kernel is used by one
    // thread (wasm/README.md).
    private var value: Value

    /// Guards a value.
    public init(_ value: Value) { self.value = value }

    /// Passes the value to a closure.
    public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        body(&value)
    }
}
#else
import Synchronization

/// A value that threads use in turns.
public final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// Guards a value.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// Uses the value while no other thread does.
    public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { body(&$0) }
    }
}
#endif
