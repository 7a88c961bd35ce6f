import Crypto
import Encoding
import Foundation
package import Identity
package import OpenData
import TestClock

/// An application of another company that asks people for consent, written from the specifications
/// (RFC 6749, RFC 7636, RFC 9207) with plain HTTP.
package struct ForeignClient {
    /// Its public number.
    package let number: Int64
    /// The key that the city gave it.
    package var key: String
    /// Where it wants people to return.
    package var redirect: String
    /// Its own connection to the server, without any person's cookies.
    package let visitor: Visitor
    /// The secret of its next question.
    package var verifier = SecretToken.random().text
    /// The text by which it recognises its answer.
    package var state = "st-\(UInt64.random(in: .min ... .max))"

    /// Registers an application.
    package static func registered(
        at site: ServedSite,
        _ scopes: Set<Scope> = Set(Scope.allCases),
        name: String = "Rides Plus",
        redirects: [String] = ["https://rides.example.org/back"],
        isNative: Bool = false,
        hasDevices: Bool = false
    ) async throws -> ForeignClient {
        let (_, session) = try await site.administrator(
            "boss\(UInt32.random(in: .min ... .max))"
        )
        let (number, key) = try await site.accounts.registerApplication(
            ApplicationForm(
                name: name,
                contact: "office@rides.example.org",
                redirects: redirects,
                scopes: scopes,
                requestsPerMinute: 6_000,
                isNative: isNative,
                hasDevices: hasDevices
            ),
            by: session,
            at: site.clock.now
        )
        return ForeignClient(
            number: number,
            key: key.text,
            redirect: redirects[0],
            visitor: site.visitor()
        )
    }

    /// The SHA-256 of the secret, as the question contains it.
    package var challenge: String {
        Base64.encodedForURL(Array(SHA256.hash(data: Array(verifier.utf8))))
    }

    /// The path of the question; nil leaves a field out.
    package func question(
        _ scopes: Set<Scope>,
        _ changes: [String: String?] = [:],
        adding further: String = ""
    ) -> String {
        let fields: [String: String?] = [
            "response_type": "code", "client_id": "\(number)", "redirect_uri": redirect,
            "scope": Scope.text(of: scopes), "state": state, "code_challenge": challenge,
            "code_challenge_method": "S256",
        ]
        let all = fields.merging(changes) { $1 }.compactMapValues(\.self)
        let query = all.sorted { $0.key < $1.key }
            .map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
        return "/oauth/authorize?\(query)\(further)"
    }

    /// Lets a person answer the question.
    ///
    /// - Returns: the fields with which the person's browser returns; empty if it does not.
    package func ask(
        _ person: Visitor,
        _ scopes: Set<Scope>,
        decision: String = "allow"
    ) async throws -> [String: String] {
        let path = question(scopes)
        let answer = try await person.submit(["decision": decision], on: path, to: path)
        return returned(answer)
    }

    /// The fields of the address to which an answer leads, if it is the application's.
    package func returned(_ answer: Visitor.Answer) -> [String: String] {
        guard let location = answer.header("location"), location.hasPrefix(redirect),
            let items = URLComponents(string: location)?.queryItems
        else { return [:] }
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    /// How the application says who it is.
    package enum Proof: CaseIterable, Sendable {
        case header
        case body
        case none
    }

    /// Sends a form to one of the endpoints.
    package func post(
        _ path: String,
        _ fields: [String: String],
        proof: Proof = .header
    ) async throws -> (status: Int, json: JSONValue, answer: Visitor.Answer) {
        var fields = fields
        var headers: [String: String] = [:]
        switch proof {
        case .header:
            let pair = Base64.encoded(Array("\(number):\(key)".utf8))
            headers["authorization"] = "Basic \(pair)"
        case .body:
            fields["client_id"] = "\(number)"
            fields["client_secret"] = key
        case .none: fields["client_id"] = "\(number)"
        }
        let answer = try await visitor.post(path, fields, headers: headers)
        let json = (try? JSONValue(parsing: Array(answer.text.utf8))) ?? .null
        return (answer.status, json, answer)
    }

    /// Exchanges an authorization code for tokens (RFC 6749, 4.1.3), with some fields changed.
    package func redeem(
        _ code: String,
        proof: Proof = .header,
        _ changes: [String: String] = [:]
    ) async throws -> (status: Int, json: JSONValue, answer: Visitor.Answer) {
        let fields = [
            "grant_type": "authorization_code", "code": code, "code_verifier": verifier,
            "redirect_uri": redirect,
        ]
        return try await post("/oauth/token", fields.merging(changes) { $1 }, proof: proof)
    }

    /// The tokens that a person gives by pressing "Allow".
    package func tokens(
        of person: Visitor,
        _ scopes: Set<Scope>,
        proof: Proof = .header
    ) async throws -> (access: String, refresh: String) {
        let code = try await ask(person, scopes)["code"] ?? ""
        let json = try await redeem(code, proof: proof).json
        return (json["access_token"]?.text ?? "", json["refresh_token"]?.text ?? "")
    }

    /// Exchanges a refresh token.
    package func refresh(
        _ token: String,
        proof: Proof = .header
    ) async throws -> (status: Int, json: JSONValue, answer: Visitor.Answer) {
        let fields = ["grant_type": "refresh_token", "refresh_token": token]
        return try await post("/oauth/token", fields, proof: proof)
    }

    /// The status with which the API answers a token.
    package func status(_ token: String, _ path: String = "/api/application") async throws -> Int {
        try await visitor.get(path, headers: ["authorization": "Bearer \(token)"]).status
    }
}
