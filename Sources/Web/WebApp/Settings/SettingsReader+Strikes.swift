import TripPlanning

/// Reads the companies that strike: `strikes.NAME: AGENCY, SECTOR, REGION, PROVINCE, HOURS, ...`.
extension SettingsReader {
    private static let strikesPrefix = "strikes."

    /// The name of the company that a setting is about; nil if it is about none.
    static func companyName(_ setting: String) -> String? {
        guard setting.hasPrefix(strikesPrefix) else { return nil }
        return String(setting.dropFirst(strikesPrefix.count))
    }

    mutating func strikeOperators() -> [StrikeOperator] {
        givenCompanies.compactMap { name, given in
            if let company = StrikeOperator(named: name, given.value) { return company }
            note(
                SettingsFault(
                    file: given.source,
                    line: given.line,
                    name: Self.strikesPrefix + name,
                    problem: .badValue(
                        expected: "the agency of the timetable, local or rail, region, province "
                            + "and guaranteed hours, such as ATM, local, Lombardia, Milano, "
                            + "00:00-08:45, 15:00-18:00"
                    )
                )
            )
            return nil
        }
    }

    /// The companies as they are configured.
    func explainedStrikes() -> [Settings.Explained] {
        givenCompanies.map { name, given in
            Settings.Explained(
                name: Self.strikesPrefix + name,
                value: given.value,
                source: given.line.map { "\(given.source), line \($0)" } ?? given.source,
                meaning: "A company that strikes, and when it runs all the same."
            )
        }
    }
}
