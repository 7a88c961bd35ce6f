import Dispatching
import Foundation
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// ui.md 4.3: places that a passenger needs often.
@Suite("Saved places on pages", .serialized)
struct SavedPlaceTests {
    private static let page = "/account/places"

    private static func keep(
        _ visitor: Visitor,
        _ name: String,
        _ place: String,
        match: String? = nil
    ) async throws -> Visitor.Answer {
        var fields = ["name": name, "place": place]
        fields["match"] = match
        return try await visitor.press(page, on: page, fields)
    }

    @Test("a place is kept under a name, and one press fills it in, whatever else was typed")
    func pressing() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            #expect(try await visitor.get("/account").text.contains("href=\"\(Self.page)\""))
            #expect(try await visitor.get(Self.page).text.contains("fill them in with one tap"))
            let bare = try await visitor.get("/taxi").text
            #expect(!bare.contains("name=\"known\"") && bare.contains("href=\"\(Self.page)\""))
            for (name, metres) in [("Casa", 500.0), ("<b>Lavoro", 1_500)] {
                let kept = try await Self.keep(visitor, name, RideTown.typed(metres))
                #expect(kept.header("location") == Self.page + "?notice=kept", "\(kept.text)")
            }
            let list = try await visitor.get(Self.page).text
            for words in ["Corso Lungo 5", "Corso Lungo 15", "&lt;b&gt;Lavoro", "Casa"] {
                #expect(list.contains(words), "\(words)")
            }
            let form = try await visitor.get("/taxi").text
            // Issue 30: the form begins at home, and each chip is a destination.
            #expect(form.contains("value=\"Corso Lungo 5\"") && form.contains(" data-guess>"))
            #expect(form.contains("name=\"known\" value=\"to Casa\""))
            #expect(!form.contains("value=\"from "))
            // The Enter key continues, as it presses the first button of the form.
            let first = try #require(form.range(of: "<button class=\"hidden\""))
            let saved = try #require(form.range(of: "name=\"known\""))
            #expect(first.lowerBound < saved.lowerBound)
            let fields = [
                "from": RideTown.typed(700), "to": "", "seats": "3", "when": "now",
                "known": "to <b>Lavoro",
            ]
            let pressed = try await visitor.press("/taxi", on: "/taxi", fields)
            #expect(pressed.header("location") == "/taxi", "\(pressed.text)")
            let filled = try await visitor.get("/taxi").text
            #expect(filled.contains("value=\"Corso Lungo 15\""), "\(filled)")
            #expect(filled.contains("value=\"\(RideTown.typed(700))\""))
            // Issue 30: the button of this page orders what it shows.
            #expect(filled.contains("formaction=\"/taxi/request\""))
            let check = try await town.fill(
                visitor,
                ["from": RideTown.typed(700), "to": "Corso Lungo 15", "seats": "3"]
            )
            #expect(check.text.contains("Corso Lungo 15") && check.text.contains("3 people"))
        }
    }

    @Test("the places of the latest rides follow those that are saved, each once, for their owner")
    func recent() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            _ = try await Self.keep(visitor, "Casa", RideTown.typed(500))
            #expect(!(try await visitor.get("/taxi").text.contains("to Corso Lungo")))
            for to in [1_500.0, 900, 1_500] {
                let path = try await town.call(visitor, from: 500, to: to)
                _ = try await visitor.submit([:], on: path + "/cancel")
            }
            await town.taxi.settled()
            let form = try await visitor.get("/taxi").text
            let offered = form.matches(of: /name="known"\s+value="([^"]*)"/).map { String($0.1) }
            #expect(
                offered == ["to Casa", "to Corso Lungo 15", "to Corso Lungo 9"]
            )
            let pressed = try await visitor.press(
                "/taxi",
                on: "/taxi",
                ["from": "", "to": "", "seats": "1", "known": "to Corso Lungo 9"]
            )
            #expect(pressed.header("location") == "/taxi", "\(pressed.text)")
            #expect(try await visitor.get("/taxi").text.contains("value=\"Corso Lungo 9\""))
            let ugo = try await town.passenger("ugo")
            #expect(!(try await ugo.get("/taxi").text.contains("Corso Lungo")))
        }
    }

    @Test("what is missing, too long or may be several places is asked again; a name is replaced")
    func wrong() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let long = String(repeating: "a", count: 31)
            for (name, place, words) in [
                ("", RideTown.typed(500), "at most 30 characters"),
                (long, RideTown.typed(500), "at most 30 characters"),
                ("a\u{202E}b", RideTown.typed(500), "Leave out invisible characters"),
                ("evil.example/win", RideTown.typed(500), "Leave out web addresses"),
                ("Casa", "", "field-place"), ("Casa", "Zzyzx 1", "We cannot find this place"),
            ] {
                let answer = try await Self.keep(visitor, name, place)
                #expect(answer.status == 422, "\(name) \(place)")
                #expect(answer.text.contains(words), "\(words): \(answer.text)")
            }
            let asked = try await Self.keep(visitor, "Nonna", "lungo")
            #expect(asked.status == 422 && asked.text.contains("Which of these"))
            let match = try #require(asked.text.firstMatch(of: /name="match"\s+value="([^"]*)"/))
            let key = String(match.1)
            #expect(try await Self.keep(visitor, "Nonna", "lungo", match: "x").status == 422)
            // A choice among matches of earlier input does not answer the current input.
            #expect(try await Self.keep(visitor, "Nonna", "bar", match: key).status == 422)
            #expect(try await Self.keep(visitor, "Nonna", "lungo", match: key).status == 303)
            #expect(try await visitor.get(Self.page).text.contains("Corso Lungo"))
            let replaced = try await Self.keep(visitor, "Nonna", RideTown.typed(900))
            #expect(replaced.status == 303)
            let list = try await visitor.get(Self.page).text
            #expect(list.contains("Corso Lungo 9"))
            #expect(list.ranges(of: "name=\"name\" value=\"Nonna\"").count == 1)
            for number in 0..<9 {
                _ = try await Self.keep(visitor, "\(number)", RideTown.typed(500))
            }
            let full = try await Self.keep(visitor, "more", RideTown.typed(500))
            #expect(full.status == 422 && full.text.contains("You have saved 10 places"))
            let gone = try await visitor.press(Self.page + "/remove", on: Self.page, ["name": "0"])
            #expect(gone.header("location") == Self.page + "?notice=removed")
            #expect(try await Self.keep(visitor, "more", RideTown.typed(500)).status == 303)
            // Issue 30: a place is changed where it is listed, and home and work are asked for.
            let row = try await visitor.get(Self.page).text
                .firstMatch(of: /<b>Nonna<\/b>.*?edit=([0-9]+)/)
            let edit = try await visitor.get(Self.page + "?edit=\(try #require(row).1)").text
            #expect(edit.contains("value=\"Nonna\""), "\(edit)")
            #expect(edit.contains("value=\"Corso Lungo 9\""), "\(edit)")
            // A number that no place can have asks for no change.
            let unknown = try await visitor.get(Self.page + "?edit=99").text
            #expect(unknown.contains("<h2>Add a place</h2>"), "\(unknown)")
            #expect(edit.contains("?new=home#place") && edit.contains("?new=work#place"))
            #expect(try await visitor.get(Self.page + "?new=work").text.contains("value=\"Work\""))
            visitor.language = "it"
            #expect(try await visitor.get(Self.page).text.contains("I tuoi luoghi"))
        }
    }

    @Test("nobody sees, uses or removes another's places, and guests have none (R130)")
    func foreign() async throws {
        try await RideTown.open(.viavai) { town in
            let pia = try await town.passenger("pia")
            let ugo = try await town.passenger("ugo")
            _ = try await Self.keep(pia, "Casa", RideTown.typed(500))
            #expect(!(try await ugo.get(Self.page).text.contains("Casa")))
            _ = try await ugo.submit(["name": "Casa"], on: Self.page, to: Self.page + "/remove")
            #expect(try await pia.get(Self.page).text.contains("Corso Lungo 5"))
            let guest = town.site.visitor()
            for visitor in [ugo, guest] {
                let fields = ["from": RideTown.typed(900), "seats": "1", "known": "to Casa"]
                let answer = try await visitor.press("/taxi", on: "/taxi", fields)
                #expect(answer.header("location") == "/taxi/check")
            }
            #expect(try await guest.get(Self.page).status == 303)
            let export = try await pia.get("/account/export").text
            #expect(export.contains("Corso Lungo 5"))
        }
    }

    @Test("without a city file places are kept as coordinates, and the hint says so")
    func noCity() async throws {
        try await DriverTown.open { town in
            let visitor = try await town.site.person("pia")
            #expect(try await Self.keep(visitor, "Casa", "Via Dante 7").status == 422)
            #expect(try await Self.keep(visitor, "Casa", "45.46, 9.15").status == 303)
            #expect(try await visitor.get("/taxi").text.contains("value=\"to Casa\""))
        }
    }
}
