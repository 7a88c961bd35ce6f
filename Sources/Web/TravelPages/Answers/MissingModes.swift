import Chronology
package import Localization
import Markup
import TaxiPages
import Transit
package import TripPlanning
import WebCore

/// The modes that were asked for and have no trip, with the reasons, below the results.
extension TravelPages {
    /// The list; nothing if no mode is missing that people could expect here.
    func missing(_ modes: [TripMissing], _ context: RequestContext) -> HTML {
        let expected = modes.filter { $0.reason != .sharing(.noSystem) }
        guard !expected.isEmpty else { return .empty }
        let items = expected.map { entry -> HTML in
            let text = RulesTexts.entry(Self.name(of: entry.mode), words(entry.reason))
            return "<li>\(context.say(text))</li>"
        }
        return """
            <h2>\(context.say(RulesTexts.missing))</h2>
            <ul class="hint">\(items)</ul>
            """
    }

    /// The minutes in the rain; nil if it stays dry or nothing is known.
    func rain(_ option: TripOption) -> Text? {
        option.wetMinutes.flatMap { $0 > 0 ? RulesTexts.inRain($0) : nil }
    }

    /// How probable it is to be on time; nil if it is unknown.
    func onTime(_ option: TripOption) -> Text? {
        option.onTime.map { RulesTexts.onTime(Int64(($0 * 100).rounded())) }
    }

    /// The minutes that traffic costs; nil if there are none.
    func traffic(_ option: TripOption) -> Text? {
        option.trafficMinutes > 0 ? RulesTexts.inTraffic(option.trafficMinutes) : nil
    }

    /// The name of a mode.
    package static func name(of mode: TripMode) -> Text {
        switch mode {
        case .kind(let kind): kind.text
        case .vehicle(let vehicle):
            switch vehicle {
            case .metro: RulesTexts.metro
            case .tram: RulesTexts.tram
            case .bus: RulesTexts.bus
            case .rail: RulesTexts.train
            default: TravelLook(vehicle).word
            }
        }
    }

    /// The hours of a rule in words.
    package static func words(_ rule: ModeHours) -> Text {
        rule.isWholeDay
            ? RulesTexts.notToday
            : RulesTexts.notBetween(
                ModeHours.clock(rule.startMinute),
                ModeHours.clock(rule.endMinute)
            )
    }

    package func words(_ reason: TripMissing.Reason) -> Text {
        switch reason {
        case .hours(let rule): Self.words(rule)
        case .rain(let moment, let share?, _):
            RulesTexts.rainShare(Int64((share * 100).rounded()), clockTime(moment))
        case .rain(let moment, nil, _): RulesTexts.rainAt(clockTime(moment))
        case .rainUnknown(let moment): RulesTexts.rainUnknown(clockTime(moment))
        case .wet(let minutes, _):
            minutes.map { RulesTexts.tooWet($0) } ?? RulesTexts.wetUnknown
        case .price(let isKnown): isKnown ? RulesTexts.tooDear : RulesTexts.priceUnknown
        case .emissions(let isKnown): isKnown ? RulesTexts.tooDirty : RulesTexts.emissionsUnknown
        case .limit(let limit, let isKnown):
            isKnown ? LimitsTexts.beyond(Self.words(limit.most)) : RulesTexts.priceUnknown
        case .walk(let metres, _): RulesTexts.walk(CommonTexts.distance(Int64(metres)))
        case .transfers(let count, _): TripsTexts.changes(count)
        case .tooLong(let seconds): RulesTexts.tooLong(PlanTexts.duration(seconds))
        case .notWorthIt: RulesTexts.notWorthIt
        case .noWay: RulesTexts.noWay
        case .disrupted: RulesTexts.disrupted
        case .outsideTimetable(let first, let last): RulesTexts.outsideTimetable(first, last)
        case .notAccessible: RulesTexts.notAccessible
        case .sharing(let reason): words(reason)
        }
    }

    private func words(_ reason: TripMissing.Sharing) -> Text {
        switch reason {
        case .noSystem: RulesTexts.noSystem
        case .silent(let system, _): RulesTexts.silent(system)
        case .notKnownAhead(let minutes): RulesTexts.notKnownAhead(minutes)
        case .closed(let system): RulesTexts.closed(system)
        case .noVehicle(let metres): RulesTexts.noVehicle(CommonTexts.distance(metres))
        case .noReturn(let metres): RulesTexts.noReturn(CommonTexts.distance(metres))
        case .roundTripsOnly: RulesTexts.roundTripsOnly
        case .range: RulesTexts.range
        case .forbiddenArea: RulesTexts.forbiddenArea
        }
    }
}
