import Chronology
import Foundation
package import Identity
import NIOHTTP1
import Storage
import StorageTestSupport
import Synchronization
import Taxi
package import TaxiPages
import TestClock
import Testing
import WebApp
import WebCore

/// The fields of a form as a browser would submit them: in order, with repeated names.
package struct FormSheet {
    package private(set) var fields: [(name: String, value: String)] = []

    /// Reads the fields of a page: inputs and text areas.
    package init(_ page: String) {
        let pattern = /<input ([^>]*)>|<textarea [^>]*name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/
        for match in page.matches(of: pattern) {
            if let name = match.2, let value = match.3 {
                fields.append((String(name), Self.plain(value)))
            } else if let input = match.1, !input.contains("type=\"file\""),
                let name = input.firstMatch(of: /name="([^"]*)"/)?.1
            {
                let value = input.firstMatch(of: /value="([^"]*)"/)?.1 ?? ""
                fields.append((String(name), Self.plain(value)))
            }
        }
    }

    private static func plain(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&amp;", with: "&")
    }

    package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    package subscript(_ name: String) -> String? {
        get { all(name).first }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    package subscript(_ name: String, _ index: Int) -> String { all(name)[index] }

    /// Changes the value of a field, counted from 0 among those of that name.
    package mutating func set(_ name: String, at index: Int, to value: String) {
        let places = fields.indices.filter { fields[$0].name == name }
        fields[places[index]].value = value
    }
}

extension Visitor {
    /// Opens a page and reads its form.
    package func sheet(on page: String) async throws -> FormSheet {
        FormSheet(try await get(page).text)
    }

    /// Submits a form to the given path.
    package func send(_ sheet: FormSheet, to path: String) async throws -> Answer {
        let unreserved = CharacterSet.alphanumerics
        let body = sheet.fields.map { field in
            [field.name, field.value].map {
                $0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
            }
            .joined(separator: "=")
        }
        return try await send(
            .POST,
            path,
            headers: ["content-type": "application/x-www-form-urlencoded"],
            body: Array(body.joined(separator: "&").utf8)
        )
    }

    /// Opens a page with a file input and uploads a file.
    package func uploadZones(
        _ bytes: [UInt8],
        as field: String = "file",
        on page: String
    ) async throws -> Answer {
        let sheet = try await sheet(on: page)
        let boundary = "------viavai"
        var body: [UInt8] = []
        for (name, value) in sheet.fields {
            let head = "content-disposition: form-data; name=\"\(name)\"\r\n\r\n"
            body += Array("--\(boundary)\r\n\(head)\(value)\r\n".utf8)
        }
        let head = "content-disposition: form-data; name=\"\(field)\"; filename=\"a.geojson\""
        body += Array("--\(boundary)\r\n\(head)\r\n\r\n".utf8) + bytes
        body += Array("\r\n--\(boundary)--\r\n".utf8)
        return try await send(
            .POST,
            page,
            headers: ["content-type": "multipart/form-data; boundary=\(boundary)"],
            body: body
        )
    }
}

extension ServedSite {
    /// Signs a person in with a password; waits until the city's taxis are served.
    package func enter(_ name: String, _ password: String) async throws -> Visitor {
        let end = ContinuousClock.now + .seconds(20)
        while !installation.taxi.serves, ContinuousClock.now < end { await Task.yield() }
        let visitor = visitor()
        let answer = try await visitor.submit(["name": name, "password": password], on: "/login")
        #expect(answer.status == 303)
        return visitor
    }

    /// An administrator who is signed in.
    package func clerk(_ name: String = "clerk") async throws -> Visitor {
        try await installation.accounts.createAdministrator(form(name), at: clock.now)
        let visitor = try await enter(name, "Passw0rdOne")
        let changed = try await visitor.submit(
            [
                "old_password": "Passw0rdOne", "password": "Passw0rdTwo",
                "password_again": "Passw0rdTwo",
            ],
            on: "/account/password"
        )
        #expect(changed.status == 303)
        return visitor
    }

    /// A person with the given roles, signed in.
    package func somebody(_ name: String, _ roles: Set<Role>) async throws -> Visitor {
        var fields = [
            "name": "Ana", "surname": "Bruni", "email": "\(name)@example.org", "user_name": name,
            "password": "Passw0rdOne", "password_again": "Passw0rdOne", "consent": "2",
        ]
        fields["phone"] = "+39 333 1234567"
        let visitor = visitor()
        _ = try await visitor.submit(fields, on: "/register")
        let token = try #require(try await message(.confirmRegistration)?.facts["token"])
        _ = try await visitor.submit([:], on: "/confirm?token=\(token)")
        let accounts = installation.accounts
        let person = try #require(try await accounts.findPerson(name))
        try await accounts.data.write { transaction in
            for role in roles {
                try transaction.execute(
                    """
                    INSERT INTO person_role VALUES (\(person.rawValue), \(role.rawValue))
                    ON CONFLICT DO NOTHING
                    """
                )
            }
        }
        return try await enter(name, "Passw0rdOne")
    }

    private func form(_ name: String) -> Registration {
        Registration(
            userName: name,
            email: "\(name)@city.example",
            password: "Passw0rdOne",
            passwordAgain: "Passw0rdOne",
            name: "Carla",
            surname: "Neri",
            consent: installation.accounts.settings.consentVersion
        )
    }
}

/// Backups that a test can make fail.
package final class RiggedBackups: Sendable {
    private struct State {
        var reasons: [String] = []
        var fails = false
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description = "the disk is full"
    }

    private let state = Mutex(State())

    /// Backups that succeed until a test wants otherwise.
    package init() {}

    package var reasons: [String] { state.withLock { $0.reasons } }

    package var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    package var take: SafetyBackup {
        { [self] reason in
            let fails = state.withLock { state in
                state.reasons.append(reason)
                return state.fails
            }
            if fails { throw Failure() }
        }
    }
}
