import Crypto
import Dispatching
import Encoding
import Foundation
import HTTPTypes
import Identity
import OpenData
import Storage
import StorageTestSupport
import Taxi
import TaxiPages
import TestClock
import TestSupport
import Testing
import WebTestSupport
import Webhooks

@testable import WebApp

/// Issue 34, point 3: applications are told by webhook; taxi.md R107, R108.
@Suite(
    "Webhooks of applications",
    .serialized,
    .enabled(if: LocalServers.areAvailable, LocalServers.advice)
)
struct WebhookAPITests {
    private static let order: JSONValue = [
        "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
        "contact": "+39 333 1234567", "language": "en",
    ]
    /// Words of people and places that no message and no log may hold.
    private static let planted = [
        "333 1234567", "3331234567", "Corso", "45.46", "9.19", "Nome", "whsec_",
    ]

    /// An address at the local receiver that answers with a status.
    private static func address(_ status: Int) async throws -> (url: String, path: String) {
        let port = try await LocalServers.started().places.http
        let path = "/status/\(status)/hook\(UInt32.random(in: .min ... .max))"
        return ("http://127.0.0.1:\(port)\(path)", path)
    }

    /// Sends what is due while the body runs, in real time.
    private static func sending(
        _ town: RideTown,
        _ body: () async throws -> Void
    ) async throws {
        let clock = town.site.clock
        let worker = WebhookWorker(
            town.site.installation.webhooks,
            clock: WebhookWorker.Clock(now: { clock.now }) { _ in
                try await ContinuousClock().sleep(for: .milliseconds(20))
            }
        )
        let running = Task { await worker.run { _ in } }
        do { try await body() } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }

    /// The messages that arrived, once there are so many; within two seconds of the call.
    private static func arrived(
        _ count: Int,
        at path: String,
        _ town: RideTown
    ) async throws -> [LocalServers.Request] {
        let servers = try await LocalServers.started()
        let start = ContinuousClock.now
        try await town.site.until("message \(count) arrives") {
            try await servers.requests(of: path).count >= count
        }
        let took = ContinuousClock.now - start
        #expect(took < .seconds(2), "message \(count) took \(took)")
        return try await servers.requests(of: path)
    }

