import ConsolePages
import CoreMetrics
import Dispatching
import HTTPServer
import Taxi
import TaxiPages
import WebCore

extension TaxiService {
    /// How unencrypted requests are answered: according to the settings or, if they leave it to the
    /// policy, according to the policy in force (taxi.md C28).
    func plainAnswer(_ setting: Settings.Plain) async -> PlainHTTP.Answer {
        switch setting {
        case .off: return .nothing
        case .refuse: return .refusal
        case .redirect: return .redirect
        case .policy:
            // If the policy cannot be read, refuse: this is the strictest answer that explains
            // itself.
            guard let policy = try? await currentPolicy() else { return .refusal }
            return switch policy.plainHTTP {
            case .refuse: .refusal
            case .redirect: .redirect
            case .off: .nothing
            }
        }
    }
}

extension Site {
    /// Updates the metrics for the policy's requirements and for whether response times meet them.
    func countPromises() async {
        guard let policy = try? await taxi.currentPolicy() else { return }
        let promise = policy.serviceLevel
        web.measurements.makeMeter(
            label: "viavai_speed_promise_kept",
            dimensions: [("promise", promise.rawValue)]
        ).set(Int64(promise.isKept(by: web.measurements.answers) == false ? 0 : 1))
        web.measurements.makeMeter(label: "viavai_standby_wanted", dimensions: [])
            .set(Int64(policy.deployment == .standby ? 1 : 0))
    }
}
