import Chronology
import Encoding
import OpenData

/// A transport company as notices of strikes name it, and when it runs in spite of them.
package struct StrikeOperator: Sendable, Hashable {
    /// The words by which notices name it, in capitals.
    package let name: String
    /// The words of its name in the timetable.
    package let agency: String
    /// The branch of the register in which its strikes are announced.
    package let sector: Sector
    /// The province that it serves; nil if only notices that name it are about it.
    package let province: Province?
    /// The minutes of the day in which it runs: the hours that the law or an agreement guarantees.
    package let guaranteed: [Range<Int32>]

    /// The branches of the register.
    package enum Sector: String, Sendable, Hashable, CaseIterable {
        /// Buses, trams and undergrounds of a city.
        case local
        /// Passenger trains of any company.
        case rail
    }

    /// A province with its region.
    package struct Province: Sendable, Hashable {
        /// The region, such as `Lombardia`.
        package let region: String
        /// The province, such as `Milano`.
        package let name: String
    }

    /// The hours in which Italian trains run during strikes on working days (law 146 of 1990, and
    /// the agreements of the railways).
    static let railHours: [Range<Int32>] = [360..<540, 1_080..<1_260]

    /// Creates an operator.
    package init(
        name: String,
        agency: String,
        sector: Sector,
        province: Province?,
        guaranteed: [Range<Int32>]
    ) {
        self.name = name.uppercased()
        self.agency = agency
        self.sector = sector
        self.province = province
        self.guaranteed = guaranteed
    }

    /// Reads `atm: ATM, local, Lombardia, Milano, 00:00-08:45, 15:00-18:00`; nil for a malformed
    /// text.
    ///
    /// The words before the colon are those of notices, with hyphens for blanks; then follow the
    /// agency of the timetable, the branch, region and province, and the guaranteed hours.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(named: parts[0], parts[1])
    }

    /// Reads what ``init(_:)`` reads, with the name apart.
    package init?(named name: some StringProtocol, _ text: some StringProtocol) {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0).trimmingWhiteSpace() }
        let words = name.split { $0 == "-" || $0 == " " }.joined(separator: " ")
        guard fields.count >= 4, let sector = Sector(rawValue: fields[1]), !words.isEmpty,
            !fields[0].isEmpty, !fields[2].isEmpty, !fields[3].isEmpty
        else { return nil }
        var hours: [Range<Int32>] = []
        for field in fields[4...] {
            guard let span = Self.hours(field) else { return nil }
            hours.append(span)
        }
        self.init(
            name: words,
            agency: fields[0],
            sector: sector,
            province: Province(region: fields[2], name: fields[3]),
            guaranteed: hours
        )
    }

    /// Reads hours of a day such as `15:00-18:00`.
    private static func hours(_ text: String) -> Range<Int32>? {
        guard let rule = ModeHours("transit@\(text)"), rule.startMinute < rule.endMinute else {
            return nil
        }
        return rule.startMinute..<rule.endMinute
    }

    /// Whether the words of a text name the company.
    private func isNamed(in text: String) -> Bool {
        let words = text.uppercased().split { !$0.isLetter && !$0.isNumber }
        let own = name.split { !$0.isLetter && !$0.isNumber }
        guard !own.isEmpty, own.count <= words.count else { return false }
        return (0...(words.count - own.count)).contains { start in
            words[start..<(start + own.count)].elementsEqual(own)
        }
    }

    /// The words with which notices begin the name of a company.
    private static let companyWords: Set<Substring> = [
        "SOC", "SOCC", "SOCIETA", "SOCIETÀ", "GRUPPO", "AZIENDA", "AZIENDE", "COOPERATIVA",
    ]

    /// Whether a notice may be about the company: it names the company, or names none and is about
    /// its branch and province.
    func isConcerned(by notice: StrikeNotice) -> Bool {
        let sectors: [String] =
            switch sector {
            case .local: ["trasporto pubblico locale", "generale", "plurisettoriale"]
            case .rail: ["ferroviario", "generale", "plurisettoriale"]
            }
        guard sectors.contains(notice.sector.lowercased()) else { return false }
        let isHere =
            province.map { notice.concerns(province: $0.name, region: $0.region) }
        if isNamed(in: notice.staff) || isNamed(in: notice.hoursText) { return isHere ?? true }
        let words = notice.staff.uppercased().split { !$0.isLetter }
        return isHere == true && !words.contains { Self.companyWords.contains($0) }
    }

    /// The words of a notice's hours that are about the branch, besides those about all staff.
    private var scopes: [String] {
        switch sector {
        case .local: ["TPL", "LOCALE", "AUTOFERRO", "METRO", "BUS", "TRAM", name]
        case .rail: ["FERRO", "TREN", name]
        }
    }

    /// When the company may not run because of a strike: the strike's hours, as far as they could
    /// be understood, or else its days, without the guaranteed hours.
    func closedSpans(of notice: StrikeNotice, in zone: ZoneTable) -> [Range<Instant>] {
        let own = notice.hours.spans.filter { span in
            span.scope.isEmpty || scopes.contains { span.scope.contains($0) }
        }
        let spans =
            own.isEmpty
            ? [whole(notice, zone)]
            : own.map { $0.start.instant(in: zone)..<max($0.start, $0.end).instant(in: zone) }
        return spans.flatMap { without(guaranteed, $0, zone) }
    }

    private func whole(_ notice: StrikeNotice, _ zone: ZoneTable) -> Range<Instant> {
        let start = zone.instant(notice.firstDay, second: 0)
        return start..<max(start, zone.instant(notice.lastDay.adding(days: 1), second: 0))
    }

    /// How many days of a strike are read.
    private static let daysRead: Int32 = 60

    /// A span without hours of each of its days.
    private func without(
        _ hours: [Range<Int32>],
        _ span: Range<Instant>,
        _ zone: ZoneTable
    ) -> [Range<Instant>] {
        var left = [span]
        var day = zone.local(span.lowerBound).date
        // No strike lasts for months; of one that claims to, the hours of later days are closed.
        let last = min(zone.local(span.upperBound).date, day.adding(days: Self.daysRead))
        while day <= last {
            for hours in hours {
                let first = zone.instant(day, second: hours.lowerBound * 60)
                let end = zone.instant(day, second: hours.upperBound * 60)
                left = left.flatMap { part -> [Range<Instant>] in
                    guard first < part.upperBound, part.lowerBound < end else { return [part] }
                    return [
                        part.lowerBound..<max(part.lowerBound, first),
                        min(end, part.upperBound)..<part.upperBound,
                    ].filter { !$0.isEmpty }
                }
            }
            day = day.adding(days: 1)
        }
        return left
    }
}
