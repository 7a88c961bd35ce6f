import Chronology
import CityData
import Dispatching
import Geo
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebCore
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md R42, R43: where from, where to.
@Suite("Places of an order", .serialized)
struct PlacesTests {
    @Test("one match is taken, several are offered as choices, none says so (R42)")
    func addresses() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let one = try await town.fill(visitor, ["from": "corso lungo vecchio 7", "seats": "1"])
            #expect(one.text.contains("Corso Lungo Vecchio 7"), "\(one.text)")
            // A different house number is suggested, never silently substituted.
            let near = try await visitor.submit(
                ["from": "corso lungo vecchio 99", "seats": "1"],
                on: "/taxi"
            )
            #expect(near.header("location") == "/taxi/places")
            let none = try await visitor.submit(["from": "Zzyzx 1", "seats": "1"], on: "/taxi")
            #expect(none.status == 422)
            #expect(none.text.contains("We cannot find this place"))
            #expect(none.text.contains("value=\"Zzyzx 1\""))
            // Visiting another page in between loses nothing.
            #expect(try await visitor.get("/taxi").text.contains("value=\"Zzyzx 1\""))
            let several = try await visitor.submit(
                ["from": "lungo", "to": "lungo", "seats": "3", "needs": "wheelchair"],
                on: "/taxi"
            )
            #expect(several.header("location") == "/taxi/places")
            let choices = try await visitor.get("/taxi/places")
            #expect(choices.text.contains("Corso Lungo Vecchio"))
            #expect(choices.text.split(separator: "<fieldset").count == 3)
            // Issue 30: all of them are on the map.
            #expect(choices.text.contains("src=\"/taxi/places/map.svg\""))
            #expect(try await visitor.get("/taxi/places/map.svg").status == 200)
            let wrong = try await visitor.submit(["from": "99", "to": "0"], on: "/taxi/places")
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("Choose one of these places"))
            let chosen = try await visitor.submit(["from": "0", "to": "1"], on: "/taxi/places")
            #expect(chosen.header("location") == "/taxi/check")
            let check = try await visitor.get("/taxi/check")
            #expect(check.text.contains("3 people; room for a wheelchair"))
            #expect(check.text.contains("Corso Lungo Vecchio"))
            // After going back, nothing is left to choose.
            let back = try await visitor.get("/taxi/places")
            #expect(back.header("location") == "/taxi/check")
            // The form still contains the choice.
            #expect(try await visitor.get("/taxi").text.contains("value=\"Corso Lungo"))
        }
    }

    @Test("what may be meant is offered while it is typed, each name once (ui.md 4.3)")
    func suggestions() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            func names(_ typed: String) async throws -> String {
                let answer = try await visitor.get(
                    "/places/suggestions.json",
                    headers: ["x-place": typed]
                )
                #expect(answer.status == 200)
                #expect(answer.header("cache-control") == "no-store")
                return answer.text
            }
            let first = "[{\"shown\":\"Corso Lungo Vecchio\",\"name\":\"Corso Lungo Vecchio\","
            #expect(try await names("corso%20lungo%20v").hasPrefix(first))
            let bars = try await names("bar%20centr")
            let shown = bars.matches(of: /"shown":"([^"]*)"/).map(\.1)
            #expect(shown.count == 2 && Set(shown).count == 2, "\(bars)")
            #expect(shown.allSatisfy { $0.hasPrefix("Bar Centrale (bar, near") }, "\(bars)")
            for nothing in ["", "%20", "%", "zzyzx", "%F0%28%8C", "45.4,9.1"] {
                #expect(try await names(nothing) == "[]", "\(nothing)")
            }
        }
    }

    @Test("the address of a position is told to scripts, and is in no address (R42, R130)")
    func addressOfPosition() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(
                ["point.x": "140", "point.y": "140"],
                on: "/taxi/point/from"
            )
            let place = try await visitor.get("/taxi/point/from").text
                .firstMatch(of: /data-at="([^"]*)"/).map { String($0.1) }
            for (position, expected) in [("0,0", "{}"), ("", "{}"), ("x", "{}")] {
                let answer = try await visitor.get(
                    "/places/address.json",
                    headers: ["x-position": position]
                )
                #expect(answer.status == 200 && answer.text == expected, "\(position)")
                #expect(answer.header("cache-control") == "no-store")
            }
            guard let place else { return }
            let found = try await visitor.get(
                "/places/address.json",
                headers: ["x-position": place]
            )
            #expect(found.text.hasPrefix("{\"address\":\"Corso Lungo"), "\(found.text)")
        }
    }

    @Test("the pin of the map becomes the pickup, and the order goes on (R43, issue 30)")
    func pin() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let nothing = try await visitor.submit(
                ["latitude": "", "longitude": ""],
                on: "/taxi/point/from"
            )
            #expect(nothing.header("location") == "/taxi/point/from", "no point is chosen yet")
            let sent = try await visitor.submit(
                ["latitude": "45.4600000", "longitude": "9.1800000"],
                on: "/taxi/point/from"
            )
            #expect(sent.header("location") == "/taxi")
            let again = try await visitor.get("/taxi/point/from")
            #expect(again.text.contains("The point: "), "\(again.text)")
        }
    }

    @Test("closer zooms around the chosen pin, which stays in the picture (issue 30)")
    func closer() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            _ = try await visitor.get("/taxi/point/from")
            // A press near the corner: a zoom about the centre would leave the pin outside.
            _ = try await visitor.submit(
                ["point.x": "270", "point.y": "10"],
                on: "/taxi/point/from"
            )
            for _ in 1...4 {
                _ = try await visitor.submit(["move": "in"], on: "/taxi/point/from")
                let picture = try await visitor.get("/taxi/point/from/map.svg").text
                let pin = try #require(
                    picture.firstMatch(of: /<circle[^>]* cx="(-?[0-9]+)" cy="(-?[0-9]+)"/)
                )
                // 280 pixels of 16 units.
                for at in [pin.1, pin.2] {
                    #expect((0...4_480).contains(Int(at) ?? -1), "\(pin.0)")
                }
            }
        }
    }

    @Test("where addresses are known, no hint speaks of coordinates (issue 30)")
    func hint() async throws {
        try await RideTown.open(.viavai) { town in
            let page = try await town.passenger().get("/taxi").text
            #expect(page.contains("Street and number, a stop or a place"))
            #expect(!page.contains("coordinates"))
        }
    }

    @Test("there becomes back: one button swaps the ends, and tells of no mistake (ui.md 4.3)")
    func swaps() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let there = ["from": "corso lungo vecchio 7", "to": "Zzyzx 1", "seats": "2"]
            let swapped = try await visitor.submit(
                there.merging(["swap": "yes"]) { $1 },
                on: "/taxi"
            )
            #expect(swapped.header("location") == "/taxi")
            let form = try await visitor.get("/taxi").text
            let ends = form.matches(of: /id="field-(?:from|to)"[^>]* value="([^"]*)"/).map(\.1)
            #expect(ends == ["Zzyzx 1", "corso lungo vecchio 7"])
            #expect(form.contains("value=\"2\" selected"))
            #expect(!form.contains("There is a problem"))
            // The places and their names change; the time and the wish to share stay.
            let ways = ["from": "corso lungo vecchio 7", "to": "45.46, 9.15", "share": "share"]
            let later = ["when": "later", "date": "2027-01-15", "time": "18:00"]
            let sent = ways.merging(later) { $1 }.merging(["swap": "yes"]) { $1 }
            _ = try await visitor.submit(sent, on: "/taxi")
            let again = try await visitor.get("/taxi").text
            for kept in ["value=\"18:00\"", "value=\"later\" checked", "value=\"share\" checked"] {
                #expect(again.contains(kept), "\(kept)")
            }
            let back = ["from": "45.46, 9.15", "to": "corso lungo vecchio 7"]
            _ = try await visitor.submit(back.merging(later) { $1 }, on: "/taxi")
            let check = try await visitor.get("/taxi/check").text
            let rows = check.matches(of: /<dd>([^<]*)<\/dd>/).prefix(2).map(\.1)
            #expect(rows.last == "Corso Lungo Vecchio 7" && rows.first != rows.last, "\(check)")
        }
    }

    @Test("a measured position that does not count is not lost by a swap: it is said (R45)")
    func swapsPosition() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let here = ["latitude": "45.46", "longitude": "9.15", "to": "corso lungo vecchio 7"]
            func swap(_ accuracy: String) async throws -> Visitor.Answer {
                let sent = here.merging(["accuracy": accuracy, "swap": "yes"]) { $1 }
                return try await visitor.submit(sent, on: "/taxi")
            }
            #expect(try await swap("80").status == 422)
            #expect(try await swap("10").header("location") == "/taxi")
            _ = try await visitor.submit(["from": "corso lungo vecchio 7"], on: "/taxi")
            let form = try await visitor.get("/taxi").text
            #expect(form.contains("value=\"Corso Lungo") || form.contains("value=\"corso lungo"))
        }
    }

    @Test("of places of one name each is told apart, and what lies together is one (R42)")
    func oneName() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            // Even the full name is not enough.
            for (typed, near) in [
                ("bar solo", /bar, near Corso Lungo \([0-9., ]+\)/),
                ("bar centrale", /bar, near Corso Lungo [0-9]+/),
                ("Bar Centrale", /bar, near Corso Lungo [0-9]+/),
            ] {
                let asked = try await visitor.submit(["from": typed, "seats": "1"], on: "/taxi")
                #expect(asked.header("location") == "/taxi/places")
                let page = try await visitor.get("/taxi/places").text
                let choices = page.matches(of: /Bar \w+<\/b> <span class="hint">([^<]*)</).map(\.1)
                #expect(Set(choices).count == 2 && choices.count == 2, "\(page)")
                #expect(choices.allSatisfy { $0.wholeMatch(of: near) != nil }, "\(choices)")
            }
            _ = try await visitor.submit(["from": "1"], on: "/taxi/places")
            let check = try await visitor.get("/taxi/check").text
            #expect(check.contains("Bar Centrale"))
        }
    }

    @Test("a point on the map: the picture is a button, the other buttons move it (R43)")
    func point() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let empty = try await visitor.get("/taxi/point/from")
            #expect(empty.text.contains("type=\"image\""))
            #expect(empty.text.contains("No point has been chosen yet"))
            let before = try await visitor.get("/taxi/point/from/map.svg").text
            for move in ["in", "out", "north", "south", "west", "east"] {
                let moved = try await visitor.submit(["move": move], on: "/taxi/point/from")
                #expect(moved.header("location") == "/taxi/point/from")
            }
            let clicked = try await visitor.submit(
                ["point.x": "140", "point.y": "140"],
                on: "/taxi/point/from"
            )
            #expect(clicked.header("location") == "/taxi/point/from")
            let shown = try await visitor.get("/taxi/point/from")
            #expect(shown.text.contains("The point: Corso Lungo"), "\(shown.text)")
            let marked = try await visitor.get("/taxi/point/from/map.svg").text
            #expect(marked != before)
            // A click by keyboard has no coordinates: the middle of the picture counts.
            _ = try await visitor.submit(
                ["point.x": "0", "point.y": "0"],
                on: "/taxi/point/from"
            )
            #expect(try await visitor.get("/taxi/point/from/map.svg").text == marked)
            #expect(try await visitor.get("/taxi/check").text.contains("/taxi/request"))
            for bad in [["point.x": "280", "point.y": "0"], ["point.x": "a", "point.y": "1"]] {
                let refused = try await visitor.submit(bad, on: "/taxi/point/from")
                #expect(refused.status == 400)
            }
            // The button without scripts takes the point that was pressed.
            let taken = try await visitor.submit([:], on: "/taxi/point/from")
            #expect(taken.header("location") == "/taxi")
            #expect(try await visitor.get("/taxi").text.contains("value=\"Corso Lungo"))
            #expect(try await visitor.get("/taxi/point/nowhere").status == 404)
        }
    }

    @Test("the way to the map keeps what was typed, and the map begins at what is known (R43)")
    func keeps() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let sent = try await visitor.submit(
                [
                    "from": "Zzyzx 1", "to": RideTown.typed(900), "seats": "3",
                    "needs": "wheelchair", "point": "from",
                ],
                on: "/taxi"
            )
            #expect(sent.header("location") == "/taxi/point/from")
            let form = try await visitor.get("/taxi").text
            for kept in ["Zzyzx 1", RideTown.typed(900)] {
                #expect(form.contains("value=\"\(kept)\""), "\(kept)")
            }
            #expect(form.contains("value=\"3\" selected"))
            #expect(form.contains("value=\"wheelchair\" checked"))
            for _ in 1...3 {
                _ = try await visitor.submit(["move": "east"], on: "/taxi/point/from")
            }
            let other = try await town.passenger("ugo")
            var pictures: Set<String> = []
            for somebody in [visitor, other] {
                let check = try await town.fill(
                    somebody,
                    ["from": RideTown.typed(500), "seats": "1"]
                )
                #expect(check.text.contains("alt=\"Map: Pickup\""))
                pictures.insert(try await somebody.get("/taxi/point/from/map.svg").text)
            }
            #expect(pictures.count == 1)
        }
    }

    @Test("a pixel of a picture is the place that is drawn there")
    func pixels() throws {
        let box = BoundingBox(RideTown.place(500)).expanded(byMetres: 400)
        let frame = MapFrame(around: box, pixelsWide: 320, pixelsHigh: 320)
        let middle = frame.place(atPixel: 160, 160)
        #expect(middle.distanceMetres(to: RideTown.place(500)) < 5)
        let corner = frame.place(atPixel: 0, 0)
        #expect(corner.latitude > middle.latitude && corner.longitude < middle.longitude)
    }

    @Test("a draft is read by nobody and changed by nobody, and is forgotten after an hour")
    func seal() throws {
        let seal = OrderSeal(key: [UInt8](repeating: 3, count: 32))
        let now = Moment(milliseconds: 1_800_000_000_000)
        var draft = OrderDraft()
        draft[.from] = OrderDraft.Wish(
            typed: "Corso Lungo 5",
            place: ChosenPlace(RideTown.place(500), words: "Corso Lungo 5", accuracyMetres: 12)
        )
        draft.seats = 3
        let text = try #require(seal.seal(draft, at: now))
        #expect(!text.contains("Corso"))
        #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") })
        #expect(seal.open(text, at: now.adding(seconds: 3_599)) == draft)
        #expect(seal.open(text, at: now.adding(seconds: 3_600)) == nil)
        for place in stride(from: 0, to: text.count, by: 7) {
            var letters = Array(text)
            letters[place] = letters[place] == "A" ? "B" : "A"
            #expect(seal.open(String(letters), at: now) == nil)
        }
        for other in ["", "a", "====", String(repeating: "A", count: 10_000)] {
            #expect(seal.open(other, at: now) == nil)
        }
        let foreign = OrderSeal(key: [UInt8](repeating: 4, count: 32))
        #expect(foreign.open(text, at: now) == nil)
        // The longest possible input still fits into a cookie.
        let long = String(repeating: "語", count: 200)
        for end in RideEnd.allCases {
            draft[end] = OrderDraft.Wish(
                typed: String(long.prefix(OrderDraft.Wish.limit)),
                place: ChosenPlace(RideTown.place(1), words: long)
            )
        }
        #expect(seal.seal(draft, at: now) != nil)
    }

    @Test(
        "coordinates are read where they are some, and nothing else is taken for them",
        arguments: [
            ("45.46427, 9.18951", true), ("45.46427,9.18951", true), ("-45.4, -9.1", true),
            ("Via Dante 7, Milano", false), ("91, 9", false), ("45.4", false), ("1e1, 2", false),
            ("nan, inf", false), (",", false), ("45.4, 9.1, 3", false),
        ]
    )
    func coordinates(text: String, isPlace: Bool) {
        #expect((PlaceSearch.coordinates(text) != nil) == isPlace)
    }
}
