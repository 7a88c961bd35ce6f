import Audit
import Dispatching
import Encoding
import Foundation
import Simulation

/// Formats the results of a simulated day as text and as JSON.
enum SummaryText {
    /// The summary as readable text.
    static func text(
        _ summary: Summary,
        _ options: Simulation.Options,
        _ baseline: Baseline?
    ) -> String {
        let findings = summary.findings
        let perRide = Double(summary.offers) / Double(max(1, summary.served))
        var lines = [
            "\(options.hours) hours, \(options.taxis) taxis, "
                + (baseline.map { "\($0.rawValue) dispatch" } ?? "policy \(options.policy.name)")
                + ", seed \(options.seed)",
            "",
            row("requests", "\(summary.requests)"),
            row("  served", "\(summary.served)\(share(summary.served, summary.requests))"),
            row("  unserved", "\(summary.unserved)\(share(summary.unserved, summary.requests))"),
            row("  cancelled", "\(summary.cancelled)"),
            row("  did not come", "\(summary.noShow)"),
            row("  outside the city", "\(summary.outsideCity)"),
            row("  not over yet", "\(summary.pending)"),
            row(
                "shared rides",
                "\(summary.sharing.asked) asked for, \(summary.sharing.joined) rode along, "
                    + "\(summary.sharing.refused) found none that suited"
            ),
            row(
                "wait",
                "\(minutes(summary.waitSeconds.mean)) on average, half under "
                    + "\(minutes(summary.waitSeconds.p50)), 95% under "
                    + minutes(summary.waitSeconds.p95)
            ),
            row("offers", "\(summary.offers), \(decimal(perRide)) for each ride"),
            row(
                "rides for each driver",
                "Gini \(decimal(summary.ridesPerDriverGini)), for each hour on duty "
                    + decimal(summary.ridesPerHourGini)
            ),
            row("overtaken by no rule", "\(findings.overtakings)"),
        ]
        for rule in Audit.Findings.Rule.allCases {
            guard let count = findings.overtakingsByRule[rule] else { continue }
            lines.append(row("  by rule \(rule.rawValue)", "\(count)"))
        }
        lines += [
            row("taxis given twice", "\(findings.doubleAssignments)"),
            row("broken invariants", "\(findings.violations)"),
            row("drives off the streets", "\(summary.offStreetDrives)"),
            row("events", "\(summary.events), state \(hash(summary.stateHash))"),
        ]
        lines += findings.examples.map { "  \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary as one JSON object.
    static func json(_ summary: Summary) throws -> String {
        let findings = summary.findings
        let byRule = Dictionary(
            uniqueKeysWithValues: findings.overtakingsByRule.map { ($0.rawValue, $1) }
        )
        let waits = summary.waitSeconds
        let object: [String: Any] = [
            "requests": summary.requests, "served": summary.served,
            "unserved": summary.unserved, "cancelled": summary.cancelled,
            "noShow": summary.noShow, "outsideCity": summary.outsideCity,
            "pending": summary.pending, "offers": summary.offers,
            "shared": [
                "asked": summary.sharing.asked, "joined": summary.sharing.joined,
                "refused": summary.sharing.refused,
            ],
            "waitSeconds": ["mean": waits.mean, "p50": waits.p50, "p95": waits.p95],
            "ridesPerDriverGini": summary.ridesPerDriverGini,
            "ridesPerHourGini": summary.ridesPerHourGini,
            "overtakings": findings.overtakings, "overtakingsByRule": byRule,
            "doubleAssignments": findings.doubleAssignments,
            "invariantViolations": findings.violations, "examples": findings.examples,
            "offStreetDrives": summary.offStreetDrives, "events": summary.events,
            "stateHash": hash(summary.stateHash),
        ]
        return try text(object)
    }

    /// Serializes an object as JSON with sorted keys.
    static func text(_ object: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: object,
            options: [.sortedKeys, .prettyPrinted]
        )
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    /// A state's hash: 16 hexadecimal digits.
    static func hash(_ hash: UInt64) -> String {
        hash.hex
    }

    private static func row(_ name: String, _ value: String) -> String {
        name.padding(toLength: 28, withPad: " ", startingAt: 0) + value
    }

    private static func share(_ part: Int, _ whole: Int) -> String {
        whole == 0 ? "" : "  (\(decimal(100 * Double(part) / Double(whole)))%)"
    }

    private static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }

    private static func minutes(_ seconds: Double) -> String {
        String(format: "%d:%02d min", Int(seconds) / 60, Int(seconds) % 60)
    }
}
