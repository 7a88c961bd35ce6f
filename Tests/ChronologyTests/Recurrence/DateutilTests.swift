import Chronology
import Foundation
import SeededRandom
import TestSupport
import Testing

/// Recurrence rules against dateutil, the Python library with which most programs are compared.
@Suite("Recurrence rules against dateutil")
struct DateutilTests {
    private static let root: URL = {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root
    }()

    /// The path of a Python that has dateutil: that of scripts/prepare-python, or the system's.
    private static let python: String? = {
        let own = root.appendingPathComponent(".build/python/bin/python").path
        return [own, "/usr/bin/python3", "/usr/local/bin/python3"].first { path in
            FileManager.default.isExecutableFile(atPath: path)
                && (try? run(path, "-c", "import dateutil.rrule")) == 0
        }
    }()

    private static let advice: Comment = "python-dateutil is absent (scripts/prepare-python)"

    private static func run(_ path: String, _ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The fault of dateutil that a rule would trigger; nil for a rule that it handles as RFC 5545
    /// says.
    private static func fault(_ rule: RecurrenceRule) -> String? {
        if rule.frequency == .weekly, !rule.positions.isEmpty {
            return "counts BYSETPOS of the first week from DTSTART on"
        }
        if !rule.weeks.isEmpty, rule.interval > 1 || !rule.positions.isEmpty {
            return "takes years of weeks for years of months"
        }
        let isOpen = rule.weekdays.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
        if !rule.weeks.isEmpty, isOpen {
            return "takes every day of a week for that of DTSTART"
        }
        let isMonthDayAlone = rule.weekdays.isEmpty && rule.yearDays.isEmpty && rule.weeks.isEmpty
        if rule.frequency == .yearly, rule.months.isEmpty, !rule.monthDays.isEmpty,
            isMonthDayAlone
        {
            return "takes every month for that of DTSTART"
        }
        let numbered = rule.weekdays.filter { $0.ordinal != 0 }.count
        if numbered > 0, numbered < rule.weekdays.count {
            return "wants numbered and other weekdays at once"
        }
        return nil
    }

    @Test("random rules recur as dateutil says", .enabled(if: python != nil, advice))
    func rules() throws {
        var random = SeededRandom(seed: 32)
        var cases: [(rule: RecurrenceRule, start: LocalTime)] = []
        while cases.count < Effort.instances(1_000, everything: 100_000) {
            var (rule, start) = RandomRule.make(&random)
            if Self.fault(rule) != nil { continue }
            switch random.below(4) {
            case 0: rule.end = .count(Int32(1 + random.below(20)))
            case 1: rule.end = .local(LocalTime(wallSeconds: start.wallSeconds + 200_000_000))
            default: break
            }
            cases.append((rule, start))
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dateutil-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (rules, answers) = (
            folder.appendingPathComponent("rules"), folder.appendingPathComponent("answers")
        )
        let lines = cases.map { rule, start in
            "\(String(decoding: rule.text, as: UTF8.self))\t\(start.iso8601)\t15\n"
        }
        try Data(lines.joined().utf8).write(to: rules)
        let script = Self.root.appendingPathComponent(
            "Tests/RecurrenceOracle/dateutil_occurrences.py"
        )
        #expect(try Self.run(try #require(Self.python), script.path, rules.path, answers.path) == 0)
        let found = try String(contentsOf: answers, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        try #require(found.count > cases.count)
        var slow = 0
        for (index, (rule, start)) in cases.enumerated() {
            if found[index] == "slow" {
                slow += 1
                continue
            }
            let own = RecurrenceIterator(rule, start: start).prefix(15).map {
                String(decoding: $0.basic, as: UTF8.self)
            }
            #expect(own.joined(separator: ",") == found[index], "\(lines[index])")
        }
        #expect(slow < cases.count / 5, "dateutil was too slow for \(slow) rules")
    }
}
