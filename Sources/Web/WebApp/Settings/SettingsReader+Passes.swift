import OpenData

/// Reads for which days passes are valid: `passes.IDENTIFIER: 7 days`, or `calendar month`.
extension SettingsReader {
    private static let passesPrefix = "passes."

    /// The identifier of the pass that a setting is about; nil if it is about none.
    static func passName(_ setting: String) -> String? {
        guard setting.hasPrefix(passesPrefix) else { return nil }
        return String(setting.dropFirst(passesPrefix.count))
    }

    mutating func passPeriods() -> [String: PassPeriod] {
        var periods: [String: PassPeriod] = [:]
        for (name, given) in givenPasses {
            if let period = PassPeriod(given.value) {
                periods[name] = period
                continue
            }
            note(
                SettingsFault(
                    file: given.source,
                    line: given.line,
                    name: Self.passesPrefix + name,
                    problem: .badValue(
                        expected: "1 day, 7 days, another number of days up to two years, "
                            + "calendar week or calendar month"
                    )
                )
            )
        }
        return periods
    }

    /// The passes as they are configured.
    func explainedPasses() -> [Settings.Explained] {
        givenPasses.map { name, given in
            Settings.Explained(
                name: Self.passesPrefix + name,
                value: given.value,
                source: given.line.map { "\(given.source), line \($0)" } ?? given.source,
                meaning: "For which days a pass is valid, for advice on passes."
            )
        }
    }
}
