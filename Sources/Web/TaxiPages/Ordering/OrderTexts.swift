import Dispatching
package import Localization

extension OrderTexts {
    package static func missing(_ end: RideEnd) -> Text {
        switch end {
        case .from:
            OrderTexts.noPickup
        case .to:
            Refusal.destinationMissing.text
        }
    }
    package static func vague(_ metres: Double, allowed: Int64) -> Text {
        let known = Int64(min(max(metres, 0), 1e9).rounded())
        return OrderTexts.locationTooVague(known, allowed)
    }

    package static func found(_ typed: String, _ end: RideEnd) -> Text {
        switch end {
        case .from: OrderTexts.fromTyped(typed)
        case .to: OrderTexts.toTyped(typed)
        }
    }
}

extension PointTexts {
    /// The title of the page for choosing a point.
    static func title(_ end: RideEnd, _ form: JourneyForm) -> Text {
        switch (end, form) {
        case (.from, .order): PointTexts.whereShallTheTaxiCome
        case (.from, .plan), (.from, .reach): PointTexts.whereDoYouStart
        case (.from, .stops): PointTexts.stopsWhere
        case (.from, .car), (.from, .bicycle): PointTexts.whereDoesItStand
        case (.from, .entry): PointTexts.whereIsIt
        case (.to, _): PointTexts.whereAreYouGoing
        }
    }
    /// The button that takes the point.
    static func use(_ end: RideEnd, _ form: JourneyForm) -> Text {
        switch (end, form) {
        case (.from, .order): PointTexts.pickUpHere
        case (.from, .plan), (.from, .reach): PointTexts.startHere
        case (.from, .stops): PointTexts.stopsHere
        case (.from, .car), (.from, .bicycle): PointTexts.itStandsHere
        case (.from, .entry): PointTexts.itIsHere
        case (.to, _): PointTexts.goHere
        }
    }
    package static let moves: [(name: String, words: Text)] = [
        ("in", PointTexts.closer), ("out", PointTexts.furtherAway),
        ("north", PointTexts.north), ("south", PointTexts.south),
        ("west", PointTexts.west), ("east", PointTexts.east),
    ]
}
