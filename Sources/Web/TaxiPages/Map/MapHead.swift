package import CityData
import Geo
import HTTPTypes
package import Localization
package import Markup
package import WebCore

extension MapPages {
    /// The additional head elements of a page with a map.
    ///
    /// A page has a map if one of its elements has the attribute `data-map`. Without the library,
    /// the page shows its still picture and text.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: the visitor's request.
    /// - Returns: nil for a page without a map, or if the library is missing.
    package func mapHead(_ page: Page, _ context: RequestContext) -> HTML? {
        guard let leaflet = environment.leaflet,
            [page.map, page.body].contains(where: {
                $0.map { Array($0.text.utf8).range(of: Self.mapMark, from: 0) != nil } ?? false
            })
        else {
            return nil
        }
        let words = MapTexts.forScript.map { name, text -> HTML in
            " data-\(name)=\"\(context.say(text))\""
        }
        return """
            <link rel="stylesheet" href=\(leaflet.styleAddress)>
            <link rel="stylesheet" href=\(assets.mapStyle.address)>
            <script src=\(leaflet.scriptAddress) defer></script>
            <script src=\(assets.mapScript.address) defer id="map-script"\
            \(words)\(bounds) data-credit="\(environment.map.credit)"></script>
            """
    }

    /// The attribute that marks a page with a map, as UTF-8 bytes.
    ///
    /// Searching characters instead of bytes would take a large share of the time to render a page.
    private static let mapMark = Array(" data-map=".utf8)

    /// The initial area of the map: the whole city.
    private var bounds: HTML? {
        guard let box = map.bounds else { return nil }
        let numbers = [box.south, box.west, box.north, box.east].map { "\(Double($0) / 1e7)" }
        return " data-bounds=\"\(numbers.joined(separator: ","))\""
    }
}

extension TaxiPageModule {
    /// A still picture that stands in for the map without scripts.
    ///
    /// - Parameters:
    ///   - address: the address of the picture.
    ///   - alternative: the alternative text.
    ///   - context: the visitor's request.
    /// - Returns: the picture, which the interactive map replaces.
    package func stillPicture(
        at address: Address,
        _ alternative: Text,
        _ context: RequestContext
    ) -> HTML {
        """
        <img class="still" src=\(address) alt="\(context.say(alternative))" \
        width="640" height="400" \
        loading="lazy">
        """
    }
}

extension MapTexts {
    /// The texts for the map's script, by the names of the attributes that carry them.
    package static let forScript: [(String, Text)] = [
        (
            "label",
            MapTexts.mapArrowKeysMoveIt
        ),
        ("zoom-in", MapTexts.zoomIn),
        ("zoom-out", MapTexts.zoomOut),
        ("undo", MapTexts.undo),
        ("redo", MapTexts.redo),
        ("fit", MapTexts.showTheWholeZone),
        ("vertex", MapTexts.corner),
        (
            "help",
            MapTexts.dragACornerToMove
        ),
        ("moved", MapTexts.cornerMoved),
        ("added", MapTexts.cornerAdded),
        ("removed", MapTexts.cornerRemoved),
        (
            "few",
            MapTexts.aBorderNeedsThreeCorners
        ),
    ]
}

extension TaxiPageModule {
    /// Responds with a picture that only the visitor's browser may cache.
    package func privatePicture(_ picture: MapPicture) -> Response {
        Response(
            type: "image/svg+xml",
            bytes: map.drawing(picture),
            headers: [.cacheControl: "private, no-store"]
        )
    }
}
