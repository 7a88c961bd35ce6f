import CityData
import Geo
import HTTPTypes
import Markup
package import TaxiPages
package import WebCore

/// The page that shows every part of the design system in every state (issue 30).
///
/// It is served to everybody in a demonstration, and to administrators on a city's server.
package struct DesignPages: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment

    /// Creates the pages of a site.
    package init(_ environment: TaxiEnvironment) {
        self.environment = environment
    }

    /// The page, and one page for each layout.
    package var routes: [Route] {
        let access: Access = environment.demonstration == nil ? .administrator : .everybody
        return [
            .get("/design", as: "design", for: access) { response(page($0), to: $0) }
                .taking(Self.appearance),
            .get("/design/sheet", as: "design.sheet", for: access) { response(sheet($0), to: $0) }
                .taking(Self.appearance),
            .get("/design/console", as: "design.console", for: access) {
                response(console($0), to: $0)
            }
            .taking(Self.appearance),
            .get("/design/takeover", as: "design.takeover", for: access) {
                response(takeover($0), to: $0)
            }
            .taking(Self.appearance),
            .get("/design/map.svg", as: "design.map.svg", for: access) {
                try picture(of: scene, $0)
            }
            .answering(.picture)
            .failing(.notFound),
        ]
    }

    /// What a page chooses instead of the device.
    private static let appearance: [InputField] = [
        .query("theme", .choice(of: Page.Appearance.Theme.self), "Light or dark colours."),
        .query("contrast", .choice(["more"]), "Chooses high contrast."),
        .query("text", .choice(["200"]), "Doubles the size of the text."),
    ]

    private func page(_ context: RequestContext) -> Page {
        var page = Page(DesignTexts.title, body: DesignSheet(context).body)
        page.appearance = DesignSheet(context).appearance
        return page
    }

    private func sheet(_ context: RequestContext) -> Page {
        var page = Page(DesignTexts.sheet, body: LayoutSamples(context).sheet)
        page.layout = .mapSheet
        page.map = map(context)
        page.appearance = DesignSheet(context).appearance
        return page
    }

    private func console(_ context: RequestContext) -> Page {
        var page = Page(DesignTexts.console, body: LayoutSamples(context).console)
        page.layout = .console
        page.map = map(context)
        page.drawer = LayoutSamples(context).drawer
        page.appearance = DesignSheet(context).appearance
        return page
    }

    private func takeover(_ context: RequestContext) -> Page {
        var page = Page(DesignTexts.takeover, body: LayoutSamples(context).takeover)
        page.layout = .takeover
        page.map = map(context)
        page.appearance = DesignSheet(context).appearance
        return page
    }

    /// The city's map with two places, as every page with a map has it; nil without a city.
    private func map(_ context: RequestContext) -> HTML? {
        sceneMap(scene, still: Address("/design/map.svg"), topic: nil, context)
    }

    private var scene: MapScene {
        guard let box = map.bounds else { return MapScene() }
        func place(_ share: Int32) -> Coordinate {
            Coordinate(
                latitude: box.south + (box.north - box.south) / 16 * share,
                longitude: box.west + (box.east - box.west) / 16 * share
            )
        }
        return MapScene(
            [
                MapScene.Mark(.meeting, at: place(7), DesignTexts.from),
                MapScene.Mark(.destination, at: place(9), DesignTexts.to),
            ],
            lines: [MapScene.Line(.route, [place(7), place(8), place(9)])]
        )
    }
}
