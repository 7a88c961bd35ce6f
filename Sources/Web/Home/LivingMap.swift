import CityData
import HTTPTypes
import Markup
import Taxi
import Words

/// The taxis of an invented city as they drive, on the first page of a demonstration (issue 5, 1).
///
/// Where a real taxi is, only those see who need it (R130): on a city's server its first page has
/// no such map, and these addresses lead nowhere.
extension Site {
    /// How many taxis the map shows: more could not be told apart.
    private static let livingShown = 500
    /// What the legend of the map that moves explains, in the order of a ride.
    private static let livingStands: [TaxiStand] = [.free, .offered, .coming, .there, .aboard]

    /// What the map is made of.
    var livingRoutes: [Route] {
        [
            .get("/living/taxis.json", livingTaxis),
            .get("/living/taxis.svg", livingPicture),
        ]
    }

    /// What stands beside what most people come for: the map in a demonstration, else a drawing.
    func firstPicture(_ visit: Visit) -> HTML {
        guard demonstration != nil else { return HomeDrawing.html }
        let legend = Self.livingStands.map { "<li>\($0.html(visit))</li>" as HTML }
        let picture = stillPicture(at: Address("/living/taxis.svg"), LivingMapWords.picture, visit)
        return """
            <section aria-labelledby="living">
            <h2 id="living">\(visit.say(LivingMapWords.title))</h2>
            <div class="small" data-map="living" data-source="/living/taxis.json" data-every="3">\
            \(picture)<ul class="legend" hidden>\(legend)</ul></div>
            <p class="hint">\(visit.say(LivingMapWords.hint))</p>
            </section>
            """
    }

    private func livingMarks() async throws -> [TaxiMark] {
        guard demonstration != nil else { throw Failure.notFound }
        return try await taxi.marks(nil, limit: Self.livingShown).marks
    }

    /// Where the taxis are and what they do, as GeoJSON: not which is which.
    private func livingTaxis(_ visit: Visit) async throws -> Reply {
        mapMarks(try await livingMarks().map { mapPoint(at: $0.place, kind: $0.stand.rawValue) })
    }

    /// The places alone as a still picture, for who has no scripts.
    private func livingPicture(_ visit: Visit) async throws -> Reply {
        let cars = try await livingMarks().map { MapPicture.Overlay(.point($0.place)) }
        return privatePicture(MapPicture(overlays: cars, title: visit.say(MapWords.map)))
    }
}

enum LivingMapWords {
    static let title = Text("The taxis now", "I taxi in questo momento")
    static let picture = Text(
        "The taxis of this invented city, where they are now",
        "I taxi di questa città inventata, dove sono adesso"
    )
    static let hint = Text(
        "Only the demo shows them to everybody. In a real city the operator sees them, and "
            + "whoever waits for one sees the one that comes.",
        "Solo la demo li mostra a tutti. In una città vera li vede l'operatore, e chi ne aspetta "
            + "uno vede quello che arriva."
    )
}
