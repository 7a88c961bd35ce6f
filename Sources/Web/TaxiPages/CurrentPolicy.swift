package import Dispatching
package import Taxi

extension TaxiService {
    /// The policy by which this server dispatches; on a standby, the one that was adopted last.
    package func currentPolicy() async throws -> Policy {
        if let policy = try? await dispatch.read({ $0.policy }) { return policy }
        return try await policyInForce()
    }
}
