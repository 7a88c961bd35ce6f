package import CityData
import Geo
import HTTPTypes
package import Localization
package import Markup
package import WebCore

extension MapPages {
    /// What the head of a page with a map on it has besides what all pages have.
    ///
    /// A page has a map where an element of it has the attribute `data-map`. Without the library
    /// the page shows the still picture and the text that stand on it anyway.
    ///
    /// - Parameters:
    ///   - body: what stands on the page.
    ///   - visit: who sees it.
    /// - Returns: nil for a page without a map, or where the library is missing.
    package func mapHead(_ body: HTML, _ visit: Visit) -> HTML? {
        guard let leaflet = environment.leaflet,
            Array(body.text.utf8).range(of: Self.mapMark, from: 0) != nil
        else {
            return nil
        }
        let words = MapTexts.forScript.map { name, text -> HTML in
            " data-\(name)=\"\(visit.say(text))\""
        }
        return """
            <link rel="stylesheet" href=\(leaflet.styleAddress)>
            <link rel="stylesheet" href=\(assets.mapStyle.address)>
            <script src=\(leaflet.scriptAddress) defer></script>
            <script src=\(assets.mapScript.address) defer id="map-script"\
            \(words)\(bounds)></script>
            """
    }

    /// What a page has in it that shows a map.
    ///
    /// Looked for among bytes: in characters that takes as long as much of a page's making.
    private static let mapMark = Array(" data-map=".utf8)

    /// What the map shows before anything is on it: the city.
    private var bounds: HTML? {
        guard let box = map.bounds else { return nil }
        let numbers = [box.south, box.west, box.north, box.east].map { "\(Double($0) / 1e7)" }
        return " data-bounds=\"\(numbers.joined(separator: ","))\""
    }
}

extension TaxiPageModule {
    /// The same map without scripts: a still picture under the map's text.
    ///
    /// - Parameters:
    ///   - address: where the picture is.
    ///   - alternative: what it shows, in words.
    ///   - visit: who sees it.
    /// - Returns: the picture, which a map that moves takes the place of.
    package func stillPicture(at address: Address, _ alternative: Text, _ visit: Visit) -> HTML {
        """
        <img class="still" src=\(address) alt="\(visit.say(alternative))" width="640" height="400" \
        loading="lazy">
        """
    }
}

extension MapTexts {
    /// The words of the map's script, by the names of the attributes that carry them.
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
    /// A picture that nobody but the visitor keeps.
    package func privatePicture(_ picture: MapPicture) -> Reply {
        Reply(
            type: "image/svg+xml",
            bytes: map.drawing(picture),
            headers: [.cacheControl: "private, no-store"]
        )
    }
}
