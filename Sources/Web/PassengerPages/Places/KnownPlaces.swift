import Dispatching
import Fares
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// A place that passengers can select with one tap when they call a taxi (ui.md 4.3).
struct KnownPlace: Hashable, Sendable {
    /// The label of its buttons: the name under which it was saved, otherwise its address.
    var name: String
    var chosen: ChosenPlace
    /// Whether it comes from a past ride and was not saved.
    var isRecent: Bool
}

extension PassengerPages {
    /// The number of recent places on offer, and the number of past rides searched for them.
    private static let mostRecent = (places: 3, rides: 10)

    /// The visitor's saved places, followed by recent ones; empty for guests.
    func knownPlaces(_ context: RequestContext) async throws -> [KnownPlace] {
        guard let person = context.session?.person else { return [] }
        var known = try await savedPlaces(context).map { place in
            KnownPlace(name: place.name, chosen: place.chosen, isRecent: false)
        }
        let rides = try await taxi.history.lines(
            of: .passenger(person.passenger),
            limit: Self.mostRecent.rides
        )
        // Skip a recent place that duplicates a saved one or has the same label as another button.
        var taken = Set(known.map(\.name) + known.map(\.chosen.called.text))
        let recent = rides.compactMap(\.places).flatMap(\.ends).filter { place in
            taken.insert(place.called.text).inserted
        }
        known += recent.prefix(Self.mostRecent.places).map { place in
            KnownPlace(name: place.called.text, chosen: place, isRecent: true)
        }
        return known
    }

    /// Buttons that fill in one end of the ride.
    ///
    /// They follow the button that continues.
    func placeButtons(
        _ places: [KnownPlace],
        _ draft: OrderDraft,
        _ policy: Policy,
        _ context: RequestContext
    ) -> HTML {
        let ends = draft.asksDestination(policy) ? RideEnd.allCases : [.from]
        func rows(_ places: [KnownPlace]) -> HTML {
            let rows = ends.map { end -> HTML in
                let buttons = places.map { place -> HTML in
                    """
                    <button name="known" value="\(end.rawValue) \(place.name)">\
                    \(context.say(KnownPlaceTexts.button(place.name, end)))</button>

                    """
                }
                return "<p class=\"actions\">\(buttons)</p>"
            }
            return HTML.when(!places.isEmpty, "\(rows)")
        }
        let recent = places.filter(\.isRecent)
        let title: HTML = "<p class=\"hint\">\(context.say(KnownPlaceTexts.recent))</p>"
        return """
            \(rows(places.filter { !$0.isRecent }))\
            \(HTML.when(!recent.isEmpty, title))\(rows(recent))
            """
    }

    /// Returns the draft with the selected place; nil if no such button was pressed.
    func withKnownPlace(_ draft: OrderDraft, _ context: RequestContext) async throws -> OrderDraft?
    {
        let parts = (context.form["known"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let end = RideEnd(rawValue: String(parts[0])),
            let place = try await knownPlaces(context).first(where: { $0.name == parts[1] })
        else { return nil }
        var draft = draft
        let typed = String(place.chosen.called.text.prefix(OrderDraft.Wish.limit))
        draft[end] = OrderDraft.Wish(typed: typed, place: place.chosen)
        return draft
    }
}

extension RidePlaces {
    /// Destination and origin of a ride, as places of an order.
    ///
    /// The origin is the passenger's own, not the meeting point of a shared ride that the passenger
    /// joined.
    fileprivate var ends: [ChosenPlace] {
        let began = ChosenPlace(origin, words: origin == meeting ? meetingDescription : nil)
        let went = destination.map { ChosenPlace($0, words: destinationDescription) }
        return [went, began].compactMap(\.self)
    }
}

extension KnownPlaceTexts {
    static func button(_ name: String, _ end: RideEnd) -> Text {
        switch end {
        case .from: KnownPlaceTexts.from(name)
        case .to: KnownPlaceTexts.to(name)
        }
    }
}
