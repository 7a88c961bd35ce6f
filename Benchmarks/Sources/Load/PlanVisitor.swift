import Foundation
import NIOHTTP1

/// Somebody who plans trips with a browser: it loads the form once, submits it with the hidden
/// fields and its cookies, and follows the redirection to the answer.
struct PlanVisitor {
    /// A request with its body.
    struct Request {
        var head: HTTPRequestHead
        var body = ""
    }

    /// The path of the form, and the beginning of those of the answers.
    private static let form = "/plan"
    /// Where the planner asks which of several places is meant: no answer.
    private static let places = "/plan/places"

    private let host: String
    private let headers: [(String, String)]
    private var cookies: [String: String] = [:]
    private var token = ""
    private var submitted = 0

    /// Creates a visitor.
    ///
    /// - Parameters:
    ///   - host: the host and port of the server.
    ///   - headers: the headers that every request has, except that for the form.
    init(host: String, headers: [(String, String)]) {
        self.host = host
        self.headers = headers
    }

    /// The request for the form; its response must not be compressed.
    func open() -> Request { Request(head: head(.GET, Self.form, [])) }

    /// Takes the hidden token from the form.
    mutating func read(form: [UInt8]) {
        let text = String(decoding: form, as: UTF8.self)
        let mark = "name=\"token\" value=\""
        guard let start = text.range(of: mark)?.upperBound else { return }
        token = String(text[start...].prefix { $0 != "\"" })
    }

    /// Keeps the cookies of a response.
    mutating func read(_ response: HTTPResponseHead) {
        for cookie in response.headers["set-cookie"] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            guard let name = pair.first.map(String.init) else { continue }
            cookies[name] = pair.count == 2 ? String(pair[1]) : nil
        }
    }

    /// The submission of a question.
    mutating func submit(_ question: PlanQuestion) -> Request {
        submitted += 1
        let key = String(submitted)
        var fields = question.fields
        fields.append(("token", token))
        // The idempotency key of a form that was loaded again.
        fields.append(("key", String(repeating: "0", count: 32 - key.count) + key))
        let body = fields.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        let own = [
            ("origin", "https://\(host)"), ("sec-fetch-site", "same-origin"),
            ("content-type", "application/x-www-form-urlencoded"),
            ("content-length", "\(body.utf8.count)"),
        ]
        return Request(head: head(.POST, Self.form, headers + own), body: body)
    }

    /// The request for the answer to which a response leads; nil if it leads to none.
    func follow(_ response: HTTPResponseHead) -> Request? {
        guard response.status == .seeOther,
            let location = response.headers.first(name: "location")
        else { return nil }
        let prefix = "https://\(host)"
        let path = location.hasPrefix(prefix) ? String(location.dropFirst(prefix.count)) : location
        guard path.hasPrefix(Self.form + "/"), path != Self.places else { return nil }
        return Request(head: head(.GET, path, headers))
    }

    private func head(
        _ method: HTTPMethod,
        _ path: String,
        _ headers: [(String, String)]
    ) -> HTTPRequestHead {
        var all = HTTPHeaders([("host", host)])
        for (name, value) in headers { all.add(name: name, value: value) }
        if !cookies.isEmpty {
            let text = cookies.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
            all.add(name: "cookie", value: text.joined(separator: "; "))
        }
        return HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: all)
    }

    /// A value of `application/x-www-form-urlencoded`.
    private static func encoded(_ value: String) -> String {
        value.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                String(UnicodeScalar(byte))
            default: String(format: "%%%02X", Int(byte))
            }
        }.joined()
    }
}
