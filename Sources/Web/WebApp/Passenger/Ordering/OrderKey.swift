import Dispatching
import Taxi
import WebCore

/// The key under which an order goes into the dispatcher's log, in the same transaction as the
/// request that it makes.
///
/// A server that ends between the two writes of a form (the command, then the answer) leaves the
/// form begun and not answered. The key in the log then says which request the form made, if any.
extension Site {
    /// The key of the form; nil where it has none.
    static func orderKey(_ visit: Visit) -> DispatchService.Key? {
        WebEnvironment.identity(of: visit).map {
            DispatchService.Key(caller: "order " + $0.caller, key: $0.key)
        }
    }

    /// The request that an interrupted earlier sending of this form made; nil where it made none,
    /// or where there was no such sending.
    func requestMadeBefore(_ visit: Visit) async throws -> RequestNumber? {
        guard visit.mayRepeat, let key = Self.orderKey(visit) else { return nil }
        return try await taxi.request(madeUnder: key)
    }
}
