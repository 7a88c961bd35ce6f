import AsyncHTTPClient
import Foundation
import Identity
import Storage
import StorageTestSupport
import Taxi
import TestClock
import TestSupport
import Testing
import WebTestSupport

@testable import LiveUpdates
@testable import WebApp
@testable import WebCore

/// Issue 4, "the server-sent event stream"; ui.md 1, "Server-Sent Events".
@Suite("The stream of events", .serialized, .timeLimit(.minutes(5)))
struct EventStreamTests {
    @Test("a returning browser gets what it missed, or learns that it was too much")
    func replay() async throws {
        try await withSite { site in
            let staff = try await CityStaff.person([.administrator], at: site, name: "staff")
            try await CityStaff.open(site)
            let page = try await staff.get("/account").text
            let shown = try #require(page.firstMatch(of: /data-after="([^"]*)"/)).1
            let suspended = try await staff.submit(
                ["reason_it": "Neve"],
                on: "/console/suspension",
                to: "/console/suspension/begin"
            )
            #expect(suspended.header("location")?.contains("?notice=") == true)
            let query = "?after=\(shown)"
            try await site.withEvents(of: staff, query: query) { line in
                _ = try await line.read(to: "event: service\n")
            }
            // The `Last-Event-ID` header is newer than the number in the address of the stream.
            let newer = try #require(
                try await staff.get("/account").text.firstMatch(of: /data-after="([^"]*)"/)
            ).1
            try await site.withEvents(of: staff, query: query, last: String(newer)) { line in
                let hello = try await line.read(to: "event: hello\ndata:\n\n")
                #expect(!hello.contains("service"))
            }
            try await site.withEvents(of: staff, last: "another-1") { line in
                _ = try await line.read(to: "event: reset\n")
            }
        }
    }

    @Test("guests have a stream by their cookie; without one, and for a page, there is none")
    func guests() async throws {
        try await withSite(hasTaxis: false) { site in
            let guest = site.visitor()
            _ = try await guest.get("/login")
            try await site.withEvents(of: guest) { line in
                #expect(line.status == 200)
                _ = try await line.read(to: "event: hello\n")
            }
            try await site.withEvents(of: site.visitor()) { #expect($0.status == 204) }
            #expect(try await guest.get("/events").status == 400)
        }
    }

    @Test("issue 29, fault 4: invented cookies leave streams for those who are signed in")
    func inventedCookies() async throws {
        let options = [
            "limits.requests_per_second": "100000", "limits.requests_at_once": "100000",
        ]
        try await withSite(options, hasTaxis: false) { site in
            let ana = try await site.person("ana")
            let opened = try await onThread { () -> (lines: [RawConnection], refused: String) in
                var lines: [RawConnection] = []
                while true {
                    let line = try RawConnection(to: site.port)
                    let request = """
                        GET /events HTTP/1.1\r
                        Host: 127.0.0.1\r
                        Accept: text/event-stream\r
                        Cookie: session=\(SecretToken.random().text)\r
                        \r

                        """
                    line.send(request)
                    let answer = try line.read(until: "\r\n\r\n")
                    guard answer.hasPrefix("HTTP/1.1 200"), lines.count < 1_000 else {
                        return (lines, answer)
                    }
                    lines.append(line)
                }
            }
            #expect(opened.lines.count == 250)
            #expect(opened.refused.hasPrefix("HTTP/1.1 503"), "\(opened.refused)")
            try await site.withEvents(of: ana) { line in
                #expect(line.status == 200)
                _ = try await line.read(to: "event: hello\n")
            }
            withExtendedLifetime(opened.lines) {}
        }
    }

    @Test("silence is broken after fifteen seconds of the site's clock")
    func heartbeat() async throws {
        try await withSite(hasTaxis: false) { site in
            let ana = try await site.person("ana")
            try await site.withEvents(of: ana) { line in
                _ = try await line.read(to: "event: hello\ndata:\n\n")
                // The heartbeat may read the clock between two of these seconds, or after them all.
                let passing = Task {
                    let other = site.visitor()
                    while !Task.isCancelled {
                        site.clock.advance(seconds: 1)
                        _ = try await other.get("/health/live")
                    }
                }
                defer { passing.cancel() }
                #expect(try await line.read(to: "event: beat\n").hasPrefix(":\n"))
            }
        }
    }

    @Test("a session has four streams at most: the oldest gives way; they are counted")
    func many() async throws {
        try await withSite(hasTaxis: false) { site in
            let ana = try await site.person("ana")
            try await site.withEvents(of: ana) { first in
                _ = try await first.read(to: "event: hello\ndata:\n\n")
                try await site.withEvents(of: ana) { _ in
                    try await site.withEvents(of: ana) { _ in
                        try await site.withEvents(of: ana) { _ in
                            let figures = try await site.visitor().get("/metrics").text
                            #expect(figures.contains("viavai_event_streams 4"))
                            try await site.withEvents(of: ana) { last in
                                _ = try await last.read(to: "event: hello\n")
                                #expect(
                                    try await first.readToEnd()
                                        == "event: replaced\ndata:\n\n"
                                )
                            }
                        }
                    }
                }
            }
        }
    }

    /// How a session ends, or changes its rights.
    enum Ending: String, CaseIterable {
        case logOut, endedElsewhere, newPassword, deleted, suspended, promoted, commandLine
    }

    @Test(
        "a stream ends as soon as its session ends or changes its rights",
        arguments: Ending.allCases
    )
    func ends(how: Ending) async throws {
        try await withSite { site in
            try await site.started()
            let (staff, _) = try await site.administrator()
            let ana = try await site.person("ana")
            let number = try #require(try await site.session(of: ana).person)
            let person = "/console/person/\(number.rawValue)"
            try await site.withEvents(of: ana) { line in
                _ = try await line.read(to: "event: hello\ndata:\n\n")
                switch how {
                case .logOut: _ = try await ana.submit([:], on: "/account", to: "/logout")
                case .endedElsewhere:
                    let other = try await site.signedIn("ana")
                    _ = try await other.submit(
                        ["session": "others"],
                        on: "/account/sessions",
                        to: "/account/sessions/end"
                    )
                case .newPassword:
                    let new = [
                        "old_password": ServedSite.password, "password": "Passw0rdTwo",
                        "password_again": "Passw0rdTwo",
                    ]
                    #expect(try await ana.submit(new, on: "/account/password").status == 303)
                case .deleted:
                    let answer = try await ana.submit(["proceed": "yes"], on: "/account/delete")
                    #expect(answer.text.contains("Your account is deleted"))
                case .suspended:
                    let answer = try await staff.submit(
                        ["reason": "x"],
                        on: person,
                        to: person + "/suspend"
                    )
                    #expect(answer.status == 303)
                case .promoted:
                    let answer = try await staff.submit(
                        ["role": "operator"],
                        on: person,
                        to: person + "/roles"
                    )
                    #expect(answer.status == 303, "\(answer.text)")
                case .commandLine:
                    try await site.accounts.data.write {
                        _ = try $0.execute("DELETE FROM session WHERE person = \(number)")
                    }
                    site.clock.advance(seconds: LiveUpdates.sessionCheckSeconds)
                }
                #expect(try await line.readToEnd() == "event: end\ndata:\n\n")
            }
        }
    }

    @Test(
        "a server that is told to stop ends its streams and does not wait for them",
        arguments: ["HTTP/1.1", "HTTP/2"]
    )
    func shutdown(version: String) async throws {
        try await withTemporaryFolder { folder in
            var settings: [String: String] = [:]
            var configuration = HTTPClient.Configuration()
            if version == "HTTP/2" {
                try await TLSSamples.makeCertificate(named: "live", in: folder)
                settings = TLSSamples.settings(folder)
                configuration = TLSSamples.client()
            }
            let name = version == "HTTP/2" ? "__Host-session" : "session"
            let program = try await ServedProgram(in: folder, settings)
            var cookie = ""
            try await program.withVisitor(configuration) { visitor in
                _ = try await visitor.get("/login")
                cookie = visitor.cookie(name) ?? ""
            }
            try await withEvents(
                program.base,
                session: "\(name)=\(cookie)",
                configuration: configuration
            ) { line in
                _ = try await line.read(to: "event: hello\ndata:\n\n")
                program.signal(SIGTERM)
                #expect(try await line.readToEnd() == "")
                #expect(try await program.ended() == 0)
            }
        }
    }
}
