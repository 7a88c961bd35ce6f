import Agenda
import CityData
import Encoding
import Foundation
import HTTPServer
import Identity
import Logging
import OpenData
import WebCore

/// Collects settings from their sources, converts them to values and records faults.
struct SettingsReader {
    struct Given {
        var value: String
        var source: String
        var line: Int?
    }

    private var given: [SettingName: Given] = [:]
    /// What is given for each feed, by its name, in the order of the sources.
    private(set) var givenFeeds: [(name: String, given: Given)] = []
    /// The same for each company that strikes.
    private(set) var givenCompanies: [(name: String, given: Given)] = []
    /// For which days each pass is valid, as it is given.
    private(set) var givenPasses: [(name: String, given: Given)] = []
    /// What is given for each provider with which people sign in, by its name and the part.
    private(set) var givenProviders: [(name: String, given: Given)] = []
    private(set) var faults: [SettingsFault] = []

    mutating func take(fileNamed name: String, text: String) {
        do {
            for line in try SettingsFile(text: text, file: name).lines {
                guard let setting = SettingName(rawValue: line.name) else {
                    let value = Given(value: line.value, source: name, line: line.line)
                    if give(line.name, value) { continue }
                    let nearest = Self.nearest(to: line.name)
                    faults.append(
                        SettingsFault(
                            file: name,
                            line: line.line,
                            name: line.name,
                            problem: .unknownName(nearest: nearest)
                        )
                    )
                    continue
                }
                given[setting] = Given(value: line.value, source: name, line: line.line)
            }
        } catch {
            faults.append(error)
        }
    }

    mutating func take(environment: [String: String]) {
        for setting in SettingName.allCases {
            if let value = environment[setting.variable], !value.isEmpty {
                given[setting] = Given(value: value, source: setting.variable)
            }
        }
        for name in providerNames {
            for part in ProviderPart.allCases {
                let setting = Self.providerSetting(name, part)
                let variable = SettingName.variable(of: setting)
                guard let value = environment[variable], !value.isEmpty else { continue }
                _ = give(setting, Given(value: value, source: variable))
            }
        }
    }

    mutating func take(options: [String: String]) {
        for setting in SettingName.allCases {
            if let value = options[setting.rawValue] {
                given[setting] = Given(value: value, source: "the command line")
            }
        }
        for (name, value) in options.sorted(by: { $0.key < $1.key })
        where SettingName(rawValue: name) == nil {
            _ = give(name, Given(value: value, source: "the command line"))
        }
    }

    /// Notes a fault of something that is no setting by itself.
    mutating func note(_ fault: SettingsFault) {
        faults.append(fault)
    }

    /// Takes a setting that is one of several with names of their own; false for any other.
    private mutating func give(_ setting: String, _ given: Given) -> Bool {
        func put(_ name: String, into list: inout [(name: String, given: Given)]) {
            if let index = list.firstIndex(where: { $0.name == name }) {
                list[index].given = given
            } else {
                list.append((name, given))
            }
        }
        if let feed = Self.feedName(setting) {
            put(feed, into: &givenFeeds)
        } else if let company = Self.companyName(setting) {
            put(company, into: &givenCompanies)
        } else if let pass = Self.passName(setting) {
            put(pass, into: &givenPasses)
        } else if let part = Self.providerPart(setting) {
            put(part, into: &givenProviders)
        } else {
            return false
        }
        return true
    }

    mutating func note(_ setting: SettingName, _ problem: SettingsFault.Problem) {
        let source = given[setting]
        faults.append(
            SettingsFault(
                file: source?.source ?? "standard",
                line: source?.line,
                name: setting.rawValue,
                problem: problem
            )
        )
    }

