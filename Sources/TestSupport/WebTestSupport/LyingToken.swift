import Chronology
import Encoding

/// An ID token of a ``LyingProvider``.
struct LyingToken {
    private let lie: LyingProvider.Lie
    private let issuer: String
    private let nonce: String
    private let now: Moment

    init(_ lie: LyingProvider.Lie, issuer: String, nonce: String, now: Moment) {
        self.lie = lie
        self.issuer = issuer
        self.nonce = nonce
        self.now = now
    }

    /// The token, with header and signature.
    func text(
        of person: LyingProvider.Person,
        description: String,
        key: String,
        sign: (String) throws -> (algorithm: String, bytes: [UInt8])
    ) throws -> String {
        let payload = Self.part("{\(claims(of: person))\(description)}")
        let algorithm = try sign("").algorithm
        let name = lie == .unknownKey ? "never-published" : key
        let critical = lie == .critical ? ",\"crit\":[\"x\"]" : ""
        let header = Self.part("{\"alg\":\"\(algorithm)\",\"kid\":\"\(name)\"\(critical)}")
        let signature = try sign("\(header).\(payload)").bytes
        return "\(header).\(payload).\(Base64.encodedForURL(signature))"
    }

    private func claims(of person: LyingProvider.Person) -> String {
        let client = Self.quoted(LyingProvider.client)
        let seconds = now.milliseconds / 1_000
        var issued = seconds
        var expires = "\(seconds + 300)"
        switch lie {
        case .expired: expires = "\(seconds - 61)"
        case .tooEarly: issued += 61
        case .tooOld: issued -= 700
        case .malformedTime: expires = "1e300"
        default: break
        }
        var audience = client
        if lie == .wrongAudience { audience = "\"another\"" }
        if lie == .furtherAudience { audience = "[\(client),\"another\"]" }
        let named = lie == .wrongIssuer ? "https://evil.example" : issuer
        let subject = lie == .nobody ? "" : person.subject
        var all = """
            "iss":"\(named)","sub":"\(subject)","aud":\(audience),"exp":\(expires),"iat":\(issued)
            """
        if lie != .noNonce { all += ",\"nonce\":\"\(lie == .wrongNonce ? "x" : nonce)\"" }
        if lie == .wrongParty { all += ",\"azp\":\"another\"" }
        if lie == .hugeToken { all += ",\"x\":\"\(String(repeating: "x", count: 20_000))\"" }
        if person.isAsked { all += ",\"auth_time\":\(seconds)" }
        return all
    }

    private static func part(_ text: String) -> String { Base64.encodedForURL(Array(text.utf8)) }

    private static func quoted(_ text: String) -> String { JSONString.quoted(text) }
}
