package import Chronology
import Foundation

extension TripMissing {
    /// The reason in English, for the command line and for programs.
    package func reasonText(in zone: ZoneTable) -> String { reason.text(in: zone) }
}

extension TripMissing.Reason {
    /// The reason in English.
    package func text(in zone: ZoneTable) -> String {
        switch self {
        case .hours(let rule): return rule.englishText
        case .rain(let moment, let probability, let rate):
            let how =
                probability.map { "\(Int(($0 * 100).rounded()))%" }
                ?? String(format: "%.1f mm/h", rate)
            return "rain \(how) at \(Self.clock(moment, zone))"
        case .rainUnknown(let moment):
            return "not known whether it rains at \(Self.clock(moment, zone))"
        case .wet(let minutes, let limit):
            guard let minutes else { return "not known for how long it is in the rain" }
            return "\(minutes) min in the rain, and at most \(limit) are allowed"
        case .price(let isKnown):
            return isKnown ? "costs more than --max-money" : "its price is not known"
        case .emissions(let isKnown):
            return isKnown ? "emits more than --max-co2" : "its emissions are not known"
        case .limit(let limit, let isKnown):
            return isKnown ? "more than \(limit.most.englishText)" : "its price is not known"
        case .walk(let metres, let limit):
            return "\(metres) m on foot, and at most \(limit) m are allowed"
        case .transfers(let count, let limit):
            return "\(count) transfers, and at most \(limit) are allowed"
        case .tooLong(let seconds):
            return "takes \(seconds / 3_600) h \(seconds / 60 % 60) min, twice as long as another"
        case .notWorthIt: return "no quicker than the other ways"
        case .noWay: return "no way was found"
        case .disrupted: return "lines do not run then because of a strike or an alert"
        case .outsideTimetable(let first, let last):
            return "the timetables cover \(first.iso8601) to \(last.iso8601)"
        case .notAccessible: return "not known to be accessible by wheelchair"
        case .sharing(let reason): return reason.text(in: zone)
        }
    }

    /// Hours and minutes on the city's clocks.
    private static func clock(_ instant: Instant, _ zone: ZoneTable) -> String {
        LocalTime(instant, in: zone).clockTime()
    }
}

extension ModeHours {
    fileprivate var englishText: String {
        isWholeDay
            ? "not to be used"
            : "not between \(Self.clock(startMinute)) and \(Self.clock(endMinute))"
    }
}

extension ModeLimit.Most {
    fileprivate var englishText: String {
        switch self {
        case .metres(let metres): "\(metres) m"
        case .minutes(let minutes): "\(minutes) min"
        case .money(let amount, let code): Self.text(amount, code)
        }
    }
}

extension TripMissing.Sharing {
    fileprivate func text(in zone: ZoneTable) -> String {
        switch self {
        case .noSystem: "no system with such vehicles is known"
        case .silent(let system, nil): "nothing is known from \(system)"
        case .silent(let system, let since?):
            "nothing new from \(system) since \(LocalTime(since, in: zone).iso8601)"
        case .notKnownAhead(let minutes):
            "which vehicles are free is known for the next \(minutes) min only"
        case .closed(let system): "\(system) is closed then"
        case .noVehicle(let metres): "no vehicle to rent within \(metres) m"
        case .noReturn(let metres): "no place to return it within \(metres) m of the destination"
        case .roundTripsOnly: "vehicles must be returned where they were rented"
        case .range: "no vehicle that is there goes that far"
        case .forbiddenArea: "every way leads through an area where riding is forbidden"
        }
    }
}

extension TripMode {
    /// The mode in English, as a person would say it.
    package var englishText: String {
        switch self {
        case .kind(.walk): "walk"
        case .kind(.bicycle): "bicycle"
        case .kind(.car): "car"
        case .kind(.taxi): "taxi"
        case .kind(.transit): "public transport"
        case .kind(.bikeshare): "shared bicycle"
        case .kind(.scooter): "shared scooter"
        case .kind(.carshare): "shared car"
        case .vehicle(let vehicle): "\(vehicle)"
        }
    }
}
