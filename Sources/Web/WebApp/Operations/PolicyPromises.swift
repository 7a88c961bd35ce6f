import CoreMetrics
import Dispatching
import HTTPServer
import Localization
import Taxi
import WebCore

/// The promise of speed that the policy key `slo` names (taxi.md C19).
///
/// It is judged by all answers since the server started.
enum SpeedPromise: Int64, CaseIterable {
    /// 95 % of the answers within 1 s.
    case a = 0
    /// 95 % of the answers within 5 s, and all within 10 s.
    case b = 1

    /// With fewer answers nothing is said: one slow answer would be several percent.
    static let leastAnswers = 100

    /// Whether the measured answers keep the promise; nil where there are too few to tell.
    func isKept(by answers: Measurements.Answers) -> Bool? {
        guard answers.count >= Self.leastAnswers else { return nil }
        let limit = self == .a ? 1.0 : 5.0
        let isUsual = answers.within(limit) * 100 >= answers.count * 95
        return isUsual && (self == .a || answers.within(10) == answers.count)
    }
}

extension TaxiService {
    /// The policy by which this server dispatches; on a standby, the one that was adopted last.
    func currentPolicy() async throws -> Policy {
        if let policy = try? await dispatch.read({ $0.policy }) { return policy }
        return try await policyInForce()
    }
}

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
            return switch policy[.plainHTTP] {
            case 1: .redirect
            case 2: .nothing
            default: .refusal
            }
        }
    }
}

extension Site {
    /// What the policy asks of the installation and is not given (`slo`, `deployment`).
    func policyConcerns(_ policy: Policy) -> [Text] {
        var concerns: [Text] = []
        if let promise = SpeedPromise(rawValue: policy[.serviceLevel]),
            promise.isKept(by: web.measurements.answers) == false
        {
            concerns.append(PromiseWords.tooSlow(promise))
        }
        if policy[.deployment] == 1, settings.database.hasPrefix("sqlite:") {
            concerns.append(PromiseWords.noStandby)
        }
        return concerns
    }

    /// Sets the figures that say what the policy asks for, and whether speed is as promised.
    func countPromises() async {
        guard let policy = try? await taxi.currentPolicy() else { return }
        let promise = SpeedPromise(rawValue: policy[.serviceLevel]) ?? .a
        web.measurements.makeMeter(
            label: "viavai_speed_promise_kept",
            dimensions: [("promise", "\(promise)")]
        ).set(Int64(promise.isKept(by: web.measurements.answers) == false ? 0 : 1))
        web.measurements.makeMeter(label: "viavai_standby_wanted", dimensions: [])
            .set(policy[.deployment])
    }
}

/// What the console says of promises that are not kept.
enum PromiseWords {
    static let look = Text("See the rules", "Vedi le regole")
    static let noStandby = Text(
        "The rules ask for a standby server, but the database is SQLite, which a second server "
            + "cannot use. Move to PostgreSQL, or change the rule.",
        "Le regole chiedono un server di riserva, ma il database è SQLite, che un secondo server "
            + "non può usare. Passa a PostgreSQL, oppure cambia la regola."
    )

    static func tooSlow(_ promise: SpeedPromise) -> Text {
        switch promise {
        case .a:
            Text(
                "The server is slower than the rules promise: since it started, fewer than 95 % of "
                    + "the answers came within 1 s.",
                "Il server è più lento di quanto promettono le regole: da quando è partito, meno "
                    + "del 95 % delle risposte è arrivato entro 1 s."
            )
        case .b:
            Text(
                "The server is slower than the rules promise: since it started, fewer than 95 % of "
                    + "the answers came within 5 s, or not all within 10 s.",
                "Il server è più lento di quanto promettono le regole: da quando è partito, meno "
                    + "del 95 % delle risposte è arrivato entro 5 s, o non tutte entro 10 s."
            )
        }
    }
}
