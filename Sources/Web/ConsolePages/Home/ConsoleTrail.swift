import HTTPTypes
import Localization
package import Markup
import TaxiPages
package import WebCore

/// A page between a function of the console and the pages below it.
private struct TrailLevel: Sendable {
    /// The pattern of its path; `*` stands for one part.
    var pattern: StaticString
    var title: Text

    static let all: [TrailLevel] = [
        TrailLevel(pattern: "/console/apps/*", title: TrailTexts.application),
        TrailLevel(pattern: "/console/driver/*", title: TrailTexts.driver),
        TrailLevel(pattern: "/console/import/*", title: TrailTexts.table),
        TrailLevel(pattern: "/console/operations/requests/*", title: TrailTexts.request),
        TrailLevel(pattern: "/console/operations/taxis", title: TrailTexts.taxis),
        TrailLevel(pattern: "/console/operations/taxis/*", title: TrailTexts.taxi),
        TrailLevel(pattern: "/console/person/*", title: TrailTexts.person),
        TrailLevel(pattern: "/console/zones/history", title: TrailTexts.versions),
    ]

    /// The part of a path that this level has, if the path leads below it.
    func address(above path: String) -> Address? {
        let parts = path.split(separator: "/")
        let own = pattern.description.split(separator: "/")
        guard own.count < parts.count, zip(own, parts).allSatisfy({ $0 == "*" || $0 == $1 }) else {
            return nil
        }
        return Address(withinServer: "/" + parts.prefix(own.count).joined(separator: "/"))
    }
}

extension ConsolePages {
    /// Functions whose pages about one item have a path of their own.
    private static let elsewhere: [(path: String, section: String)] = [
        ("/console/driver/", "/console/drivers"), ("/console/person/", "/console/people"),
    ]

    /// The breadcrumb of a console page: the dashboard, the console, the function, and each page
    /// between the function and this one.
    package func consoleTrail(_ context: RequestContext) -> HTML? {
        let path = context.path
        guard context.isOfStaff, path == "/console" || path.hasPrefix("/console/") else {
            return nil
        }
        var levels: [(address: Address, title: Text)] = [
            (Address("/dashboard"), CommonTexts.dashboard)
        ]
        if path != "/console" { levels.append((Address("/console"), CommonTexts.console)) }
        let other = Self.elsewhere.first { path.hasPrefix($0.path) }?.section
        let section = ConsoleSection.all.first { section in
            path.hasPrefix("\(section.path)/") || section.path.description == other
        }
        if let section, context.mayUse(section.access) {
            levels.append((Address(section.path), section.title))
        }
        for level in TrailLevel.all {
            if let address = level.address(above: path) { levels.append((address, level.title)) }
        }
        let links = levels.map { level -> HTML in
            "<li><a href=\(level.address)>\(context.say(level.title))</a></li>"
        }
        return """
            <nav class="trail wide" aria-label="\(context.say(ConsoleHomeTexts.trail))">\
            <ol>\(links)</ol></nav>
            """
    }
}
