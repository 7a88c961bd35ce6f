import Dispatching
import Localization
import TaxiPages
package import WebCore

/// The service level that the policy key `slo` specifies (taxi.md C19), measured over all answers
/// since the server started.
extension Policy.ServiceLevel {
    /// The minimum number of answers for a verdict: with fewer, one slow answer would be several
    /// percent.
    package static let leastAnswers = 100

    /// Whether the measured answers meet the service level; nil if there are too few answers.
    package func isKept(by answers: Measurements.Answers) -> Bool? {
        guard answers.count >= Self.leastAnswers else { return nil }
        let limit = self == .a ? 1.0 : 5.0
        let isUsual = answers.within(limit) * 100 >= answers.count * 95
        return isUsual && (self == .a || answers.within(10) == answers.count)
    }
}

extension ConsolePages {
    /// The policy requirements that the installation does not meet (`slo`, `deployment`).
    func policyConcerns(_ policy: Policy) -> [Text] {
        var concerns: [Text] = []
        if policy.serviceLevel.isKept(by: web.measurements.answers) == false {
            concerns.append(PromiseWords.tooSlow(policy.serviceLevel))
        }
        if policy.deployment == .standby, !allowsStandby {
            concerns.append(PromiseWords.noStandby)
        }
        return concerns
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

    static func tooSlow(_ promise: Policy.ServiceLevel) -> Text {
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
