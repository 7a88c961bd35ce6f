import Chronology
import Dispatching
package import Drivers
import Foundation
package import Identity
import NIOHTTP1
import Storage
import Taxi
import TestClock
import Testing
import WebApp

extension ServedSite {
    package static let password = "Passw0rdOne"

    package var accounts: Accounts { installation.accounts }

    /// An administrator who is signed in, with the session as the accounts know it.
    package func administrator(_ name: String = "admin") async throws -> (Visitor, Session) {
        let form = Registration(
            userName: name,
            email: "\(name)@example.org",
            password: Self.password,
            passwordAgain: Self.password,
            name: "Ada",
            surname: "Bianchi",
            consent: AccountSettings().consentVersion
        )
        let number = try await accounts.createAdministrator(form, at: clock.now)
        try await accounts.data.write { transaction in
            try transaction.execute("UPDATE person SET must_change = 0 WHERE number = \(number)")
        }
        let visitor = try await signedIn(name)
        return (visitor, try await session(of: visitor))
    }

    /// A signed-in person with an account; a traveller by default.
    package func person(_ name: String, _ roles: Set<Role> = [.traveller]) async throws -> Visitor {
        let form = Registration(
            userName: name,
            email: "\(name)@example.org",
            password: Self.password,
            passwordAgain: Self.password,
            name: "Pia",
            surname: "Verdi",
            consent: AccountSettings().consentVersion
        )
        let number = try await accounts.createAdministrator(form, at: clock.now)
        try await accounts.data.write { transaction in
            try transaction.execute(
                [
                    "UPDATE person SET must_change = 0 WHERE number = \(number)",
                    "DELETE FROM person_role WHERE person = \(number)",
                ]
                    + roles.sorted().map { role -> SQL in
                        "INSERT INTO person_role VALUES (\(number), \(role.rawValue))"
                    }
            )
        }
        return try await signedIn(name)
    }

    /// Signs a person in with a password.
    package func signedIn(_ name: String, password: String = password) async throws -> Visitor {
        let visitor = visitor()
        let answer = try await visitor.submit(["name": name, "password": password], on: "/login")
        #expect(answer.status == 303, "\(answer.text)")
        return visitor
    }

    /// The session that belongs to a visitor's cookie.
    package func session(of visitor: Visitor) async throws -> Session {
        let secret = try #require(SecretToken(visitor.cookie("session") ?? ""))
        return try #require(try await accounts.session(of: secret, at: clock.now))
    }
}

extension Visitor {
    /// Changes a driver: submits the form, then confirms the change that the answer shows.
    package func change(_ fields: [String: String], on page: String) async throws -> Answer {
        let shown = try await submit(fields, on: page + "/edit")
        return try await send(FormSheet(shown.text), to: page + "/edit")
    }

    /// Uploads a file through the form of a page.
    package func upload(
        _ bytes: [UInt8],
        as field: String = "table",
        on page: String
    ) async throws -> Answer {
        let shown = try await get(page)
        let match = shown.text.firstMatch(of: /<input type="hidden" name="token" value="([^"]*)">/)
        let token = match.map { String($0.1) } ?? ""
        let boundary = "----boundary4855"
        let head = """
            --\(boundary)\r
            Content-Disposition: form-data; name="token"\r
            \r
            \(token)\r
            --\(boundary)\r
            Content-Disposition: form-data; name="\(field)"; filename="table.csv"\r
            Content-Type: text/csv\r
            \r

            """
        let body = Array(head.utf8) + bytes + Array("\r\n--\(boundary)--\r\n".utf8)
        return try await send(
            .POST,
            page,
            headers: ["content-type": "multipart/form-data; boundary=\(boundary)"],
            body: body
        )
    }
}

extension DriverEntry {
    /// The driver with a given number, whose documents are unique.
    package static func numbered(_ number: Int, until last: String = "2030-06-30") -> DriverEntry {
        let digits = String(1_000_000 + number)
        return DriverEntry(
            email: "driver\(number)@example.org",
            name: "Dario",
            surname: "Guida \(number)",
            mobile: "+39 333 \(digits)",
            papers: DriverPapers(
                taxiCode: "T\(digits)",
                plate: "FA\(digits.suffix(3))AA",
                taxiLicence: "\(number + 1)",
                taxiLicenceExpires: last,
                drivingLicence: "MI\(digits)A",
                drivingLicenceExpires: "2031-06-30"
            )
        )
    }
}
