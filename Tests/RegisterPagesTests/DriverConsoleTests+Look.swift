import Drivers
import Identity
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

extension DriverConsoleTests {
    @Test("R1: make and colour are optional, shown in the reader's language, and changed")
    func look() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, _) = try await site.administrator()
            var form = Self.form
            (form["make"], form["colour"]) = ("Toyota Corolla", "white")
            let entered = try await visitor.submit(form, on: "/console/drivers/new")
            let place = try #require(entered.header("location"), "\(entered.text)")
            let page = String(place.prefix { $0 != "?" })
            let shown = try await visitor.get(page).text
            #expect(shown.contains("Toyota Corolla") && shown.contains("White"))
            visitor.language = "it"
            let italian = try await visitor.get(page).text
            #expect(italian.contains("Bianca") && italian.contains("<b>Sì</b>"))
            visitor.language = "en"
            let edit = try await visitor.get(page + "/edit").text
            #expect(edit.contains("value=\"Toyota Corolla\""))
            #expect(edit.contains("<option value=\"white\" selected>White</option>"))
            form["make"] = String(repeating: "a", count: 41)
            form["colour"] = "pink"
            let refused = try await visitor.submit(form, on: page + "/edit")
            #expect(refused.status == 422)
            for field in ["make", "colour"] {
                #expect(refused.text.contains("href=\"#field-\(field)\""), "\(field)")
            }
            (form["make"], form["colour"]) = ("", "grey")
            let preview = try await visitor.submit(form, on: page + "/edit")
            #expect(preview.text.contains(Self.change("White", "Grey")), "\(preview.text)")
            #expect(preview.text.contains(Self.change("Toyota Corolla", "Not stated")))
            let saved = try await visitor.send(FormSheet(preview.text), to: page + "/edit")
            #expect(saved.header("location") == page + "?notice=saved")
            let number = try #require(Int64(page.split(separator: "/").last ?? ""))
            let driver = try await site.accounts.drivers.driver(PersonNumber(rawValue: number))
            #expect(driver?.papers.make == "" && driver?.papers.colour == "grey")
        }
    }

    @Test("drivers that a search finds stand in the order of their surnames, whatever their case")
    func order() async throws {
        try await withSite { site in
            let (visitor, admin) = try await site.administrator()
            let surnames = ["Verdi", "neri", "Conti", "Bruni", "arditi"]
            for (number, surname) in surnames.enumerated() {
                var entry = DriverEntry.numbered(number + 1)
                entry.surname = surname
                _ = try await site.accounts.drivers.enter(
                    entry,
                    invites: false,
                    by: admin,
                    at: site.clock.now
                )
            }
            let found = try await visitor.get("/console/drivers?find=dario").text
            let order = found.matches(of: /(\w+) Dario</).map { String($0.1) }
            #expect(order == surnames.reversed())
        }
    }
}
