import Chronology
package import Dispatching
package import Localization

/// The words of the question when.
extension LaterTexts {
    /// How far ahead one may reserve.
    package static func limits(_ policy: Policy) -> Text {
        let least = length(policy[.reserveMin])
        let most = length(policy[.reserveMax])
        return LaterTexts.atLeastAndAtMost(least, most)
    }

    /// Whole days where it is many hours.
    package static func length(_ hours: Int64) -> Text {
        if hours == 1 { return LaterTexts.oneHour }
        if hours > 48, hours % 24 == 0 {
            return LaterTexts.days(hours / 24)
        }
        return LaterTexts.hours(hours)
    }

    package static func tooSoon(_ policy: Policy, _ earliest: Text) -> Text {
        let least = length(policy[.reserveMin])
        return LaterTexts.youReserveAtLeastAhead(least, earliest)
    }
    package static func tooFar(_ policy: Policy, _ latest: Text) -> Text {
        let most = length(policy[.reserveMax])
        return LaterTexts.youReserveAtMostAhead(most, latest)
    }

    package static let months = [
        LaterTexts.january, LaterTexts.february, LaterTexts.march,
        LaterTexts.april, LaterTexts.may, LaterTexts.june,
        LaterTexts.july, LaterTexts.august, LaterTexts.september,
        LaterTexts.october, LaterTexts.november, LaterTexts.december,
    ]
    package static let weekdays = [
        LaterTexts.monday, LaterTexts.tuesday, LaterTexts.wednesday,
        LaterTexts.thursday, LaterTexts.friday, LaterTexts.saturday,
        LaterTexts.sunday,
    ]
}
