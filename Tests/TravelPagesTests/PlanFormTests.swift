import Testing
import WebTestSupport

/// Issue 31, 1: taxis and trips begin with the same two fields.
@Suite("The form of the planner", .serialized)
struct PlanFormTests {
    @Test("it asks from where to where, when and how, and everybody may ask (V9)")
    func form() async throws {
        try await TravelTown.open { town in
            let page = try await town.site.visitor().get("/plan")
            #expect(page.status == 200)
            for field in ["from", "to", "swap", "point", "date", "time", "means", "walk"] {
                #expect(page.text.contains("name=\"\(field)\""), "\(field)")
            }
            #expect(page.text.contains("travel.css"))
            #expect(!page.text.contains("class=\"tabs\""))
        }
    }

    @Test("the order of a taxi has a button for trips, and both forms keep what is typed")
    func sameFields() async throws {
        try await TravelTown.open { town in
            let visitor = try await town.passenger()
            let order = try await visitor.get("/")
            #expect(order.text.contains("formaction=\"/plan\""))
            let fields = TravelTown.form + ["seats": "1"]
            let sent = try await visitor.submit(fields, on: "/taxi", to: "/plan")
            let path = try #require(sent.header("location"), "\(sent.text)")
            #expect(try await visitor.get(path).status == 200)
            // What was typed stands in both forms.
            for form in ["/taxi", "/plan"] {
                let page = try await visitor.get(form).text
                #expect(page.contains("value=\"\(TravelTown.form["to"] ?? "")\""), "\(form)")
            }
            // Text browsers know no `formaction`.
            let other = try await visitor.submit(fields + ["plan": "yes"], on: "/taxi")
            #expect(other.header("location") == "/plan")
        }
    }

    @Test("what is missing or wrong is said beside its field")
    func errors() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let here = TravelTown.form["from"] ?? ""
            for (fields, words) in [
                (["from": ""], "Enter where you start."),
                (["to": ""], "Enter where you are going."),
                (["to": here], "are the same place"),
                (["when": "leave", "time": ""], "Enter a time."),
                (["when": "leave", "time": "soon"], "Enter a time such as"),
                (["when": "leave", "date": "soon", "time": "10:00"], "Enter a date such as"),
                (["options": "yes"], "Choose at least one."),
                (["from": "Zzyzx 1"], "We cannot find this place"),
            ] {
                let answer = try await visitor.submit(TravelTown.form + fields, on: "/plan")
                #expect(answer.status == 422, "\(words)")
                #expect(answer.text.contains(words), "\(words)")
            }
        }
    }

    @Test("of several places one is chosen, a point on the map is taken, ends are swapped")
    func places() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let several = try await visitor.submit(
                TravelTown.form + ["from": "lungo"],
                on: "/plan"
            )
            #expect(several.header("location") == "/plan/places")
            #expect(try await visitor.get("/plan/places").text.contains("action=\"/plan/places\""))
            let chosen = try await visitor.submit(["from": "0"], on: "/plan/places")
            #expect(chosen.header("location")?.hasPrefix("/plan/") == true)
            let map = try await visitor.submit(
                TravelTown.form + ["point": "to"],
                on: "/plan"
            )
            #expect(map.header("location") == "/plan/point/to")
            #expect(try await visitor.get("/plan/point/to").text.contains("Go here"))
            #expect(try await visitor.get("/plan/point/to/map.svg").status == 200)
            let taken = try await visitor.submit(
                ["latitude": "45.464", "longitude": "9.2"],
                on: "/plan/point/to"
            )
            #expect(taken.header("location") == "/plan")
            let swapped = try await visitor.submit(
                TravelTown.form + ["swap": "yes"],
                on: "/plan"
            )
            #expect(swapped.header("location") == "/plan")
            let from = try #require(
                try await visitor.get("/plan").text
                    .firstMatch(of: /id="field-from"[^>]*value="([^"]*)"/)
            )
            #expect(String(from.1) == TravelTown.form["to"])
        }
    }

    @Test("R4: trips are planned before the city opens, with suggestions, but without taxis")
    func beforeOpening() async throws {
        try await TravelTown.open(isOpen: false) { town in
            try await town.site.started()
            let visitor = town.site.visitor()
            #expect(try await visitor.get("/").text.contains("href=\"/plan\""))
            #expect(try await visitor.get("/taxi").status == 503)
            let found = try await visitor.get(
                "/places/suggestions.json",
                headers: ["x-place": "corso"]
            )
            #expect(found.text.contains("Corso Lungo"))
            let path = try await TravelTown.ask(visitor)
            let page = try await visitor.get(path)
            #expect(page.status == 200)
            #expect(!page.text.contains("\(path)/order"))
        }
    }

    @Test("a server without a city file says so")
    func noCity() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let page = try await visitor.get("/plan")
            #expect(page.status == 200)
            #expect(page.text.contains("Trips cannot be planned here yet"))
            #expect(try await visitor.get("/plan/x").status == 404)
            #expect(!(try await visitor.get("/").text.contains("formaction=\"/plan\"")))
        }
    }

    @Test("the tab of trips leads to the planner, and from there to the rides (issue 30)")
    func tab() async throws {
        try await TravelTown.open { town in
            let visitor = try await town.passenger()
            for path in ["/plan", "/account/rides"] {
                let page = try await visitor.get(path).text
                #expect(page.contains("href=\"/plan\" aria-current=\"true\""), "\(path)")
                #expect(page.contains("class=\"segment\" href=\"/account/rides\""), "\(path)")
            }
        }
    }
}

/// Two sets of fields; the second one wins.
private func + (first: [String: String], second: [String: String]) -> [String: String] {
    first.merging(second) { $1 }
}
