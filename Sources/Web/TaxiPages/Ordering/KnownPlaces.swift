import Chronology
import CityData
import Dispatching
import Fares
import Geo
package import Identity
package import Localization
package import Markup
import Taxi
package import WebCore

/// A place that passengers can select with one tap when they call a taxi (ui.md 4.3).
package struct KnownPlace: Hashable, Sendable {
    /// The label of its chips: the name under which it was saved, otherwise its address.
    var name: String
    var chosen: ChosenPlace
    /// Whether it comes from a past ride and was not saved.
    var isRecent: Bool

    /// What the chip shows beside the name.
    var icon: Icon { isRecent ? .history : SavedPlace.Kind(ofName: name).icon }

    /// The place as one end of an order.
    package var wish: OrderDraft.Wish {
        let typed = String(chosen.called.text.prefix(OrderDraft.Wish.limit))
        return OrderDraft.Wish(typed: typed, place: chosen)
    }
}

/// The places of a passenger.
package struct KnownPlaces: Sendable {
    /// The saved places, followed by recent ones.
    package var places: [KnownPlace] = []
    /// Where the passenger is likely to be: where the last taxi ride has just ended, otherwise at
    /// home.
    ///
    /// It is only a suggestion, which stands in the form and on the map until it is confirmed.
    package var likely: KnownPlace?

    /// The order with which the form begins.
    package var draft: OrderDraft {
        OrderDraft(wishes: likely.map { [.from: $0.wish] } ?? [:])
    }
}

extension TaxiPageModule {
    /// The number of recent places on offer, and the number of past rides searched for them.
    private static var mostRecent: (places: Int, rides: Int) { (3, 10) }
    /// How long a passenger is likely to stay where a ride has ended, in seconds.
    private static var stay: Int64 { 6 * 3_600 }

    /// The visitor's saved places; empty for guests.
    package func savedPlaces(_ context: RequestContext) async throws -> [SavedPlace] {
        guard let person = context.session?.person else { return [] }
        return try await accounts.places(of: person)
    }

    /// The visitor's places; none for guests.
    package func knownPlaces(_ context: RequestContext) async throws -> KnownPlaces {
        guard let person = context.session?.person else { return KnownPlaces() }
        let saved = try await savedPlaces(context).map { place in
            KnownPlace(name: place.name, chosen: place.chosen, isRecent: false)
        }
        let rides = try await taxi.history.lines(
            of: .passenger(person.passenger),
            limit: Self.mostRecent.rides
        )
        // Skip a recent place that duplicates a saved one or has the same label as another chip.
        var taken = Set(saved.map(\.name) + saved.map(\.chosen.called.text))
        let recent = rides.compactMap(\.places).flatMap(\.ends)
            .filter { taken.insert($0.called.text).inserted }
            .prefix(Self.mostRecent.places)
            .map { KnownPlace(name: $0.called.text, chosen: $0, isRecent: true) }
        let last = rides.first.flatMap { ride -> KnownPlace? in
            guard ride.outcome == .completed, let ended = ride.ended,
                context.now < ended.adding(seconds: Self.stay),
                let place = ride.places?.destinationPlace
            else { return nil }
            return KnownPlace(name: place.called.text, chosen: place, isRecent: true)
        }
        let home = saved.first { SavedPlace.Kind(ofName: $0.name) == .home }
        return KnownPlaces(places: saved + recent, likely: last ?? home)
    }

    /// Chips that fill in one end of the ride: the one that is missing, otherwise where to.
    ///
    /// - Returns: nil if there is nothing to choose.
    package func placeChips(
        _ known: KnownPlaces,
        _ draft: OrderDraft,
        hasDestination: Bool,
        for form: JourneyForm,
        _ context: RequestContext
    ) -> HTML? {
        let isFrom = draft[.from].typed.isEmpty || !hasDestination
        let end = isFrom ? RideEnd.from : .to
        let ends = RideEnd.allCases.map { draft[$0].place?.coordinate }
        // A saved place that is one end may become the other; a recent one needs no chip then.
        let offered = known.places.filter { place in
            let at = place.chosen.coordinate
            return place.isRecent ? !ends.contains(at) : at != draft[end].place?.coordinate
        }
        var chips = offered.map { place in
            let name = shortPlace(place.name)
            return Chip(
                isFrom && !form.hasOnlyStart ? KnownPlaceTexts.from(name) : Text(same: name),
                icon: place.icon,
                .submit(name: "known", value: "\(end.rawValue) \(place.name)")
            )
        }
        if map.bounds != nil {
            let isOpen = draft[.from].place == nil || draft[.to].place != nil
            let point = isOpen || isFrom ? RideEnd.from : .to
            let label = KnownPlaceTexts.onMap(point, form)
            chips.append(Chip(label, icon: .pin, .submit(name: "point", value: point.rawValue)))
        }
        return chips.isEmpty ? nil : Chips(chips, isLine: true).html(context)
    }
}

extension OrderDraft {
    /// Fills in the place of a chip.
    ///
    /// A place that was the other end leaves it: nobody rides from a place to the same.
    ///
    /// - Returns: the end that was filled in; nil if no chip was pressed.
    package mutating func choose(_ chip: String, of known: KnownPlaces) -> RideEnd? {
        let parts = chip.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let end = RideEnd(rawValue: String(parts[0])),
            let place = known.places.first(where: { $0.name == parts[1] })
        else { return nil }
        let other = end == .from ? RideEnd.to : .from
        if self[other].place?.coordinate == place.chosen.coordinate { self[other] = self[end] }
        self[end] = place.wish
        return end
    }
}

extension RidePlaces {
    /// Where the ride went to; nil if that was not said.
    fileprivate var destinationPlace: ChosenPlace? {
        destination.map { ChosenPlace($0, words: destinationDescription) }
    }

    /// Destination and origin of a ride, as places of an order.
    ///
    /// The origin is the passenger's own, not the meeting point of a shared ride that the passenger
    /// joined.
    fileprivate var ends: [ChosenPlace] {
        let began = ChosenPlace(origin, words: origin == meeting ? meetingDescription : nil)
        return [destinationPlace, began].compactMap(\.self)
    }
}

extension SavedPlace {
    /// The saved place as a place of an order.
    package var chosen: ChosenPlace {
        ChosenPlace(
            Coordinate(latitude: latitude, longitude: longitude),
            words: words.isEmpty ? nil : words
        )
    }

    /// What a place is to its owner, as its name says.
    package enum Kind {
        case home
        case work
        case other

        /// Derives the kind from a name in either language.
        package init(ofName name: String) {
            switch name.lowercased() {
            case "home", "casa": self = .home
            case "work", "office", "lavoro", "ufficio": self = .work
            default: self = .other
            }
        }

        /// What is shown beside the name.
        package var icon: Icon {
            switch self {
            case .home: .home
            case .work: .work
            case .other: .star
            }
        }
    }
}

extension KnownPlaceTexts {
    /// The chip that leads to the map.
    package static func onMap(_ end: RideEnd, _ form: JourneyForm) -> Text {
        switch (end, form) {
        case (.from, .order): KnownPlaceTexts.pickupOnMap
        case (.from, .plan), (.from, .reach): KnownPlaceTexts.startOnMap
        case (.from, .car), (.from, .bicycle): PointTexts.whereDoesItStand
        case (.from, .stops), (.from, .entry): KnownPlaceTexts.onTheMap
        case (.to, _): KnownPlaceTexts.goalOnMap
        }
    }
}
