package import Chronology
import Encoding
package import Localization
import Markup
import TaxiPages
import Transit
import TripPlanning
import WebCore

/// The look of a leg: its icon, colour and word.
struct TravelLook {
    let icon: Icon
    /// The colour of the leg, on the map and beside it.
    let kind: MapScene.Line.Kind
    /// The name of the vehicle.
    let word: Text

    init(_ step: TripStep) {
        (icon, kind, word) =
            switch step.kind {
            case .walk: (.walking, .walking, PlanTexts.walk)
            case .bicycle: (.bicycle, .bicycle, PlanTexts.bicycle)
            case .bikeshare: (.bicycle, .bicycle, RulesTexts.bikeshare)
            case .scooter: (.scooter, .bicycle, RulesTexts.scooter)
            case .car: (.car, .car, PlanTexts.car)
            case .carshare: (.car, .car, RulesTexts.carshare)
            case .taxi: (.taxi, .taxi, TripPageTexts.taxiWord)
            case .transit: Self.vehicle(step.ride?.mode ?? .other)
            }
    }

    /// The look of a line's vehicles.
    init(_ mode: TransitMode) {
        (icon, kind, word) = Self.vehicle(mode)
    }

    private static func vehicle(
        _ mode: TransitMode
    ) -> (Icon, MapScene.Line.Kind, Text) {
        switch mode {
        case .tram, .cableTram: (.tram, .tram, TripPageTexts.tram)
        case .metro, .monorail: (.metro, .metro, TripPageTexts.metro)
        case .rail: (.train, .train, TripPageTexts.train)
        case .bus, .trolleybus, .coach: (.bus, .bus, TripPageTexts.bus)
        case .ferry: (.ferry, .ferry, TripPageTexts.ferry)
        case .aerialLift, .funicular: (.tram, .tram, TripPageTexts.cable)
        case .air, .other: (.bus, .bus, TripPageTexts.vehicle)
        }
    }
}

extension TripStep {
    /// The line's own colour; nil for all but metros, whose colours people know.
    var colour: UInt32? {
        [.metro, .monorail].contains(ride?.mode) ? ride?.color : nil
    }

    /// The classes of an element that is filled with the colour of the leg or with the line's own.
    ///
    /// The text colours in feeds are often hard to read; ours is black or white.
    var style: String {
        TravelLook(self).style(colour)
    }

    /// The line's own colour as the background of its contents.
    var tint: HTML? { TravelLook.tint(colour) }
}

extension TransitLine {
    /// The line's own colour; nil for all but metros, whose colours people know.
    var colour: UInt32? { [.metro, .monorail].contains(mode) ? color : nil }

    /// The name of the line with its icon and colour.
    ///
    /// - Parameters:
    ///   - address: the target of its link; nil inside another link.
    ///   - isShort: whether to show only the name, because a heading says the rest or many marks
    ///     stand next to each other.
    ///   - context: the visitor's request.
    /// - Returns: the mark.
    func mark(
        _ address: Address? = nil,
        isShort: Bool = false,
        _ context: RequestContext
    ) -> HTML {
        let look = TravelLook(mode)
        let word: HTML = "<span class=\"hidden\">\(context.say(look.word))</span>"
        let vehicle: HTML = "\(look.icon.html) \(word) "
        let content: HTML = """
            \(TravelLook.tint(colour))\(HTML.when(!isShort, vehicle))<b>\(name)</b>
            """
        guard let address else {
            return "<span class=\"capsule \(look.style(colour))\">\(content)</span>"
        }
        return "<a class=\"capsule \(look.style(colour))\" href=\(address)>\(content)</a>"
    }
}

extension TravelLook {
    /// The classes of an element that is filled with the colour of a vehicle or with the line's
    /// own.
    func style(_ colour: UInt32?) -> String {
        colour.map { Self.isPale($0) ? "\(kind.rawValue) own pale" : "\(kind.rawValue) own" }
            ?? kind.rawValue
    }

    /// A line's own colour as the background of its contents.
    static func tint(_ colour: UInt32?) -> HTML? {
        colour.map { colour in
            """
            <svg class="tint" aria-hidden="true" focusable="false">\
            <rect width="100%" height="100%" fill="\(Hex.colour(colour))"/></svg>
            """
        }
    }

    /// Whether dark text stands out more than white text (WCAG 2.2, relative luminance).
    static func isPale(_ colour: UInt32) -> Bool {
        func linear(_ shift: UInt32) -> Double {
            let part = Double((colour >> shift) & 0xFF) / 255
            // A polynomial that approximates the curve of sRGB is exact enough for a choice between
            // two colours.
            return part * (part * (part * 0.305306011 + 0.682171111) + 0.012522878)
        }
        let luminance = 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
        return luminance > 0.183
    }
}

extension PlanTexts {
    /// A duration in whole minutes, from an hour on in hours and minutes: 45 min, 1 h, 1 h 05.
    ///
    /// - Parameters:
    ///   - seconds: the duration.
    ///   - least: the least number of minutes; 1 where something certainly takes time.
    /// - Returns: the words.
    package static func duration(_ seconds: Int64, least: Int64 = 1) -> Text {
        let minutes = max(least, (seconds + 30) / 60)
        guard minutes >= 60 else { return TripsTexts.minutes(minutes) }
        guard minutes % 60 > 0 else { return Text(same: "\(minutes / 60) h") }
        let rest = String(100 + minutes % 60).dropFirst()
        return TripsTexts.hours(minutes / 60, String(rest))
    }

    /// The duration between two times that stand beside it.
    ///
    /// Pages round departures down and arrivals up to whole minutes. People subtract what they see,
    /// so the duration is that difference and not the exact one.
    package static func duration(from departure: Instant, to arrival: Instant) -> Text {
        let leave = departure.seconds / 60
        return duration(((arrival.seconds + 59) / 60 - leave) * 60)
    }
}
