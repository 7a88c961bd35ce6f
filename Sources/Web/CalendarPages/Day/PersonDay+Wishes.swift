import Agenda
import DayPlanning
import TravelPages
import TripPlanning

extension CalendarPages {
    /// What the owner of a day wishes of its journeys.
    static func wish(_ subject: Subject, of input: inout DayInput) {
        let settings = subject.settings
        input.avoided = settings.avoidedHours.compactMap { ModeHours($0) }
        input.avoidsRain = settings.avoidsRain
        input.wheelchair = settings.usesWheelchair
        input.passes = settings.passes.filter { $0.isValid(on: subject.date) }.map(\.product)
        input.tripLimits = TripLimits(
            minorUnits: settings.mostMoney?.minorUnits,
            currencyCode: settings.mostMoney?.currency,
            grams: settings.mostGrams,
            modes: settings.modeLimits.compactMap { ModeLimit($0) }
        )
        input.relaxing = TripConstraint.order(of: settings.relaxed)
        input.follow(
            noneOverlap: subject.rules.overlapping.isEmpty,
            unlocatedOverlap: subject.rules.mayUnlocatedOverlap,
            departsWithinWindows: subject.rules.departsWithinWindows
        )
        let least = Int32(clamping: settings.leastWaitMinutes * 60)
        input.wait = least...max(least, Int32(clamping: settings.mostWaitMinutes * 60))
    }
}
