import CityData
import HTTPTypes
import Markup
import Taxi
import TaxiPages
import WebCore

/// The taxis of an invented city as they drive, on the first page of a demonstration (issue 5, 1).
///
/// Where a real taxi is, only those see who need it (R130): on a city's server its first page has
/// no such map, and these addresses lead nowhere.
extension PassengerPages {
    /// How many taxis the map shows: more could not be told apart.
    private static let livingShown = 500
    /// What they do that are shown, in the order of a ride.
    private static let livingStands: [TaxiStand] = [.free, .offered, .coming, .there, .aboard]

    /// What the map is made of.
    var livingRoutes: [Route] {
        [
            .get("/living/taxis.json", for: .anonymous, livingTaxis),
            .get("/living/taxis.svg", for: .anonymous, livingPicture),
        ]
    }

    /// What stands beside what most people come for: the map in a demonstration with taxis on
    /// duty, else a drawing.
    func firstPicture(_ visit: Visit) async -> HTML {
        guard let marks = try? await livingMarks(), !marks.isEmpty else { return HomeDrawing.html }
        let counts = Self.livingStands.map { stand -> HTML in
            "<li>\(stand.html(visit)): \(marks.count(where: { $0.stand == stand }))</li>"
        }
        let picture = stillPicture(at: Address("/living/taxis.svg"), LivingMapTexts.picture, visit)
        return """
            <section aria-labelledby="living">
            <h2 id="living">\(visit.say(LivingMapTexts.title))</h2>
            <ul class="legend">\(counts)</ul>
            <div class="small" data-map="living" data-source="/living/taxis.json" data-every="3" \
            data-still="\(visit.say(LivingMapTexts.still))">\(picture)</div>
            <p class="hint">\(visit.say(LivingMapTexts.hint))</p>
            </section>
            """
    }

    private func livingMarks() async throws -> [TaxiMark] {
        guard environment.demonstration != nil else { throw Failure.notFound }
        return try await taxi.marks(nil, limit: Self.livingShown).marks
            .filter { Self.livingStands.contains($0.stand) }
    }

    /// Where the taxis are and what they do, as GeoJSON: not which is which.
    private func livingTaxis(_ visit: Visit) async throws -> Reply {
        mapMarks(try await livingMarks().map { mapPoint(at: $0.place, kind: $0.stand.rawValue) })
    }

    /// The places alone as a still picture, for who has no scripts.
    private func livingPicture(_ visit: Visit) async throws -> Reply {
        let cars = try await livingMarks().map { MapPicture.Overlay(.point($0.place)) }
        return privatePicture(MapPicture(overlays: cars, title: visit.say(MapTexts.map)))
    }
}
