package import Dispatching
package import Identity

/// Callers for whom somebody else orders: an operator on the telephone, or an application.
extension TaxiPageModule {
    /// The channels on which a caller can receive messages; nil if the city
    /// does not accept callers.
    ///
    /// The rules for guests apply (C2). Where rides have a code, it must reach the caller directly,
    /// as operators cannot see it (I15).
    package func callerWays(_ policy: Policy) -> Set<GuestProof>? {
        switch GuestWay(policy, settings) {
        case .denied, .unreachable: return nil
        case .contact(let ways): return ways
        case .session:
            if policy.pinDigits == .none { return [] }
            var ways: Set<GuestProof> = []
            if settings.sendsTextMessages { ways.insert(.phone) }
            if settings.sendsMail { ways.insert(.email) }
            return ways.isEmpty ? nil : ways
        }
    }
}
