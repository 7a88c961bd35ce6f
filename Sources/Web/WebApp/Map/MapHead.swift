import CityData
import Geo
import Localization
import Markup
import WebCore

extension Site {
    /// What the head of a page with a map on it has besides what all pages have.
    ///
    /// A page has a map where an element of it has the attribute `data-map`. Without the library
    /// the page shows the still picture and the text that stand on it anyway.
    ///
    /// - Parameters:
    ///   - body: what stands on the page.
    ///   - visit: who sees it.
    /// - Returns: nil for a page without a map, or where the library is missing.
    func mapHead(_ body: HTML, _ visit: Visit) -> HTML? {
        guard let leaflet, Array(body.text.utf8).range(of: Self.mapMark, from: 0) != nil else {
            return nil
        }
        let words = MapWords.forScript.map { name, text -> HTML in
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

    /// The same map without scripts: a still picture under the map's text.
    ///
    /// - Parameters:
    ///   - address: where the picture is.
    ///   - alternative: what it shows, in words.
    ///   - visit: who sees it.
    /// - Returns: the picture, which a map that moves takes the place of.
    func stillPicture(at address: Address, _ alternative: Text, _ visit: Visit) -> HTML {
        """
        <img class="still" src=\(address) alt="\(visit.say(alternative))" width="640" height="400" \
        loading="lazy">
        """
    }
}

enum MapWords {
    static let map = Text("Map of the city", "Mappa della città")

    /// The words of the map's script, by the names of the attributes that carry them.
    static let forScript: [(String, Text)] = [
        (
            "label",
            Text(
                "Map; arrow keys move it, + and - zoom",
                "Mappa; le frecce la spostano, + e - cambiano scala"
            )
        ),
        ("zoom-in", Text("Zoom in", "Ingrandisci")),
        ("zoom-out", Text("Zoom out", "Riduci")),
        ("undo", Text("Undo", "Annulla")),
        ("redo", Text("Redo", "Ripeti")),
        ("fit", Text("Show the whole zone", "Mostra tutta la zona")),
        ("vertex", Text("Corner", "Vertice")),
        (
            "help",
            Text(
                "Drag a corner to move it; click an edge to add one. Focused: arrow keys move it, "
                    + "Delete removes it. Nothing is saved until you press Save.",
                "Trascina un vertice per spostarlo; clicca su un lato per aggiungerne uno. Con il "
                    + "fuoco su un vertice: le frecce lo spostano, Canc lo elimina. Niente è "
                    + "salvato finché non premi Salva."
            )
        ),
        ("moved", Text("Corner moved", "Vertice spostato")),
        ("added", Text("Corner added", "Vertice aggiunto")),
        ("removed", Text("Corner removed", "Vertice eliminato")),
        (
            "few",
            Text("A border needs three corners", "Un confine ha bisogno di tre vertici")
        ),
    ]
}
