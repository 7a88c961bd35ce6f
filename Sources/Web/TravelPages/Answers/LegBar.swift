import Chronology
import Localization
package import Markup
import TaxiPages
package import TripPlanning
package import WebCore

/// The legs of a trip next to each other, as wide as they take long (ui.md 4.7).
///
/// The bar is visual only: a sentence beside it says the same.
package struct LegBar {
    let option: TripOption

    /// The number of parts into which a trip is divided; longer legs have several.
    private static let parts: Int64 = 12
    /// The shortest wait that is shown, in seconds.
    private static let shortestWait: Int64 = 180

    /// Creates the bar of a trip.
    package init(_ option: TripOption) {
        self.option = option
    }

    /// The bar, and its sentence for those who do not see it.
    package func html(_ context: RequestContext) -> HTML {
        var items: [HTML] = []
        var before = option.departure
        for step in option.legs {
            let wait = step.departure.seconds - before.seconds
            if wait >= Self.shortestWait {
                items.append("<i class=\"wait \(width(wait))\"></i>")
            }
            before = step.arrival
            // The label is drawn by the style sheet, so that text browsers do not read it twice.
            items.append(
                """
                <i class="\(step.style) \(width(step.seconds))" data-label="\(label(step))">\
                \(step.tint)\(TravelLook(step).icon.html)</i>
                """
            )
        }
        return """
            <span class="bar" aria-hidden="true">\(items)</span>\
            <span class="hidden">(\(context.say(sentence)))</span>
            """
    }

    private func width(_ seconds: Int64) -> String {
        let share = (Self.parts * seconds + option.seconds / 2) / max(1, option.seconds)
        return "w\(max(1, min(Self.parts, share)))"
    }

    /// The line of a ride, or the minutes of another leg.
    private func label(_ step: TripStep) -> String {
        step.ride.map { String($0.lineName.prefix(8)) } ?? "\(max(1, (step.seconds + 30) / 60))"
    }

    /// The legs as a sentence.
    var sentence: Text {
        Text(joining: option.legs.map(\.words), separator: ", ")
    }
}

extension TripOption {
    /// The legs that people notice: all but walks of less than a minute between two rides.
    var legs: [TripStep] {
        let noticed = steps.filter { $0.kind != .walk || $0.seconds >= 60 }
        return noticed.isEmpty ? steps : noticed
    }

    /// The first ride; nil if there is none.
    var firstRide: TripStep? { steps.first { $0.ride != nil } }
}

extension TripStep {
    /// The leg in a few words, such as "bus 57 12 min".
    var words: Text {
        let time = PlanTexts.duration(seconds)
        return switch kind {
        case .walk: TripPageTexts.walking(time)
        case .bicycle: TripPageTexts.cycling(time)
        case .car: TripPageTexts.driving(time)
        case .taxi, .transit, .bikeshare, .scooter, .carshare:
            TripPageTexts.riding(TravelLook(self).word, ride?.lineName ?? "", time)
        }
    }
}
