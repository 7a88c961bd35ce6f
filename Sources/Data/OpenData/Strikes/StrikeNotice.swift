package import Chronology
import Encoding

/// A strike that the Italian Ministry of Infrastructure and Transport has registered.
///
/// A strike that is called off disappears from the register without notice: only a comparison with
/// the former content shows it.
package struct StrikeNotice: Hashable, Sendable {
    /// The address that identifies it; it leads nowhere.
    package let id: String
    /// The first day of the strike.
    package let firstDay: CivilDate
    /// The last day of the strike, which belongs to it.
    package let lastDay: CivilDate
    /// The branch, such as `Trasporto pubblico locale`.
    package let sector: String
    /// The extent, such as `Nazionale` or `Locale`.
    package let relevance: String
    /// The region; `Italia` for all.
    package let region: String
    /// The province; `Tutte` for all of the region.
    package let province: String
    /// The unions that call it.
    package let unions: String
    /// The staff that is called, with the names of companies.
    package let staff: String
    /// Its hours as the ministry words them.
    package let hoursText: String
    /// What could be understood of its hours.
    package let hours: StrikeHours

    /// Creates a notice, whose hours are read from their text.
    package init(
        id: String,
        firstDay: CivilDate,
        lastDay: CivilDate,
        sector: String,
        relevance: String,
        region: String,
        province: String,
        unions: String,
        staff: String,
        hoursText: String
    ) {
        self.id = id
        self.firstDay = firstDay
        self.lastDay = lastDay
        self.sector = sector
        self.relevance = relevance
        self.region = region
        self.province = province
        self.unions = unions
        self.staff = staff
        self.hoursText = hoursText
        hours = StrikeHours(hoursText, firstDay: firstDay)
    }

    /// Whether the strike is about a province.
    ///
    /// - Parameters:
    ///   - province: the name of the province, such as `Milano`.
    ///   - region: the name of its region, such as `Lombardia`.
    /// - Returns: whether its extent includes the province.
    package func concerns(province: String, region: String) -> Bool {
        func names(_ text: String, _ wanted: String) -> Bool {
            text.lowercased().split { !$0.isLetter && $0 != "'" && $0 != " " }
                .contains { Self.isSame(String($0), wanted) }
        }
        if Self.isSame(self.region, "Italia") { return true }
        guard names(self.region, region) else { return false }
        return Self.isSame(self.province, "Tutte") || names(self.province, province)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.trimmingWhiteSpace().lowercased() == other.lowercased()
    }
}

/// When a strike takes place, as far as its text could be understood.
package struct StrikeHours: Hashable, Sendable {
    /// The spans of time that the text states.
    package let spans: [Span]
    /// Whether the text says that it lasts for whole days or shifts.
    ///
    /// If it does not, and there are
    /// no spans, the hours are unknown: the strike may take place at any time of its days.
    package let isWholeDay: Bool

    /// A span of local time.
    package struct Span: Hashable, Sendable {
        /// The words before it, such as `FERROVIARIO`; "" if it is about all staff.
        package let scope: String
        /// Its first moment.
        package let start: LocalTime
        /// The moment after its last.
        package let end: LocalTime
    }

    /// Whether the strike may take place at a local time.
    ///
    /// A strike with one span for all staff takes place in that span only. Otherwise it may take
    /// place at any time of its days, and in the spans for certain staff.
    package func mayInclude(_ time: LocalTime, of notice: StrikeNotice) -> Bool {
        if spans.contains(where: { $0.start <= time && time < $0.end }) { return true }
        let isExact = !spans.isEmpty && spans.allSatisfy { $0.scope.isEmpty }
        return !isExact && notice.firstDay <= time.date && time.date <= notice.lastDay
    }
}
