import Chronology
import CityData
package import Geo
package import Localization
package import Markup
package import Taxi
package import WebCore

/// A labelled place on a passenger's map.
package struct NamedPlace: Hashable, Sendable {
    /// The kind of marker that the interactive map shows.
    package enum Kind: String, Sendable {
        case meeting
        case destination
        case taxi
    }

    /// The kind of marker.
    package var kind = Kind.meeting
    /// The position of the place.
    package var place: Coordinate
    /// The label of the place.
    package var text: Text
    /// Whether the position may be outdated.
    package var isFaint = false

    /// Creates a labelled place.
    package init(kind: Kind = Kind.meeting, place: Coordinate, words: Text, isFaint: Bool = false) {
        self.kind = kind
        self.place = place
        self.text = words
        self.isFaint = isFaint
    }
}

extension TaxiPageModule {
    /// The places on the map of a live ride; empty if none are known.
    package func places(_ view: RideView, _ context: RequestContext) -> [NamedPlace] {
        let state = RideState(view)
        let goal =
            state == .aboard
            ? view.destination.map {
                NamedPlace(kind: .destination, place: $0, words: CheckTexts.destination)
            }
            : view.meeting.map { NamedPlace(place: $0, words: CheckTexts.meeting) }
        let taxi = view.position.map { position in
            let age = (context.now.milliseconds - position.at.milliseconds) / 1_000
            return NamedPlace(
                kind: .taxi,
                place: position.place,
                words: RideTexts.taxi,
                isFaint: age > RideTexts.staleSeconds
            )
        }
        return [goal, taxi].compactMap(\.self)
    }

    /// Responds with a still map of the places, which only the visitor's browser may cache.
    ///
    /// - Throws: `Failure.notFound` if there are no places.
    package func picture(of places: [NamedPlace], _ context: RequestContext) throws -> Response {
        guard !places.isEmpty else { throw Failure.notFound }
        return privatePicture(
            MapPicture(
                of: BoundingBox(around: places.map(\.place))?.expanded(byMetres: 250),
                overlays: places.map { place in
                    MapPicture.Overlay(
                        .point(place.place),
                        label: context.say(place.text),
                        isFaint: place.isFaint
                    )
                },
                title: context.say(MapTexts.map)
            )
        )
    }

    /// The still map as part of a page, with its alternative text; nil if there are no places.
    package func stillPicture(
        at address: Address,
        _ places: [NamedPlace],
        _ context: RequestContext
    ) -> HTML? {
        guard !places.isEmpty else { return nil }
        let words = PassengerTexts.map(Text(joining: places.map(\.text), separator: ", "))
        return stillPicture(at: address, words, context)
    }

    /// The interactive map of a live ride.
    ///
    /// The places are in an element that live events reload, and the map's script follows its
    /// changes. Without scripts, the page shows the still picture.
    ///
    /// - Parameters:
    ///   - address: the address of the still picture.
    ///   - places: the places on the map.
    ///   - context: the passenger's request.
    /// - Returns: nil if no place is known.
    package func rideMap(
        _ address: Address,
        _ places: [NamedPlace],
        _ context: RequestContext
    ) -> HTML? {
        guard let picture = stillPicture(at: address, places, context) else { return nil }
        let marks = places.map { place -> HTML in
            let at = "\(place.place.latitudeDegrees),\(place.place.longitudeDegrees)"
            let faint = HTML.when(place.isFaint, " data-faint")
            return """
                <i data-at="\(at)" data-kind="\(place.kind.rawValue)" \
                data-label="\(context.say(place.text))"\(faint)></i>
                """
        }
        return """
            <div id="ride-places" data-live="ride">\(marks)</div>
            <div class="small" data-map="ride" data-places="ride-places">\(picture)</div>
            """
    }
}
