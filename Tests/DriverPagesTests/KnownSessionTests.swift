import Chronology
import Foundation
import Identity
import NIOHTTP1
import Storage
import TestClock
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// Decision 0027: for position reports and for pages that reload by themselves the session is
/// looked up only now and then, but its end takes effect at once.
@Suite("Reports and open pages of a driver whose session ends", .serialized)
struct KnownSessionTests {
    /// A device that keeps reporting, whatever happens in the browser.
    private struct Device {
        let town: DriverTown
        let visitor: Visitor
        let token: String

        init(_ town: DriverTown, _ driver: TownDriver) async throws {
            self.town = town
            let page = try await driver.visitor.get("/drive/where").text
            token = String(try #require(page.firstMatch(of: /name="token" value="([^"]*)"/)).1)
            visitor = town.site.visitor()
            visitor.plant("session", try #require(driver.visitor.cookie("session")))
        }

        /// Reports a position; returns the status of the answer.
        func report() async throws -> Int {
            town.clock.advance(seconds: 2)
            let at = town.clock.now.milliseconds
            let json = """
                {"sentAt":\(at),"positions":[{"at":\(at),"latitude":45.46,"longitude":9.15}]}
                """
            return try await visitor.send(
                .POST,
                "/drive/positions",
                headers: [
                    "content-type": "application/json", "x-form-token": token,
                    "accept": "application/problem+json",
                ],
                body: Array(json.utf8)
            ).status
        }

        /// Reloads the driver's page as `live.js` does; returns the status of the answer.
        func look() async throws -> Int {
            town.clock.advance(seconds: 2)
            return try await visitor.get("/drive", headers: ["x-page-refresh": "1"]).status
        }
    }

    /// What continues although the session has ended.
    enum Use: CaseIterable {
        case report, look
    }

    private static func status(of use: Use, _ device: Device) async throws -> Int {
        switch use {
        case .report: try await device.report()
        case .look: try await device.look()
        }
    }

    @Test("who logs out is believed no longer", arguments: Use.allCases)
    func logOut(use: Use) async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let device = try await Device(town, driver)
            #expect(try await Self.status(of: use, device) < 300)
            _ = try await driver.visitor.submit([:], on: "/account", to: "/logout")
            #expect([303, 401, 403].contains(try await Self.status(of: use, device)))
        }
    }

    @Test(
        "whose session ends or changes elsewhere is believed until sessions are looked at next",
        arguments: [
            "DELETE FROM session WHERE person = ",
            "UPDATE person SET must_change = 1 WHERE number = ",
        ] as [SQL],
        Use.allCases
    )
    func elsewhere(statement: SQL, use: Use) async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let device = try await Device(town, driver)
            #expect(try await Self.status(of: use, device) < 300)
            try await town.site.accounts.data.write { [person = driver.person] in
                _ = try $0.execute("\(statement)\(person)")
            }
            let begin = town.clock.now
            var status = 200
            // Each comes two seconds after the previous one.
            while status < 300, town.clock.now < begin.adding(seconds: KnownSessions.seconds) {
                try await ContinuousClock().sleep(for: .milliseconds(100))
                status = try await Self.status(of: use, device)
            }
            #expect([303, 401, 403].contains(status))
            #expect(town.clock.now < begin.adding(seconds: KnownSessions.seconds))
        }
    }

    @Test("nothing is believed for longer than it may be, nor before it was looked up")
    func age() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let secret = try #require(SecretToken(driver.visitor.cookie("session") ?? ""))
            let now = town.clock.now
            let session = try #require(try await town.site.accounts.session(of: secret, at: now))
            let known = KnownSessions()
            #expect(known.session(of: secret, at: now) == nil)
            known.remember(session, of: secret, since: known.mark, at: now)
            let last = now.adding(seconds: KnownSessions.seconds - 1)
            #expect(known.session(of: secret, at: last)?.session == session)
            #expect(known.session(of: secret, at: last.adding(seconds: 1)) == nil)
            #expect(known.session(of: secret, at: now.adding(seconds: -1)) == nil)
            #expect(known.session(of: .random(), at: now) == nil)
            #expect(known.numbers(at: now) == [session.number])
            // A session that ends during the lookup is not remembered as valid.
            let mark = known.mark
            known.forget(secret)
            known.remember(session, of: secret, since: mark, at: now)
            #expect(known.session(of: secret, at: now) == nil)
            known.remember(session, of: secret, since: known.mark, at: now)
            #expect(known.numbers(at: last.adding(seconds: 1)).isEmpty)
        }
    }
}
