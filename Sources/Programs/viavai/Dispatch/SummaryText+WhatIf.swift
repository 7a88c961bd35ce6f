import Audit
import Dispatching
import Foundation
import Simulation

extension SummaryText {
    /// The figures of a log as a JSON object.
    static func object(_ figures: LogFigures) -> [String: Any] {
        let waits = figures.waitSeconds
        return [
            "requests": figures.requests, "served": figures.served, "offers": figures.offers,
            "waitSeconds": ["mean": waits.mean, "p50": waits.p50, "p95": waits.p95],
            "ridesPerDriverGini": figures.ridesPerDriverGini,
            "overtakings": figures.findings.overtakings,
            "doubleAssignments": figures.findings.doubleAssignments,
            "invariantViolations": figures.findings.violations,
            "outcomes": Dictionary(
                uniqueKeysWithValues: figures.outcomes.map { ("\($0)", $1) }
            ),
        ]
    }

    /// Compares the figures of two logs side by side.
    static func comparison(
        _ before: LogFigures,
        _ after: LogFigures,
        _ policy: String,
        _ isSame: Bool
    ) -> String {
        func row(_ name: String, _ value: (LogFigures) -> String) -> String {
            func padded(_ text: String, _ width: Int) -> String {
                text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
            }
            return padded(name, 26) + padded(value(before), 16) + value(after)
        }
        func seconds(_ value: Double) -> String { String(format: "%.0f s", value) }
        func number(_ value: Double) -> String { String(format: "%.3f", value) }
        var lines = [
            "                          recorded        under \(policy)",
            row("requests") { "\($0.requests)" },
            row("served") { "\($0.served)" },
        ]
        for outcome in RequestOutcome.allCases where outcome != .completed {
            let isNone = before.outcomes[outcome] == nil && after.outcomes[outcome] == nil
            if !isNone { lines.append(row("  \(outcome)") { "\($0.outcomes[outcome] ?? 0)" }) }
        }
        lines += [
            row("wait on average") { seconds($0.waitSeconds.mean) },
            row("wait, 95% under") { seconds($0.waitSeconds.p95) },
            row("offers") { "\($0.offers)" },
            row("rides for each driver") { "Gini \(number($0.ridesPerDriverGini))" },
            row("overtaken by no rule") { "\($0.findings.overtakings)" },
            row("broken invariants") { "\($0.findings.violations)" },
            "",
            isSame
                ? "The state at the end is the same."
                : "The state at the end is another.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
