import Chronology
import Crypto
import Encoding
import HTTPClient
import IdentityTestSupport
import StorageTestSupport
import Synchronization
import Testing

@testable import Identity
@testable import Webhooks

/// Issue 34, point 3: the signatures and bodies of Standard Webhooks.
@Suite("Signatures of webhooks")
struct SignatureTests {
    @Test("the example of the specification of Standard Webhooks comes out letter for letter")
    func example() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = secret.signature(
            of: Array(#"{"test": 2432232314}"#.utf8),
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            at: 1_614_265_330
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test(
        "a text that is no secret is refused",
        arguments: [
            "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAAA", "whsec_M*KQ",
            "whsec_" + String(repeating: "AAAA", count: 22),
        ]
    )
    func noSecrets(text: String) {
        #expect(WebhookSecret(text) == nil)
    }

    @Test("secrets differ, come back from their text, and say nothing in logs")
    func secrets() {
        let (one, other) = (WebhookSecret.random(), WebhookSecret.random())
        #expect(one != other && WebhookSecret(one.text) == one)
        #expect(!"\(one) \(String(reflecting: one))".contains(Base64.encoded(one.bytes).prefix(8)))
    }

    @Test(
        "a change of the secret signs with both for a day, then with the new one",
        arguments: TestEngine.allCases
    )
    func change(engine: TestEngine) async throws {
        try await WebhookScene.with(engine) { scene in
            let form = WebhookForm(address: "https://hotel.example/", kinds: [.rideFound])
            let (endpoint, old) = try await scene.register.add(
                form,
                to: scene.hotel,
                at: scene.clock.now
            )
            let seen = Mutex<[[String: String]]>([])
            let worker = scene.worker { message in
                seen.withLock { seen in
                    var headers = Dictionary(
                        message.headers.map { ($0.name, $0.value) },
                        uniquingKeysWith: { $1 }
                    )
                    headers["body"] = String(decoding: message.body, as: UTF8.self)
                    seen.append(headers)
                }
                return .status(204)
            }
            func signatures(by secrets: [WebhookSecret]) throws -> [String] {
                let last = try #require(seen.withLock { $0.last })
                let id = try #require(last["webhook-id"])
                let seconds = try #require(last["webhook-timestamp"].flatMap { Int64($0) })
                #expect(seconds == scene.clock.now.milliseconds / 1_000)
                return secrets.map {
                    $0.signature(of: Array((last["body"] ?? "").utf8), id: id, at: seconds)
                }
            }
            try await scene.order(1)
            try await scene.tell([.found(request: 1)])
            #expect(try await worker.round().delivered == 1)
            #expect(
                try signatures(by: [old]).joined(separator: " ")
                    == seen.withLock { $0.last?["webhook-signature"] }
            )
            let new = try await scene.register.replaceSecret(
                of: endpoint,
                of: scene.hotel,
                at: scene.clock.now
            )
            try await scene.tell([.found(request: 1)], cause: "2")
            #expect(try await worker.round().delivered == 1)
            #expect(
                try signatures(by: [new, old]).joined(separator: " ")
                    == seen.withLock { $0.last?["webhook-signature"] }
            )
            scene.clock.advance(milliseconds: 86_400_000)
            try await scene.tell([.found(request: 1)], cause: "3")
            #expect(try await worker.round().delivered == 1)
            #expect(
                try signatures(by: [new]).joined(separator: " ")
                    == seen.withLock { $0.last?["webhook-signature"] }
            )
        }
    }

    @Test("a body says which ride, in which state and when, and nothing else")
    func bodies() {
        let moment = TestCity.start
        let bodies = [
            WebhookEvent.found(request: 17), .arrived(request: 17), .lost(request: 17),
            .ended(request: 17, outcome: "completed"),
        ].map { $0.body(at: moment, person: nil) }
        let head = #","timestamp":"\#(moment.text)","data":{"ride":17,"state":"#
        #expect(
            bodies == [
                #"{"type":"ride.found"\#(head)"coming"}}"#,
                #"{"type":"ride.arrived"\#(head)"here"}}"#,
                #"{"type":"ride.lost"\#(head)"searching"}}"#,
                #"{"type":"ride.ended"\#(head)"ended","outcome":"completed"}}"#,
            ]
        )
        let day = CivilDate(iso8601: "2027-01-16")
        let plan = day.map { WebhookEvent.planBroken(day: $0).body(at: moment, person: "ab12") }
        #expect(
            plan == #"{"type":"plan.broken","timestamp":"\#(moment.text)","#
                + #""data":{"day":"2027-01-16","person":"ab12"}}"#
        )
    }

    @Test(
        "addresses that are no web server's, or not encrypted, are refused",
        arguments: [
            ("", WebhookProblem.badAddress), ("hotel.example", .badAddress),
            ("ftp://hotel.example/", .badAddress), ("https://", .badAddress),
            ("https://user:word@hotel.example/", .badAddress),
            ("https://hotel.example/#part", .badAddress),
            ("https://hotel.example/a b", .badAddress),
            ("https://hotel.example:99999/", .badAddress),
            ("https://hotel.example/\u{0}", .badAddress),
            ("https://hotel.example/" + String(repeating: "x", count: 500), .badAddress),
            ("http://hotel.example/", .notEncrypted),
        ]
    )
    func addresses(text: String, problem: WebhookProblem) {
        #expect(WebhookAddress.problem(of: text, .publicOnly) == problem)
        let isPlain = problem == .notEncrypted
        #expect(WebhookAddress.problem(of: text, .anywhere) == (isPlain ? nil : problem))
        #expect(WebhookAddress.problem(of: "https://hotel.example:8443/a?b=c", .publicOnly) == nil)
    }
}
