import Encoding
import Fares
package import Localization
package import WebCore

extension TaxiPageModule {
    /// Whether the form sends a phone's position as one end of the ride.
    ///
    /// A typed address takes precedence. If the script fills in the address of the position, the
    /// form says so.
    package func isMeasured(_ context: RequestContext, as end: RideEnd = .from) -> Bool {
        guard context.form[end.measured("latitude")]?.isEmpty == false else { return false }
        let typed = context.form[end.rawValue]?.trimmingBlanks() ?? ""
        return typed.isEmpty || context.form["\(end.rawValue)-id"] == "here"
    }

    /// Reads a phone's position, which must be accurate enough (R45, R74).
    ///
    /// - Parameters:
    ///   - end: the end of the ride that is at the position.
    ///   - allowed: the greatest inaccuracy in metres; any, if negative.
    ///   - context: the visitor's request.
    ///   - draft: receives the position.
    /// - Returns: what is wrong with the position; nil if it was read.
    package func readPosition(
        as end: RideEnd = .from,
        allowedMetres allowed: Int64,
        _ context: RequestContext,
        _ draft: inout OrderDraft
    ) -> Text? {
        let accuracy = PlaceSearch.number(context.form[end.measured("accuracy")] ?? "")
        guard
            let place = PlaceSearch.coordinates(
                latitude: context.form[end.measured("latitude")] ?? "",
                longitude: context.form[end.measured("longitude")] ?? ""
            )
        else { return OrderTexts.noPosition }
        let chosen = placeSearch.chosen(place, accuracyMetres: accuracy)
        // An inaccurate position still suggests an address, which the person then confirms.
        draft[end] = OrderDraft.Wish(typed: chosen.words ?? "")
        guard let accuracy, accuracy >= 0 else { return OrderTexts.noPosition }
        guard allowed < 0 || accuracy <= Double(allowed) else {
            return OrderTexts.vague(accuracy, allowed: allowed)
        }
        draft[end] = OrderDraft.Wish(typed: String(chosen.called.text), place: chosen)
        return nil
    }

    /// Reads the field of one end.
    ///
    /// - Parameters:
    ///   - end: the end.
    ///   - missing: the problem to report for an empty field; nil if the end is optional.
    ///   - context: the visitor's request.
    ///   - draft: receives the place.
    /// - Returns: what is wrong with the field; nil if nothing is, or if several places match.
    package func readPlace(
        _ end: RideEnd,
        missing: Text?,
        _ context: RequestContext,
        _ draft: inout OrderDraft
    ) -> Text? {
        let typed = context.form[end.rawValue]?.trimmingBlanks() ?? ""
        let text = String(typed.prefix(OrderDraft.Wish.limit))
        // The address that the script fills in for a position is not one that can be found again.
        if end == .to, isMeasured(context, as: .to) {
            return readPosition(as: .to, allowedMetres: -1, context, &draft)
        }
        if text.isEmpty {
            draft[end] = OrderDraft.Wish()
            return missing
        }
        // The typed text, not the name of the place, led to the suggestion.
        let query = context.form["\(end.rawValue)-typed"].flatMap { $0.isEmpty ? nil : $0 }
        if let id = context.form["\(end.rawValue)-id"], !id.isEmpty,
            let place = placeSearch.suggested(id, for: query ?? text),
            query == nil || place.words == text
        {
            draft[end] = OrderDraft.Wish(typed: text, place: place)
            return nil
        }
        if text == draft[end].typed, draft[end].place != nil { return nil }
        draft[end] = OrderDraft.Wish(typed: text)
        switch placeSearch.find(text) {
        case .found(let place): draft[end].place = place
        case .several: break
        case .nothing: return city == nil ? placeHint : OrderTexts.unknownPlace
        }
        return nil
    }
}

extension OrderDraft {
    /// Swaps origin and destination for the return trip.
    package mutating func swapEnds() {
        (self[.from], self[.to]) = (self[.to], self[.from])
        // Accuracy matters only for the pickup point, not for the destination.
        self[.to].place?.accuracyMetres = nil
    }
}

extension [InputField] {
    /// The two ends of a journey, as typed, suggested or measured.
    package static let ends: [InputField] = [
        .from,
        .to,
        .set("from-id", .text(60), "The suggestion that was chosen as the start."),
        .set("to-id", .text(60), "The suggestion that was chosen as the destination."),
        .set("from-typed", .text(100), "What the start was suggested for."),
        .set("to-typed", .text(100), "What the destination was suggested for."),
        .set("latitude", .latitude, "The measured latitude, in degrees.").explained,
        .set("longitude", .longitude, "The measured longitude, in degrees.").explained,
        .set("accuracy", .decimal(0...1e9), "The accuracy of the position, in metres.")
            .explained,
        .set("to-latitude", .latitude, "The measured latitude of the destination, in degrees.")
            .explained,
        .set("to-longitude", .longitude, "The measured longitude of the destination, in degrees.")
            .explained,
        .set("to-accuracy", .decimal(0...1e9), "The accuracy of the destination, in metres.")
            .explained,
    ]

    /// The buttons that fill the ends in.
    package static let endButtons: [InputField] = [
        .set("known", .text(200), "The end of the ride and the name of a known place."),
        .set("swap", .flag("yes"), "Swaps both ends of the ride."),
        .set("point", .choice(of: RideEnd.self), "The end to choose on the map."),
    ]

    /// The choice between several places.
    package static let chosenPlaces: [InputField] = [
        .set("from", .identifier, "Which of several places is the start.").explained,
        .set("to", .identifier, "Which of several places is the destination.").explained,
    ]

    /// A point that is chosen on a map.
    package static let mapPoint: [InputField] = [.end] + mapPress

    /// What is pressed on a map to choose a point.
    package static let mapPress: [InputField] =
        [
            .set(
                "move",
                .choice(["in", "out", "north", "south", "east", "west"]),
                "How the map moves."
            ),
            .set("latitude", .latitude, "The latitude below the pin, in degrees.").explained,
            .set("longitude", .longitude, "The longitude below the pin, in degrees.").explained,
        ] + .pressedPoint
}

extension InputField {
    /// The end of the journey that is chosen on a map.
    package static let end = path("end", .choice(of: RideEnd.self), "The end of the ride.")
}
