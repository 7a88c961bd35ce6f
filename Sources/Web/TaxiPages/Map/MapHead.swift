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
    /// the page shows its still picture and text. The map's script loads the library after the page
    /// is drawn.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: the visitor's request.
    /// - Returns: nil for a page without a map, or if the library is missing.
    package func mapHead(_ page: Page, _ context: RequestContext) -> HTML? {
        guard let leaflet = environment.leaflet, Self.has(Self.mapMark, page) else { return nil }
        return """
            <link rel="stylesheet" href=\(assets.mapStyle.address)>
            <script src=\(assets.mapScript.address) defer id="map-script" \
            data-library=\(leaflet.scriptAddress) data-library-style=\(leaflet.styleAddress)\
            \(attributes(MapTexts.forScript, context))\(bounds) \
            data-credit="\(environment.map.credit)"></script>
            \(HTML.when(Self.has(Self.editorMark, page), editor(context)))
            \(HTML.when(Self.has(Self.pinMark, page), pin))
            """
    }

    private var pin: HTML { "<script src=\(assets.pinScript.address) defer></script>" }

    private func editor(_ context: RequestContext) -> HTML {
        """
        <script src=\(assets.zonesScript.address) defer id="zones-script"\
        \(attributes(MapTexts.forEditor, context))></script>
        """
    }

    private func attributes(_ texts: [(String, Text)], _ context: RequestContext) -> [HTML] {
        texts.map { name, text in " data-\(name)=\"\(context.say(text))\"" }
    }

    /// Whether a page contains some bytes.
    ///
    /// Searching characters instead of bytes would take a large share of the time to render a page.
    private static func has(_ mark: [UInt8], _ page: Page) -> Bool {
        [page.map, page.body].contains { part in
            part.map { Array($0.text.utf8).range(of: mark, from: 0) != nil } ?? false
        }
    }

    /// The attribute that marks a page with a map.
    private static let mapMark = Array(" data-map=".utf8)
    /// The attribute that marks a page with the zone editor.
    private static let editorMark = Array(" data-zone-editor".utf8)
    /// The attribute that marks a page on which a point is chosen.
    private static let pinMark = Array(" data-pin=".utf8)

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
        ("label", MapTexts.mapWithArrowKeys),
        ("zoom-in", MapTexts.zoomIn),
        ("zoom-out", MapTexts.zoomOut),
        ("recentre", MapTexts.recentre),
    ]

    /// The texts for the zone editor's script.
    package static let forEditor: [(String, Text)] = [
        ("undo", MapTexts.undo),
        ("redo", MapTexts.redo),
        ("fit", MapTexts.showTheWholeZone),
        ("vertex", MapTexts.corner),
        ("help", MapTexts.dragACornerToMove),
        ("moved", MapTexts.cornerMoved),
        ("added", MapTexts.cornerAdded),
        ("removed", MapTexts.cornerRemoved),
        ("few", MapTexts.aBorderNeedsThreeCorners),
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
