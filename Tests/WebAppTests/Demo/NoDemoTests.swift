import Identity
import LivingCity
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 5, point 1, and rule 11 of the design: a city's server has none of the demo's features.
@Suite("A city's server is no demo", .serialized)
struct NoDemoTests {
    @Test("no page shows an account, and nobody signs in as one", arguments: DemoAccount.allCases)
    func noAccount(account: DemoAccount) async throws {
        try await withSite(DriverTown.limits) { site in
            let visitor = site.visitor()
            for path in ["/", "/login", "/privacy", "/nowhere"] {
                let page = try await visitor.get(path).text
                #expect(!page.contains(DemoAccount.password), "\(path)")
                #expect(!page.contains("id=\"demo\""), "\(path)")
            }
            let sent = try await visitor.submit(
                ["name": account.userName, "password": DemoAccount.password],
                on: "/login"
            )
            #expect(sent.status != 303)
            #expect(try await visitor.get("/dashboard").status == 303)
        }
    }

    @Test("no setting makes a demo, and a site is none by itself")
    func noSetting() async throws {
        for name in SettingName.allCases {
            #expect(!name.rawValue.contains("demo"))
            #expect(!name.meaning.lowercased().contains("demo"))
        }
        try await withSite { site in
            #expect(Site(site.installation).environment.demonstration == nil)
        }
    }

    @Test("a demo has no route that a city's server lacks")
    func noRoute() async throws {
        try await LivingTown.open(taxis: 1) { town in
            let installation = town.site.installation
            let routes = Site(installation).routes.map { "\($0.method) \($0.path)" }
            let demo = Site(installation, demonstration: town.people.demonstration)
            #expect(demo.routes.map { "\($0.method) \($0.path)" } == routes)
        }
    }

    @Test("a city's server shows nobody where its taxis are as a demo does (R130)")
    func noLivingMap() async throws {
        try await DriverTown.atWork { town, driver in
            for visitor in [town.site.visitor(), driver.visitor] {
                for path in ["/living/taxis.json", "/living/taxis.svg", "/living/mailbox"] {
                    #expect(try await visitor.get(path).status == 404, "\(path)")
                }
                let first = try await visitor.get("/").text
                #expect(first.contains("<h1") && !first.contains("/living/"))
            }
        }
    }

    @Test("the demo is one closed line, which says who one is and leads to all else (issue 30)")
    func oneLine() async throws {
        try await LivingTown.open(taxis: 1) { town in
            let visitor = town.site.visitor()
            let page = try await visitor.get("/login").text
            let start = try #require(page.firstRange(of: "<aside class=\"demo\" id=\"demo\""))
            let end = try #require(page[start.upperBound...].firstRange(of: "</aside>"))
            let panel = page[start.lowerBound..<end.upperBound]
            #expect(panel.contains("<details><summary>") && panel.contains("Choose who you are"))
            #expect(panel.contains("href=\"/living/mailbox\""))
            for account in DemoAccount.allCases {
                #expect(panel.contains("name=\"name\" value=\"\(account.userName)\""))
            }
            // Only the code changes with events: a refresh folds no open sheet.
            #expect(panel.contains("<b id=\"demo-code\" data-live=\"drive\"></b>"), "\(panel)")
            #expect(panel.ranges(of: "data-live").count == 1)
            let driver = try await town.visitor(.driver)
            driver.language = "en"
            let refresh = try await driver.get("/drive", headers: ["X-Page-Refresh": "1"]).text
            #expect(refresh.contains("id=\"demo-code\""))
            #expect(refresh.contains("Demo · Bruno (driver)"), "\(refresh)")
            #expect(refresh.contains("action=\"/logout\""))
        }
    }

    @Test("the buttons of a demo are the ordinary form: without its token nobody gets in")
    func ordinaryForm() async throws {
        try await LivingTown.open(taxis: 1) { town in
            let visitor = town.site.visitor()
            let page = try await visitor.get("/").text
            #expect(page.contains("id=\"demo\""))
            let sent = try await visitor.post(
                "/login",
                ["name": "operator", "password": DemoAccount.password]
            )
            #expect(sent.status == 403)
            let operating = try await town.visitor(.serviceOperator)
            #expect(try await operating.get("/console").status == 200)
            let calling = try await town.visitor(.passenger)
            #expect(try await calling.get("/console").status == 403)
        }
    }
}