    func text(_ setting: SettingName) -> String? {
        let value = given[setting]?.value ?? setting.standard
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    func list(_ setting: SettingName) -> [String] {
        (text(setting) ?? "").split(separator: ",").map { $0.trimmingBlanks() }.filter {
            !$0.isEmpty
        }
    }

    mutating func number(_ setting: SettingName, in range: ClosedRange<Int>) -> Int {
        guard let number = text(setting).flatMap({ Int($0) }), range.contains(number) else {
            let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            note(setting, .badValue(expected: expected))
            return range.lowerBound
        }
        return number
    }

    /// Reads two settings that must be given together.
    mutating func pair(_ first: SettingName, _ second: SettingName) -> (String, String)? {
        switch (text(first), text(second)) {
        case (let one?, let other?): return (one, other)
        case (nil, nil): return nil
        case (_?, nil): note(first, .needs(second.rawValue))
        case (nil, _?): note(second, .needs(first.rawValue))
        }
        return nil
    }

    mutating func plain() -> Settings.Plain {
        guard let plain = text(.plain).flatMap(Settings.Plain.init(rawValue:)) else {
            let names = Settings.Plain.allCases.map(\.rawValue).joined(separator: ", ")
            note(.plain, .badValue(expected: names))
            return .off
        }
        return plain
    }

    mutating func listen(_ setting: SettingName) -> ListenAddress {
        guard let (host, port) = Self.place((text(setting) ?? "")[...]) else {
            let expected = "a host and a port, such as 127.0.0.1:8080 or [::1]:8080"
            note(setting, .badValue(expected: expected))
            return ListenAddress(host: "127.0.0.1", port: 0)
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return ListenAddress(
            host: isBracketed ? String(host.dropFirst().dropLast()) : host,
            port: port
        )
    }

    /// Splits a host and port at the last colon.
    static func place(_ text: Substring) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let port = Int(text[text.index(after: colon)...]), (0...65_535).contains(port)
        else { return nil }
        return (String(text[..<colon]), port)
    }

    mutating func networks(_ setting: SettingName) -> [NetworkRange] {
        list(setting).compactMap { text in
            do throws(NetworkRange.Flaw) {
                return try NetworkRange(text)
            } catch {
                switch error {
                case .notARange:
                    let expected = "addresses or networks, such as 10.0.0.7, 10.0.0.0/8 or fd00::/8"
                    note(setting, .badValue(expected: expected))
                case .everything: note(setting, .believesEverybody)
                }
                return nil
            }
        }
    }

    mutating func phone(_ setting: SettingName) -> String? {
        guard let number = text(setting) else { return nil }
        guard (3...40).contains(number.count), number.allSatisfy({ "+0123456789 ".contains($0) })
        else {
            note(setting, .badValue(expected: "a telephone number such as +39 02 123456"))
            return nil
        }
        return number
    }

    /// Reads the delays of the past.
    mutating func delays() -> EmpiricalDelays? {
        guard let path = text(.delays) else { return nil }
        do throws(GTFSFailure) {
            return try EmpiricalDelays(.at(path: path), name: path)
        } catch {
            let text =
                if case .missingFile(_, let file) = error { "it has no \(file)" } else {
                    "its files are not those of OpenTripPlanner"
                }
            note(.delays, .unusable(text))
            return nil
        }
    }

    /// Reads the file of areas of coverage.
    mutating func coverage() -> CoverageAreas? {
        guard let path = text(.coverage) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            note(.coverage, .notReadable)
            return nil
        }
        do throws(CoverageFailure) {
            return try CoverageAreas(Array(bytes), file: path)
        } catch {
            note(.coverage, .unusable(error.description))
            return nil
        }
    }

    mutating func calendarRules() -> ConflictRules.Profile {
        guard let profile = text(.calendarRules).flatMap(ConflictRules.Profile.init) else {
            let names = ConflictRules.Profile.allCases.map(\.rawValue).joined(separator: ", ")
            note(.calendarRules, .badValue(expected: names))
            return .usual
        }
        return profile
    }

    mutating func timeZone() -> TimeZone {
        guard let zone = TimeZone(identifier: text(.timeZone) ?? "") else {
            note(.timeZone, .badValue(expected: "a name such as Europe/Rome"))
            return .gmt
        }
        return zone
    }

    mutating func level(_ setting: SettingName) -> Logger.Level {
        guard let level = text(setting).flatMap(Logger.Level.init(rawValue:)) else {
            note(setting, .badValue(expected: Self.levelsExpected))
            return .info
        }
        return level
    }

    mutating func levels(_ setting: SettingName) -> [String: Logger.Level] {
        var levels: [String: Logger.Level] = [:]
        for item in list(setting) {
            let parts = item.split(separator: "=").map { $0.trimmingBlanks() }
            guard parts.count == 2, let level = Logger.Level(rawValue: parts[1]) else {
                note(
                    setting,
                    .badValue(expected: "parts such as mail=debug, with \(Self.levelsExpected)")
                )
                continue
            }
            levels[parts[0]] = level
        }
        return levels
    }

    func explained() -> [Settings.Explained] {
        SettingName.allCases.map { setting in
            let value = text(setting) ?? ""
            return Settings.Explained(
                name: setting.rawValue,
                value: setting.isSecret && given[setting] != nil ? "(secret)" : value,
                source: given[setting].map { source in
                    source.line.map { "\(source.source), line \($0)" } ?? source.source
                } ?? "standard",
                meaning: setting.meaning
            )
        }
    }

    private static let levelsExpected = Logger.Level.allCases.map(\.rawValue).joined(
        separator: ", "
    )

    /// The most similar known name, if it differs only slightly.
    private static func nearest(to name: String) -> String? {
        let ranked = SettingName.allCases.map { ($0.rawValue, distance($0.rawValue, name)) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= 3 else { return nil }
        return best.0
    }

    /// The Levenshtein distance between two names.
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (index, character) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let changed = diagonal + (character == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
