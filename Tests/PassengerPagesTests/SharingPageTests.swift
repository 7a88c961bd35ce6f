import Dispatching
import Fares
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md 1.5, SB11 on pages without scripts; [A] has no sharing.
@Suite("Shared rides on pages", .serialized)
struct SharingPageTests {
    @Test("SB11: one declines another's ride and owns one, a third joins it; all are told")
    func sb11() async throws {
        try await RideTown.open(.milanoB, taxis: 2) { town in
            let ugo = try await town.passenger("ugo")
            let pia = try await town.passenger("pia")
            let lea = try await town.passenger("lea")
            #expect(try await ugo.get("/taxi").text.contains("href=\"/taxi?share=yes\""))
            let form = try await ugo.get("/taxi?share=yes").text
            #expect(form.contains("name=\"to\"") && form.contains("value=\"share\" checked"))
            // R83: a passenger who shares must give a destination.
            var open = SharingSamples.fields(500, 1_500)
            open["to"] = ""
            let asked = try await town.fill(ugo, open)
            #expect(asked.status == 422 && asked.text.contains("a shared ride needs one"))
            _ = try await SharingSamples.own(town, ugo, by: town.taxis[0])

            let check = try await town.fill(pia, SharingSamples.fields(500, 1_500))
            #expect(check.header("location") == "/taxi/shared", "\(check.text)")
            let offers = try await pia.get("/taxi/shared").text
            #expect(offers.contains("1 shared ride goes your way"), "\(offers)")
            for words in ["Corso Lungo 5", "The taxi arrives at about", "Your walk there", "€"] {
                #expect(offers.contains(words), "\(words)")
            }
            // R92, I27: nobody's destination, nor the price of the whole ride, which would reveal
            // it.
            #expect(!offers.contains("Corso Lungo 15"))
            #expect(offers.contains("; alone it would be about") && !offers.contains(" of about "))
            let path = try await SharingSamples.own(town, pia, by: town.taxis[1])
            #expect(try await pia.get(path).text.contains("Nobody has joined yet"))

            _ = try await town.fill(lea, SharingSamples.fields(510, 1_700))
            let both = try await lea.get("/taxi/shared").text
            #expect(both.contains("2 shared rides go your way"), "\(both)")
            let number = try RideTown.number(path)
            let joined = try await lea.press(
                "/taxi/join",
                on: "/taxi/shared",
                ["ride": "\(number.rawValue)"]
            )
            let own = try #require(joined.header("location"), "\(joined.text)")
            let told = try await lea.get(own).text
            for words in [
                "You have joined the ride", "Your taxi arrives in about", "Corso Lungo 5",
                "2 parties share this taxi", "The taxi does not wait for you",
            ] {
                #expect(told.contains(words), "\(words): \(told)")
            }
            #expect(!told.contains("Corso Lungo 15"))
            let host = try await pia.get(path).text
            #expect(host.contains("2 parties share this taxi"))
            #expect(!host.contains("Corso Lungo 17"))
            // The driver sees all stops in order, and who boards at each.
            let ride = try #require(try await town.taxi.ride(of: town.taxis[1]))
            #expect(ride.needs.seats == 2)
            #expect(ride.stops.map(\.words.text) == ["Corso Lungo 15", "Corso Lungo 17"])
            #expect(ride.destination?.words.text == "Corso Lungo 17")

            // R89, R91: the number on board, and a share of the price for each.
            try await town.reach(town.taxis[1])
            #expect(try await town.taxi.board(town.taxis[1], aboard: 2, code: nil))
            // The time to this passenger's destination would tell how far the others travel (I27).
            let aboard = try await pia.get(path).text
            #expect(aboard.contains("You are on board") && !aboard.contains("data-minutes"))
            try await town.end(town.taxis[1])
            for (visitor, page) in [(pia, path), (lea, String(own.prefix { $0 != "?" }))] {
                let done = try await visitor.get(page).text
                #expect(done.contains("You have arrived"), "\(done)")
                #expect(done.contains("The whole ride"))
            }
        }
    }

    @Test("who joined leaves, and the owner rides on; who is gone can no longer be joined")
    func leaving() async throws {
        try await RideTown.open(.viavai) { town in
            let pia = try await town.passenger("pia")
            let lea = try await town.passenger("lea")
            let path = try await SharingSamples.own(town, pia, by: town.taxis[0])
            _ = try await town.fill(lea, SharingSamples.fields(510, 1_700))
            let page = try await lea.get("/taxi/shared").text
            let joined = try await lea.sendForm(
                "/taxi/join",
                of: page,
                ["ride": "\(try RideTown.number(path).rawValue)"]
            )
            let own = String(try #require(joined.header("location")).prefix { $0 != "?" })
            let asked = try await lea.get(own + "/cancel").text
            #expect(asked.contains("The others continue without you"))
            _ = try await lea.submit([:], on: own + "/cancel")
            #expect(try await pia.get(path).text.contains("Nobody has joined yet"))
            #expect(try await town.taxi.ride(of: town.taxis[0])?.stops.isEmpty == true)
            // With passengers on board nobody else can join.
            _ = try await town.fill(lea, SharingSamples.fields(510, 1_700))
            let late = try await lea.get("/taxi/shared").text
            try await town.reach(town.taxis[0])
            let refused = try await lea.sendForm(
                "/taxi/join",
                of: late,
                ["ride": "\(try RideTown.number(path).rawValue)"]
            )
            #expect(refused.status == 422)
            #expect(refused.text.contains("can no longer be shared"), "\(refused.text)")
        }
    }

    @Test("under [A] rides are not shared: no question, and the reason to who asks anyway (R109)")
    func refused() async throws {
        try await RideTown.open(.milanoA) { town in
            let visitor = try await town.passenger()
            #expect(!(try await visitor.get("/taxi").text.contains("name=\"share\"")))
            let check = try await town.fill(visitor, SharingSamples.fields(500, 1_500))
            #expect(check.status == 200 && !check.text.contains("Others may ride along"))
            let page = try await visitor.get("/taxi/check").text
            let sent = try await visitor.sendForm("/taxi/join", of: page, ["ride": "1"])
            #expect(sent.status == 422)
            #expect(sent.text.contains("Rides cannot be shared in this city"))
        }
    }

    @Test("guests neither share nor see rides of others (R83, R92)")
    func guests() async throws {
        try await RideTown.open(.viavai) { town in
            let pia = try await town.passenger("pia")
            _ = try await SharingSamples.own(town, pia, by: town.taxis[0])
            let guest = town.site.visitor()
            #expect(!(try await guest.get("/taxi").text.contains("name=\"share\"")))
            let check = try await town.fill(guest, SharingSamples.fields(500, 1_500))
            #expect(check.status == 200)
            let shared = try await guest.get("/taxi/shared")
            #expect(shared.header("location")?.hasPrefix("/login?") == true)
        }
    }
}
