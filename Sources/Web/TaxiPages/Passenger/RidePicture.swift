import Chronology
import CityData
package import Geo
package import Localization
package import Markup
package import Taxi
package import WebCore

/// A place on a passenger's still map, with what it is.
package struct NamedPlace: Hashable, Sendable {
    /// How a map that moves marks it.
    package enum Kind: String, Sendable {
        case meeting
        case destination
        case taxi
    }

    /// How it is marked.
    package var kind = Kind.meeting
    /// Where it is.
    package var place: Coordinate
    /// What it is.
    package var words: Text
    /// Whether it may be there no longer.
    package var isFaint = false

    /// A value of these parts.
    package init(kind: Kind = Kind.meeting, place: Coordinate, words: Text, isFaint: Bool = false) {
        self.kind = kind
        self.place = place
        self.words = words
        self.isFaint = isFaint
    }
}

extension TaxiPageModule {
    /// What the map of a live ride shows; empty where nothing is known.
    package func places(_ view: RideView, _ visit: Visit) -> [NamedPlace] {
        let state = RideState(view)
        let goal =
            state == .aboard
            ? view.destination.map {
                NamedPlace(kind: .destination, place: $0, words: CheckTexts.destination)
            }
            : view.meeting.map { NamedPlace(place: $0, words: CheckTexts.meeting) }
        let taxi = view.position.map { position in
            let age = (visit.now.milliseconds - position.at.milliseconds) / 1_000
            return NamedPlace(
                kind: .taxi,
                place: position.place,
                words: RideTexts.taxi,
                isFaint: age > RideTexts.staleSeconds
            )
        }
        return [goal, taxi].compactMap(\.self)
    }

    /// A still map of some places, for nobody but the visitor.
    ///
    /// - Throws: `Failure.notFound` where there are none.
    package func picture(of places: [NamedPlace], _ visit: Visit) throws -> Reply {
        guard !places.isEmpty else { throw Failure.notFound }
        return privatePicture(
            MapPicture(
                of: BoundingBox(around: places.map(\.place))?.expanded(byMetres: 250),
                overlays: places.map { place in
                    MapPicture.Overlay(
                        .point(place.place),
                        label: visit.say(place.words),
                        isFaint: place.isFaint
                    )
                },
                title: visit.say(MapTexts.map)
            )
        )
    }

    /// The same on a page, which says what is on it; nil where there are none.
    package func stillPicture(at address: Address, _ places: [NamedPlace], _ visit: Visit) -> HTML?
    {
        guard !places.isEmpty else { return nil }
        let words = PassengerTexts.map(Text(joining: places.map(\.words), separator: ", "))
        return stillPicture(at: address, words, visit)
    }

    /// The map of a live ride: what moves on it stands in an element that is fetched anew, and the
    /// map's script follows that; without scripts there is the still picture.
    ///
    /// - Parameters:
    ///   - address: where the still picture is.
    ///   - places: what the map shows.
    ///   - visit: the passenger.
    /// - Returns: nothing where no place is known.
    package func rideMap(_ address: Address, _ places: [NamedPlace], _ visit: Visit) -> HTML? {
        guard let picture = stillPicture(at: address, places, visit) else { return nil }
        let marks = places.map { place -> HTML in
            let at = "\(place.place.latitudeDegrees),\(place.place.longitudeDegrees)"
            let faint = HTML.when(place.isFaint, " data-faint")
            return """
                <i data-at="\(at)" data-kind="\(place.kind.rawValue)" \
                data-label="\(visit.say(place.words))"\(faint)></i>
                """
        }
        return """
            <div id="ride-places" data-live="ride">\(marks)</div>
            <div class="small" data-map="ride" data-places="ride-places">\(picture)</div>
            """
    }
}
