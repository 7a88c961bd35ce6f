import ConsolePages
import CoreMetrics
import Dispatching
import HTTPServer
import Taxi
import TaxiPages
import WebCore

extension TaxiService {
    /// How requests without encryption are answered: as the settings say or, where they leave it
    /// to the policy, as the policy in force says (taxi.md C28).
    func plainAnswer(_ setting: Settings.Plain) async -> PlainHTTP.Answer {
        switch setting {
        case .off: return .nothing
        case .refuse: return .refusal
        case .redirect: return .redirect
        case .policy:
            // A policy that cannot be read refuses: the strictest answer that explains itself.
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
    /// Sets the figures that say what the policy asks for, and whether speed is as promised.
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
