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
            concerns.append(PromiseTexts.tooSlow(policy.serviceLevel))
        }
        if policy.deployment == .standby, !allowsStandby {
            concerns.append(PromiseTexts.noStandby)
        }
        return concerns
    }
}

/// What the console says of promises that are not kept.
extension PromiseTexts {
    static func tooSlow(_ promise: Policy.ServiceLevel) -> Text {
        switch promise {
        case .a:
            PromiseTexts.slowerThanOneSecond
        case .b:
            PromiseTexts.slowerThanFiveSeconds
        }
    }
}
