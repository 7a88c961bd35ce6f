import CityData
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// A live map of simulated taxis on the home page of a demonstration (issue 5, 1).
///
/// The position of a real taxi is visible only to people who need it (R130). On a city's server the
/// home page therefore has no such map, and these addresses return "not found".
extension PassengerPages {
    /// The largest number of taxis on the map.
    ///
    /// More could not be told apart.
    private static let livingShown = 500
    /// The states whose taxis are shown, in the order of a ride.
    private static let livingStands: [TaxiStand] = [.free, .offered, .coming, .there, .aboard]

    /// The routes for the map's data and its still picture.
    var livingRoutes: [Route] {
        [
            .get("/living/taxis.json", as: "living.taxis.json", for: .anonymous, livingTaxis)
                .answering(.json)
                .failing(.notFound),
            .get("/living/taxis.svg", as: "living.taxis.svg", for: .anonymous, livingPicture)
                .answering(.picture)
                .failing(.notFound),
            .get("/living/mailbox", as: "living.mailbox", for: .everybody, livingMailbox)
                .failing(.notFound),
        ]
    }

    /// The map of the whole city, in a demonstration with its taxis.
    ///
    /// - Returns: nil without map data.
    func cityMap(_ context: RequestContext) async -> HTML? {
        guard let marks = try? await livingMarks(), !marks.isEmpty else {
            guard map.bounds != nil else { return nil }
            let picture = stillPicture(at: Address("/map.svg"), MapTexts.map, context)
            return "<div data-map=\"city\">\(picture)</div>"
        }
        let picture = stillPicture(
            at: Address("/living/taxis.svg"),
            LivingMapTexts.picture,
            context
        )
        return """
            <div data-map="living" data-source="/living/taxis.json" data-every="3" \
            data-still="\(context.say(LivingMapTexts.still))">\(picture)</div>
            \(livingKey(context))
            """
    }

    /// What each mark on the map stands for.
    private func livingKey(_ context: RequestContext) -> HTML {
        let items = Self.livingStands.map { "<li>\($0.html(context))</li>" as HTML }
        return """
            <ul class="legend map-key" aria-label="\(context.say(LivingMapTexts.key))">\(items)</ul>
            """
    }

    /// What the moving taxis do, as text: how many are in each state; nil outside a demonstration.
    func livingRow(_ context: RequestContext) async -> FoldedRow? {
        guard let marks = try? await livingMarks(), !marks.isEmpty else { return nil }
        let counts = Self.livingStands.map { stand -> HTML in
            "<li>\(stand.html(context)): \(marks.count(where: { $0.stand == stand }))</li>"
        }
        return FoldedRow(
            .taxi,
            LivingMapTexts.title,
            value: "\(marks.count)",
            content: """
                <ul class="legend">\(counts)</ul>
                <p class="hint">\(context.say(LivingMapTexts.hint))</p>
                """
        )
    }

    private func livingMarks() async throws -> [TaxiMark] {
        guard environment.demonstration != nil else { throw Failure.notFound }
        return try await taxi.marks(nil, limit: Self.livingShown).marks
            .filter { Self.livingStands.contains($0.stand) }
    }

    /// The messages that a city's server would have sent to visitors.
    private func livingMailbox(_ context: RequestContext) throws -> Response {
        guard let demonstration = environment.demonstration else { throw Failure.notFound }
        return response(demonstration.mailbox(context), to: context)
    }

    /// The positions and states of the taxis as GeoJSON, without their identities.
    private func livingTaxis(_ context: RequestContext) async throws -> Response {
        mapMarks(try await livingMarks().map { mapPoint(at: $0.place, kind: $0.stand.rawValue) })
    }

    /// A still picture of the positions, for browsers without scripts.
    private func livingPicture(_ context: RequestContext) async throws -> Response {
        let cars = try await livingMarks().map { MapPicture.Overlay(.point($0.place)) }
        return privatePicture(MapPicture(overlays: cars, title: context.say(MapTexts.map)))
    }
}
