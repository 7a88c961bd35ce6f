import CityData
import Encoding
package import Geo
package import Localization
package import Markup
package import WebCore

/// What a map shows of rides: labelled places and the ways between them.
///
/// The same scene makes the still picture and the markup that the map's script follows.
package struct MapScene: Hashable, Sendable {
    /// A labelled place.
    package struct Mark: Hashable, Sendable {
        /// The shape of the mark.
        package enum Kind: String, Sendable {
            /// Where a ride begins: the pin A.
            case meeting
            /// Where a ride ends: the pin B.
            case destination
            /// A stop between them.
            case stop
            /// A taxi, drawn as a car with its heading.
            case taxi
        }

        package var kind: Kind
        package var place: Coordinate
        package var label: Text
        /// The direction of the taxi's front, in degrees clockwise from north; nil if unknown.
        package var headingDegrees: Double?
        /// Whether the position may be outdated.
        package var isFaint: Bool

        /// Creates a labelled place.
        package init(
            _ kind: Kind = .meeting,
            at place: Coordinate,
            _ label: Text,
            headingDegrees: Double? = nil,
            isFaint: Bool = false
        ) {
            self.kind = kind
            self.place = place
            self.label = label
            self.headingDegrees = headingDegrees
            self.isFaint = isFaint
        }
    }

    /// A way through the streets.
    package struct Line: Hashable, Sendable {
        /// What happens there.
        package enum Kind: String, Sendable {
            /// The way of a taxi ride.
            case route
            /// The taxi's way to the ride, drawn lighter.
            case approach
            /// The border of a zone, which is closed.
            case zone
            /// A leg of a trip, in the colour of its means of travel.
            case walking, bicycle, car, taxi, bus, tram, metro, train, ferry
        }

        package var kind: Kind
        /// The points of the line; at least two.
        package var points: [Coordinate]
        /// The own colour of a line of public transport as 0xRRGGBB; nil for that of its kind.
        package var colour: UInt32?

        package init(_ kind: Kind = .route, _ points: [Coordinate], colour: UInt32? = nil) {
            self.kind = kind
            self.points = points
            self.colour = colour
        }
    }

    /// The marks; later ones are drawn above earlier ones.
    package var marks: [Mark]
    /// The ways, below the marks.
    package var lines: [Line]
    /// The area below all of them; the interactive map loads it (``sceneMap``, `source`).
    package var area: MultiPolygon?

    package init(_ marks: [Mark] = [], lines: [Line] = []) {
        self.marks = marks
        self.lines = lines
    }

    /// Whether the scene has no place to show.
    package var isEmpty: Bool { marks.isEmpty }

    /// The names of the marks, for the alternative text of a picture.
    var labels: Text { Text(joining: marks.map(\.label), separator: ", ") }
}

extension MapScene.Line {
    /// The colour of the line in a still picture.
    fileprivate var tone: MapPicture.Tone {
        if let colour { return .own(colour) }
        return switch kind {
        case .route, .approach, .zone: .way
        case .walking: .walking
        case .bicycle: .bicycle
        case .car: .car
        case .taxi: .taxi
        case .bus, .ferry: .bus
        case .tram: .tram
        case .metro, .train: .train
        }
    }

    /// The direction in which the line begins, in degrees clockwise from north.
    ///
    /// The first metres may lead from a measured position to the street, so that they say little:
    /// the first point further than 15 m away counts.
    package var headingDegrees: Double? {
        guard let first = points.first else { return nil }
        let ahead = points.first { first.distanceMetres(to: $0) > 15 }
        return ahead.map { first.bearingDegrees(to: $0) }
    }
}

extension TaxiPageModule {
    /// Responds with a still picture of a scene, which only the visitor's browser may cache.
    ///
    /// - Throws: `Failure.notFound` if the scene is empty.
    package func picture(
        of scene: MapScene,
        pixelsWide: Int = 640,
        _ context: RequestContext
    ) throws -> Response {
        guard !scene.isEmpty else { throw Failure.notFound }
        let lines = scene.lines.map {
            MapPicture.Overlay(.line($0.points), isFaint: $0.kind == .approach, tone: $0.tone)
        }
        let marks = scene.marks.map {
            MapPicture.Overlay(
                .point($0.place),
                label: context.say($0.label),
                isFaint: $0.isFaint
            )
        }
        let areas = (scene.area?.polygons ?? []).map { polygon in
            MapPicture.Overlay(.area(polygon.rings.map(\.points)))
        }
        let corners = scene.area?.polygons.flatMap(\.outline.points) ?? []
        let all = scene.marks.map(\.place) + scene.lines.flatMap(\.points) + corners
        return privatePicture(
            MapPicture(
                of: BoundingBox(around: all)?.expanded(byMetres: 250),
                pixelsWide: pixelsWide,
                pixelsHigh: pixelsWide * 5 / 8,
                overlays: areas + lines + marks,
                title: context.say(MapTexts.map)
            )
        )
    }

    /// The still picture of a scene as part of a page, with its alternative text; nil if the scene
    /// is empty.
    package func stillPicture(
        at address: Address,
        _ scene: MapScene,
        _ context: RequestContext
    ) -> HTML? {
        guard !scene.isEmpty else { return nil }
        return stillPicture(at: address, PassengerTexts.map(scene.labels), context)
    }

    /// The interactive map of a scene, for `Page.map`.
    ///
    /// The scene is in an element that live events reload, and the map's script follows its
    /// changes. Without scripts, the page shows the still picture.
    ///
    /// - Parameters:
    ///   - scene: what the map shows.
    ///   - address: the address of the still picture.
    ///   - source: the address of the scene's area as GeoJSON; nil for a scene without one.
    ///   - topic: the live topic whose events reload the scene; nil for a scene that stays.
    ///   - context: the visitor's request.
    /// - Returns: nil if the scene is empty and stays so.
    package func sceneMap(
        _ scene: MapScene,
        still address: Address,
        source: Address? = nil,
        topic: HTML?,
        _ context: RequestContext
    ) -> HTML? {
        let picture = stillPicture(at: address, scene, context)
        guard picture != nil || topic != nil else { return nil }
        let area: HTML? = source.map { " data-source=\($0)" }
        let live: HTML? = topic.map { " data-live=\"\($0)\"" }
        let lines = scene.lines.map { line -> HTML in
            let points = Polyline.encoded(line.points, precision: .five)
            let own = line.colour.map { " data-colour=\"\(Hex.colour($0))\"" as HTML }
            return "<i data-line=\"\(points)\" data-kind=\"\(line.kind.rawValue)\"\(own)></i>"
        }
        let marks = scene.marks.map { mark -> HTML in
            let at = "\(mark.place.latitudeDegrees),\(mark.place.longitudeDegrees)"
            let heading = mark.headingDegrees.map { " data-heading=\"\(Int($0))\"" as HTML }
            return """
                <i data-at="\(at)" data-kind="\(mark.kind.rawValue)" \
                data-label="\(context.say(mark.label))"\(heading)\
                \(HTML.when(mark.isFaint, " data-faint"))></i>
                """
        }
        return """
            <div id="scene"\(live) hidden>\(lines)\(marks)</div>
            <div data-map="scene" data-places="scene"\(area)>\(picture)</div>
            """
    }
}