    @Test(
        "a hotel is told within two seconds that its taxi was found, arrived and ended (R107)",
        arguments: TestEngine.allCases
    )
    func ride(engine: TestEngine) async throws {
        let (url, path) = try await Self.address(200)
        try await RideTown.open(.viavai, taxis: 1, ["webhooks.reach": "any"], on: engine) { town in
            let hotel = try await Program.registered(at: town.site, [.callTaxis])
            let added = try await hotel.post(
                "/api/webhooks",
                ["address": .text(url), "events": ["ride.found", "ride.arrived", "ride.ended"]]
            )
            #expect(added.status == 201, "\(added.text)")
            let secret = try #require(added.json["secret"]?.text)
            let home = try #require(added.header("location"))
            try await Self.sending(town) {
                let called = try await hotel.post("/api/rides", Self.order)
                let ride = try #require(called.json["request"]?.json)
                let taxi = town.taxis[0]
                try await town.accept(taxi)
                _ = try await Self.arrived(1, at: path, town)
                try await town.reach(taxi)
                _ = try await Self.arrived(2, at: path, town)
                try await town.board(taxi)
                try await town.end(taxi)
                let got = try await Self.arrived(3, at: path, town)
                let bodies = try got.map { try JSONValue(parsing: Array($0.body)) }
                #expect(
                    bodies.map { $0["type"]?.text }
                        == ["ride.found", "ride.arrived", "ride.ended"]
                )
                #expect(bodies.map { $0["data"]?["ride"]?.json } == [ride, ride, ride])
                #expect(
                    bodies.map { $0["data"]?["state"]?.text } == ["coming", "here", "ended"]
                )
                #expect(bodies[2]["data"]?["outcome"] == "completed")
                for message in got {
                    #expect(Self.isSigned(message, secret))
                    let text = String(decoding: message.body, as: UTF8.self)
                    for word in Self.planted { #expect(!text.contains(word), "\(text)") }
                }
                // What it says can be read with the hotel's own key.
                let read = try await hotel.get("/api/rides/\(ride)")
                #expect(read.json["state"] == "ended")
            }
            let list = try await hotel.get(home + "/messages")
            let items = try #require(list.json["items"]?.list)
            #expect(items.map { $0["type"]?.text } == ["ride.ended", "ride.arrived", "ride.found"])
            #expect(items.allSatisfy { $0["state"] == "delivered" })
            #expect(items.allSatisfy { $0["attempts"]?.list?.first?["status"] == 200 })
            let read = try await hotel.get(home)
            #expect(read.json["state"] == "working" && read.json["address"] == .text(url))
            #expect(!read.text.contains("whsec_"), "the secret is shown once")
        }
    }

    /// Whether a receiver that knows the secret accepts the signature, written from the
    /// specification of Standard Webhooks.
    private static func isSigned(_ message: LocalServers.Request, _ secret: String) -> Bool {
        let key = Data(base64Encoded: String(secret.dropFirst("whsec_".count))) ?? Data()
        guard let id = message.headers["webhook-id"],
            let time = message.headers["webhook-timestamp"]
        else { return false }
        var code = HMAC<SHA256>(key: SymmetricKey(data: key))
        code.update(data: Data("\(id).\(time).".utf8))
        code.update(data: message.body)
        let wanted = "v1," + Data(code.finalize()).base64EncodedString()
        return message.headers["webhook-signature"]?.split(separator: " ")
            .contains(Substring(wanted)) == true
    }

    @Test("an error is repeated, a message is sent again by hand, and its page shows both (R107)")
    func again() async throws {
        let (bad, _) = try await Self.address(500)
        let (good, path) = try await Self.address(204)
        try await RideTown.open(.viavai, taxis: 1, ["webhooks.reach": "any"]) { town in
            let hotel = try await Program.registered(at: town.site, [.callTaxis])
            let added = try await hotel.post(
                "/api/webhooks",
                ["address": .text(bad), "events": ["ride.found"]]
            )
            let home = try #require(added.header("location"))
            try await Self.sending(town) {
                let test = try await hotel.post(home + "/test")
                let id = try #require(test.json["id"]?.text, "\(test.text)")
                func message() async throws -> JSONValue {
                    try await hotel.get(home + "/messages/\(id)").json
                }
                try await town.site.until("the first attempt fails") {
                    try await message()["attempts"]?.list?.first?["status"] == 500
                }
                #expect(try await message()["next_attempt"] != .null)
                #expect(try await hotel.get(home).json["state"] == "failing")
                let changed = try await hotel.post(
                    home + "/change",
                    ["address": .text(good), "events": ["ride.found", "ride.ended"]]
                )
                #expect(changed.json["events"] == ["ride.found", "ride.ended"])
                let sent = try await hotel.post(home + "/messages/\(id)/send")
                #expect(sent.status == 200, "\(sent.text)")
                try await town.site.until("it is delivered") {
                    try await message()["state"] == "delivered"
                }
                let attempts = try await message()["attempts"]?.list?.map { $0["status"] }
                #expect(attempts == [500, 204])
                #expect(try await hotel.get(home).json["state"] == "working")
                let first = try await Self.arrived(1, at: path, town)
                #expect(first[0].headers["webhook-id"] == id)
                _ = try await hotel.post(home + "/messages/\(id)/send")
                let twice = try await Self.arrived(2, at: path, town)
                #expect(twice.map { $0.headers["webhook-id"] } == [id, id])
            }
        }
    }

    @Test("nobody reaches another application's webhooks, and bad addresses are explained (R108)")
    func apart() async throws {
        try await RideTown.open(.viavai) { town in
            let hotel = try await Program.registered(at: town.site, [.callTaxis])
            let clinic = try await Program.registered(at: town.site, [.callTaxis], name: "Clinic")
            let events: JSONValue = ["ride.found"]
            for (address, problem) in [
                ("http://hotel.example/", "not-encrypted"), ("hotel.example", "malformed"),
            ] {
                let refused = try await hotel.post(
                    "/api/webhooks",
                    ["address": .text(address), "events": events]
                )
                #expect(refused.status == 422 && refused.blamed == ["address"], "\(refused.text)")
                #expect(refused.text.contains(problem))
            }
            let added = try await hotel.post(
                "/api/webhooks",
                ["address": "https://hotel.example/taxi", "events": events]
            )
            let home = try #require(added.header("location"))
            let test = try await hotel.post(home + "/test")
            let id = try #require(test.json["id"]?.text)
            for path in ["", "/messages", "/messages/\(id)"] {
                #expect(try await clinic.get(home + path).status == 404)
                #expect(try await hotel.get(home + path).status == 200)
            }
            let change: JSONValue = ["address": "https://thief.example/", "events": events]
            #expect(try await clinic.post(home + "/change", change).status == 404)
            for path in ["/remove", "/secret", "/open", "/test", "/messages/\(id)/send"] {
                #expect(try await clinic.post(home + path).status == 404, "\(path)")
            }
            #expect(try await clinic.get("/api/webhooks").json["items"] == [])
            let secret = try await hotel.post(home + "/secret")
            #expect(secret.json["secret"]?.text?.hasPrefix("whsec_") == true)
            #expect(secret.json["secret"] != added.json["secret"])
            #expect(try await hotel.post(home + "/remove").status == 200)
            #expect(try await hotel.get(home).status == 404)
        }
    }
}
