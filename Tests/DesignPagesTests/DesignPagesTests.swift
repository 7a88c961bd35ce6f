import Dispatching
import Identity
import Localization
import StorageTestSupport
import Testing
import WebTestSupport

@testable import DesignPages
@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 30, 1: the design system, and the frame of every page.
@Suite("The page that shows the design system", .serialized)
struct DesignPagesTests {
    @Test("administrators see it on a city's server, and nobody else")
    func access() async throws {
        try await withSite(CityStaff.limits) { site in
            try await CityStaff.open(site)
            let administrator = try await CityStaff.administrator(site)
            for path in ["/design", "/design/sheet", "/design/console", "/design/takeover"] {
                let page = try await administrator.get(path)
                #expect(page.status == 200, "\(path)")
                #expect(page.text.contains("<h1>"), "\(path)")
                #expect(try await site.visitor().get(path).status == 303, "\(path)")
            }
            let traveller = try await CityStaff.person([.traveller], at: site, name: "tea")
            #expect(try await traveller.get("/design").status == 403)
        }
    }

    @Test("the query chooses colours, contrast and the size of the text, without scripts")
    func appearance() async throws {
        try await withSite(CityStaff.limits) { site in
            try await CityStaff.open(site)
            let visitor = try await CityStaff.administrator(site)
            let plain = try await visitor.get("/design").text
            #expect(plain.contains("<html lang=\"en\">"))
            let dark = try await visitor.get("/design?theme=dark&contrast=more&text=200").text
            let root =
                "<html lang=\"en\" data-theme=\"dark\" data-contrast=\"more\" data-text=\"200\">"
            #expect(dark.contains(root))
            let wrong = try await visitor.get("/design?theme=%22onload").text
            #expect(wrong.contains("<html lang=\"en\">"))
        }
    }

    @Test("trips, days, marks and states are shown, with the style sheets of their pages")
    func sections() async throws {
        try await withSite(CityStaff.limits) { site in
            try await CityStaff.open(site)
            let page = try await CityStaff.administrator(site).get("/design").text
            for section in ["trips", "calendar", "map", "states"] {
                #expect(page.contains("<section id=\"\(section)\">"), "\(section)")
                #expect(page.contains("href=\"#\(section)\""), "\(section)")
            }
            for sheet in ["travel", "lines", "calendar", "day", "week", "map", "developers"] {
                #expect(page.contains("/\(sheet).css\""), "\(sheet)")
            }
        }
    }

    @Test("every layout has its text before its map, and a takeover neither header nor tabs")
    func layouts() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await CityStaff.administrator(town.site)
            for path in ["/design/sheet", "/design/console", "/design/takeover"] {
                let page = try await visitor.get(path).text
                let sheet = try #require(page.ranges(of: "<div class=\"sheet\">").first, "\(path)")
                let map = try #require(page.ranges(of: "<div class=\"map-area\">").first, "\(path)")
                #expect(sheet.lowerBound < map.lowerBound, "\(path)")
                #expect(page.contains("class=\"top\"") == (path != "/design/takeover"), "\(path)")
                #expect(page.contains("class=\"tabs\"") == (path != "/design/takeover"), "\(path)")
            }
        }
    }

    @Test("tabs follow the role, and visitors have none")
    func tabs() async throws {
        try await withSite(CityStaff.limits) { site in
            try await CityStaff.open(site)
            #expect(!(try await site.visitor().get("/").text.contains("class=\"tabs\"")))
            let traveller = try await CityStaff.person([.traveller], at: site)
            let account = try await traveller.get("/account").text
            #expect(account.contains("<body class=\"has-tabs\">"))
            #expect(account.contains("<a href=\"/account\" aria-current=\"true\">"))
            // What introduces the service is for visitors.
            let promise = "has waited longest comes first"
            #expect(try await site.visitor().get("/").text.contains(promise))
            #expect(!(try await traveller.get("/").text.contains(promise)))
        }
    }

    @Test("the font is served, preloaded, and cached for ever")
    func font() async throws {
        try await withSite(CityStaff.limits) { site in
            let page = try await site.visitor().get("/").text
            let match = try #require(page.firstMatch(of: /as="font"[^>]*href="([^"]*)"/))
            let font = try await site.visitor().get(String(match.output.1))
            #expect(font.header("content-type") == "font/woff2")
            #expect(font.header("cache-control")?.contains("immutable") == true)
            let licence = try await site.visitor().get("/assets/x/inter-licence.txt")
            #expect(licence.text.contains("OFL-1.1"))
            let style = try #require(page.firstMatch(of: /stylesheet" href="([^"]*)"/))
            let css = try await site.visitor().get(String(style.output.1)).text
            #expect(css.contains("url(\"\(match.output.1)\")"))
            // Comments are not served, and their ends leave nothing behind.
            #expect(css.hasPrefix("@font-face") && !css.contains("/*") && !css.contains("*/"))
        }
    }

    @Test("an icon of the catalogue has a name of its own")
    func icons() {
        #expect(Set(Icon.catalogue.map(\.name)).count == Icon.catalogue.count)
        #expect(Icon.catalogue.count > 70)
    }
}
