import Dispatching
import Foundation
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// F26, R84, R88: shared rides that change while a passenger looks at them.
@Suite("Shared rides that change", .serialized, .timeLimit(.minutes(5)))
struct SharingEdgeTests {
    @Test("who would join when the owner has just cancelled is told that, and gets no such offer")
    func gone() async throws {
        try await RideTown.open(.viavai) { town in
            let pia = try await town.passenger("pia")
            let lea = try await town.passenger("lea")
            let path = try await SharingSamples.own(town, pia, by: town.taxis[0])
            _ = try await town.fill(lea, SharingSamples.fields(510, 1_700))
            let shown = try await lea.get("/taxi/shared").text
            _ = try await pia.submit([:], on: path + "/cancel")
            let refused = try await lea.sendForm(
                "/taxi/join",
                of: shown,
                ["ride": "\(try RideTown.number(path).rawValue)"]
            )
            #expect(refused.status == 422)
            #expect(refused.text.contains("can no longer be shared"), "\(refused.text)")
            let again = try await lea.get("/taxi/shared")
            #expect(again.header("location") == "/taxi/check?own=1")
        }
    }

    @Test("whether a ride that is not shared exists is told to nobody who would join it (R130)")
    func foreign() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let pia = try await town.passenger("pia")
            let lea = try await town.passenger("lea")
            let path = try await town.call(pia)
            try await town.accept(town.taxis[0])
            let check = try await town.fill(lea, SharingSamples.fields(510, 1_700))
            #expect(check.status == 200, "nothing is offered: \(check.text)")
            for number in [try RideTown.number(path).rawValue, 999] {
                let page = try await lea.get("/taxi/check").text
                let order = page.firstMatch(of: /name="order" value="([^"]*)"/)?.1 ?? ""
                let sent = try await lea.submit(
                    ["order": String(order), "ride": "\(number)"],
                    on: "/taxi/check",
                    to: "/taxi/join"
                )
                #expect(sent.status == 422)
                #expect(sent.text.contains("can no longer be shared"), "\(sent.text)")
            }
        }
    }

    @Test("who is about to reserve joins no ride of now by the same draft")
    func later() async throws {
        try await RideTown.open(.viavai) { town in
            let pia = try await town.passenger("pia")
            let lea = try await town.passenger("lea")
            let path = try await SharingSamples.own(town, pia, by: town.taxis[0])
            var fields = RideTown.later(from: 510, to: 1_700)
            fields["share"] = "share"
            let check = try await town.fill(lea, fields)
            #expect(check.text.contains("Check your reservation"), "\(check.text)")
            let sent = try await lea.submit(
                ["ride": "\(try RideTown.number(path).rawValue)"],
                on: "/taxi/check",
                to: "/taxi/join"
            )
            #expect(sent.header("location") == "/taxi", "\(sent.text)")
            #expect(try await pia.get(path).text.contains("Nobody has joined yet"))
        }
    }

    @Test("who is shown a ride gets its changes, and who is not shown any does not (I27)")
    func told() async throws {
        try await RideTown.open(.viavai) { town in
            let pia = try await town.passenger("pia")
            let lea = try await town.passenger("lea")
            let path = try await SharingSamples.own(town, pia, by: town.taxis[0])
            _ = try await town.fill(lea, SharingSamples.fields(510, 1_700))
            try await town.site.withEvents(of: lea) { line in
                _ = try await line.read(to: "event: hello\ndata:\n\n")
                #expect(try await lea.get("/taxi/shared").status == 200)
                _ = try await pia.submit([:], on: path + "/cancel")
                let passing = Task {
                    while !Task.isCancelled {
                        town.site.clock.advance(seconds: 1)
                        // Waits for each tick of the clock, so that hours do not pass in one tick.
                        _ = try await town.taxi.dispatch.read { $0.now }
                    }
                }
                defer { passing.cancel() }
                _ = try await line.read(to: "event: ride\ndata: 0\n")
            }
        }
    }
}
