package import Dispatching
package import Taxi

extension TaxiService {
    /// Returns the policy in force on this server.
    ///
    /// On a standby server it is the latest adopted one.
    package func currentPolicy() async throws -> Policy {
        if let policy = try? await dispatch.read({ $0.policy }) { return policy }
        return try await policyInForce()
    }
}
