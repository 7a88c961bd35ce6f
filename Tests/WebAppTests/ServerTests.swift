import Foundation
import HTTPTypes
import NIOCore
import Storage
import Testing
import WebTestSupport

@testable import HTTPServer
@testable import WebApp
@testable import WebCore

@Suite("The server", .serialized)
struct ServerTests {
    @Test("an address at which another program listens is told in a line")
    func taken() async throws {
        try await withSite { site in
            let address = ListenAddress(host: "127.0.0.1", port: site.port)
            #expect(await !address.isFree())
            let free = ListenAddress(host: "127.0.0.1", port: 0)
            #expect(await free.isFree())
            let fault = ServerFault.explained(
                IOError(errnoCode: EADDRINUSE, reason: "bind"),
                at: [address]
            )
            let line = OperatorText.line(for: fault) ?? ""
            #expect(line.hasPrefix("127.0.0.1:\(site.port): another program listens there"))
        }
    }

    @Test("the first page speaks the browser's language, and another once chosen (R114)")
    func languages() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            visitor.language = "fr;q=0.9, it-IT;q=0.8, en;q=0.5"
            let italian = try await visitor.get("/")
            #expect(italian.status == 200)
            #expect(italian.text.contains("<html lang=\"it\">"))
            #expect(italian.text.contains("Un taxi quando serve"))
            let choice = try await visitor.get("/language?to=en&back=%2Fprivacy")
            #expect(choice.status == 303)
            #expect(choice.header("location") == "/privacy")
            let english = try await visitor.get("/privacy")
            #expect(english.text.contains("Privacy and cookies"))
            #expect(english.header("content-language") == "en")
        }
    }

    @Test(
        "of the browser's languages the one that is wanted most counts (RFC 9110, 12.5.4)",
        arguments: [
            ("it", "it"), ("IT-ch", "it"), ("en, it", "en"), ("it, en", "it"),
            ("en;q=0.3, it;q=0.7", "it"), ("en ; q=0.7 , it ; q=0.3", "en"), ("it;q=0, fr", "en"),
            ("it;q=0,en;q=0.1", "en"), ("de,fr;q=0.5", "en"), ("*", "en"), ("", "en"),
            ("ita", "en"), ("it;q=x, en;q=0.5", "it"), (",;q=1,-,it;q=0.1", "it"),
        ]
    )
    func accepted(languages: String, language: String) async throws {
        try await withSite { site in
            let visitor = site.visitor()
            visitor.language = languages
            let page = try await visitor.get("/")
            #expect(page.text.contains("<html lang=\"\(language)\">"))
        }
    }

    @Test("choosing a language sends nobody to another server (open redirects)")
    func noOpenRedirect() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            for back in ["//evil.example", "https://evil.example", "/%5Cevil.example"] {
                let answer = try await visitor.get("/language?to=it&back=\(back)")
                #expect(answer.header("location") == "/")
            }
        }
    }

    @Test("what is not there is a page for people and a problem for programs (RFC 9457)")
    func notFound() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let page = try await visitor.get("/nowhere")
            #expect(page.status == 404)
            #expect(page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.text.contains("This page does not exist"))
            let problem = try await visitor.get(
                "/nowhere",
                headers: ["accept": "application/json"]
            )
            #expect(problem.status == 404)
            #expect(problem.header("content-type") == "application/problem+json")
            #expect(problem.text.contains("\"type\":\"/problems/not-found\""))
        }
    }

    @Test("a page that does not exist keeps the tabs of who is signed in (issue 30)")
    func notFoundForMembers() async throws {
        try await withSite { site in
            let stranger = try await site.visitor().get("/nowhere")
            #expect(stranger.status == 404 && !stranger.text.contains("class=\"tabs\""))
            let page = try await site.person("pia").get("/nowhere")
            #expect(page.status == 404 && page.text.contains("This page does not exist"))
            #expect(page.text.contains("class=\"tabs\""), "\(page.text)")
            #expect(page.text.contains("href=\"/account\""))
        }
    }

    @Test("every answer, failures too, forbids scripts from elsewhere and framing (R125)")
    func headers() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            for path in ["/", "/nowhere", "/assets/x/style.css"] {
                let answer = try await visitor.get(path)
                let policy = answer.header("content-security-policy") ?? ""
                #expect(policy.contains("default-src 'none'"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(answer.header("x-content-type-options") == "nosniff")
            }
        }
    }

    @Test("assets are kept for ever under their present name, and only there")
    func assets() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let page = try await visitor.get("/").text
            let match = try #require(page.firstMatch(of: /href="(\/assets\/[0-9a-f]+\/style.css)"/))
            let style = try await visitor.get(
                String(match.1),
                headers: ["accept-encoding": "gzip"]
            )
            #expect(style.header("cache-control") == "public, max-age=31536000, immutable")
            #expect(style.header("content-encoding") == "gzip")
            let old = try await visitor.get("/assets/0000/style.css")
            #expect(old.status == 200)
            #expect(old.header("cache-control") == "no-cache")
            #expect(try await visitor.get("/assets/0000/..%2F..%2Fetc%2Fpasswd").status == 404)
        }
    }

    @Test("who asks too often is told when to come again (R125)")
    func rate() async throws {
        let options = ["limits.requests_per_second": "1", "limits.requests_at_once": "3"]
        try await withSite(options) { site in
            let visitor = site.visitor()
            for _ in 0..<3 { #expect(try await visitor.get("/").status == 200) }
            let refused = try await visitor.get("/")
            #expect(refused.status == 429)
            #expect(refused.header("retry-after") == "1")
        }
    }

    @Test("X-Forwarded-For is believed from the proxies that are named, and from nobody else")
    func forwarded() async throws {
        // Proxies given as networks: issue 29, fault 12.
        let cases = [
            ("", 429), ("127.0.0.1", 200), ("127.0.0.0/8", 200), ("10.0.0.0/8, 127.0.0.0/30", 200),
            ("10.0.0.0/8", 429), ("::/1", 429),
        ]
        for (proxies, second) in cases {
            let options = [
                "limits.requests_per_second": "1", "limits.requests_at_once": "1",
                "proxies.trusted": proxies,
            ]
            try await withSite(options) { site in
                let visitor = site.visitor()
                let first = try await visitor.get("/", headers: ["x-forwarded-for": "1.2.3.4"])
                #expect(first.status == 200)
                let other = try await visitor.get("/", headers: ["x-forwarded-for": "5.6.7.8"])
                #expect(other.status == second)
                // What the client invents before the proxy's own entry has no effect.
                let lie = try await visitor.get(
                    "/",
                    headers: ["x-forwarded-for": "9.9.9.9, 1.2.3.4"]
                )
                #expect(lie.status == 429)
            }
        }
    }

    @Test("issue 29, fault 12: nothing that may be about a person is kept on its way (R105)")
    func kept() async throws {
        try await withSite { site in
            let ana = try await CityStaff.administrator(site)
            let routes = Site(site.installation).routes
            let isPublic = [
                "/assets", "/tiles", "/map", "/manifest", "/service-worker", "/icon",
                "/api/openapi",
            ]
            for route in routes where route.method == .get && route.parameterNames.isEmpty {
                let answer = try await ana.get(route.path)
                let kept = answer.header("cache-control") ?? ""
                #expect(!kept.isEmpty, "\(route.path)")
                if isPublic.contains(where: route.path.hasPrefix) { continue }
                #expect(
                    ["private, no-cache", "private, no-store", "no-store"].contains(kept),
                    "\(route.path): \(kept)"
                )
            }
            let export = try await ana.get("/account/export")
            #expect(export.status == 200)
            #expect(export.header("cache-control") == "no-store")
        }
    }

    @Test("operators see whether it lives, whether it can answer, and its figures")
    func operations() async throws {
        try await withSite(hasTaxis: false) { site in
            let visitor = site.visitor()
            _ = try await visitor.get("/")
            #expect(try await visitor.get("/health/live").text == "alive\n")
            #expect(try await visitor.get("/health/ready").text == "ready\n")
            let figures = try await visitor.get("/metrics").text
            #expect(figures.contains("# TYPE viavai_request_seconds histogram"))
            let count = "viavai_request_seconds_count{method=\"GET\",route=\"/\",status=\"200\"} 1"
            #expect(figures.contains(count))
            site.installation.database.close()
            #expect(try await visitor.get("/health/ready").status == 503)
        }
    }

    @Test("a body that is too large is refused with its limit, and nothing is done (R125)")
    func tooLarge() async throws {
        try await withSite(["limits.body_bytes": "2048"]) { site in
            let fields = ["name": String(repeating: "a", count: 3_000)]
            let answer = try await site.visitor().submit(fields, on: "/password/forgotten")
            #expect(answer.status == 413)
            #expect(answer.text.contains("At most 2 kB"))
        }
    }
}
