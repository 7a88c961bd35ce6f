import Chronology
import CityData
import Foundation
import Geo
import Journeys
import OpenData
import TestSupport
import Testing
import Transit

/// Issue 32, point 1: an errand at any open branch of a shop.
@Suite("Errands of a calendar file")
struct ErrandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: A small town

    /// A street of five kilometres to the east of the stop Alba, with pharmacies and a chain.
    private func town() throws -> String {
        var map = OSMWriter()
        func place(_ column: Int) -> Coordinate {
            Coordinate(latitude: 450_000_000, longitude: 90_000_000 + Int32(column) * 10_000)
        }
        func add(_ id: Int64, _ column: Int, _ tags: [String: String]) {
            map.add(
                node: id,
                at: place(column),
                tags: tags.sorted { $0.key < $1.key }.map { OSMTag($0.key, $0.value) }
            )
        }
        for column in 0...60 { add(Int64(column + 1), column, [:]) }
        add(100, 20, ["place": "town", "name": "Lunga"])
        func shop(_ id: Int64, _ column: Int, _ name: String, _ kind: String, _ hours: String?) {
            var tags = ["name": name, kind == "pharmacy" ? "amenity" : "shop": kind]
            tags["opening_hours"] = hours
            add(id, column, tags)
        }
        shop(101, 4, "Farmacia Ovest", "pharmacy", "Mo-Fr 15:00-19:00")
        shop(102, 15, "Farmacia Centro", "pharmacy", "Mo-Fr 08:30-12:30; Sa 09:00-12:00")
        shop(103, 55, "Farmacia Est", "pharmacy", "Mo-Sa 08:30-12:30")
        shop(104, 12, "Esse", "supermarket", nil)
        shop(105, 58, "Esse", "supermarket", nil)
        map.add(
            way: 1,
            nodes: (1...61).map { Int64($0) },
            tags: [OSMTag("highway", "residential"), OSMTag("name", "Via Lunga")]
        )
        let out = folder.path("town.city")
        let run = try Program.run(
            "city",
            "import",
            "--osm",
            try folder.write(Data(map.finish()), to: "town.osm.pbf"),
            "--gtfs",
            try SmallTown.write(feed: "north", in: folder),
            "--out",
            out
        )
        try #require(run.code == 0, "\(run.errors)")
        return out
    }

    private static func item(_ kind: String, _ uid: String, _ lines: String...) -> String {
        "BEGIN:\(kind)\nUID:\(uid)\nSUMMARY:\(uid)\n\(lines.joined(separator: "\n"))\nEND:\(kind)\n"
    }

    /// Two meetings at the ends of two kilometres and an errand; the line of its place is 22.
    private static func calendar(_ place: String, from: String, until: String) -> String {
        "BEGIN:VCALENDAR\n"
            + item(
                "VEVENT",
                "first",
                "DTSTART:20141020T090000\nDTEND:20141020T100000\nGEO:45.0;9.0"
            )
            + item(
                "VEVENT",
                "second",
                "DTSTART:20141020T120000\nDTEND:20141020T130000\nGEO:45.0;9.03"
            )
            + item(
                "VTODO",
                "errand",
                "DTSTART:20141020T\(from)00\nDUE:20141020T\(until)00",
                "ESTIMATED-DURATION:PT20M",
                "LOCATION:\(place)"
            ) + "END:VCALENDAR\n"
    }

    private func plan(_ city: String, _ text: String, _ arguments: String...) throws -> Program.Run
    {
        let path = try folder.write(text, to: "day.ics")
        return try Program.run(["day", "--city", city, path] + arguments)
    }

    @Test("of the branches the open one on the way is taken, in English and in Italian")
    func onTheWay() throws {
        let town = try town()
        for word in ["farmacia", "pharmacy"] {
            let text = Self.calendar(word, from: "0900", until: "1200")
            let run = try plan(town, text, "--json")
            #expect(run.code == 0, "\(run.errors)")
            let day = try DayDocument(run)
            let errand = try #require(day.tasks.first { $0.uid == "errand" })
            #expect(errand.place?.hasPrefix("Farmacia Centro") == true)
            #expect(errand.lat == 45 && errand.lon == 9.015)
            #expect(errand.start > "2014-10-20T10:00" && errand.end < "2014-10-20T12:00")
            #expect(day.journeys.map(\.to) == ["errand", "second"])
            #expect(run.errors.contains("line 16: considering 2 of 3 places for \"\(word)\""))
            let printed = try plan(town, text)
            #expect(printed.output.contains("LOCATION:Farmacia Centro"))
        }
    }

    @Test("the name of a chain means any of its branches, open as far as is known")
    func chain() throws {
        let town = try town()
        let run = try plan(town, Self.calendar("Esse", from: "0900", until: "1200"), "--json")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try DayDocument(run).tasks.first { $0.uid == "errand" }?.lon == 9.012)
        #expect(run.errors.contains("considering 2 of 2 places for \"Esse\""))
        #expect(run.errors.contains("the opening hours of Esse"))
    }

    @Test("where all are closed the conflict says so, and a repair waits for one to open")
    func closed() throws {
        let text = Self.calendar("farmacia", from: "1300", until: "1430")
        let run = try plan(try town(), text, "--json")
        #expect(run.code == 1)
        let day = try DayDocument(run)
        #expect(day.conflicts.map(\.kind) == ["no_room"] && day.conflicts[0].to == "errand")
        let closed =
            "day.ics: line 16: every \"farmacia\" that is known is closed from 13:00 to 14:30"
        #expect(run.errors.contains(closed), "\(run.errors)")
        // Until 15:20 at the one that opens at three.
        let changes = day.repairs.map(\.changes)
        #expect(
            changes.contains([DayDocument.Change(uid: "errand", kind: "postpone", minutes: 50)])
        )
        #expect(changes.contains([DayDocument.Change(uid: "errand", kind: "drop", minutes: nil)]))
    }

    @Test("a kind of place that the city does not have is an error, with the line of the place")
    func nowhere() throws {
        let run = try plan(try town(), Self.calendar("piscina", from: "0900", until: "1200"))
        #expect(run.code == 2 && run.errorLines.count == 1)
        #expect(
            run.errors.contains("day.ics: line 22: LOCATION: no \"piscina\" is on the city's map"),
            "\(run.errors)"
        )
    }

    // MARK: Milan

    @Test(
        "in Milan an errand is at an open branch, no farther than necessary",
        .enabled(if: MilanCity.isPresent, RealData.advice),
        arguments: [("farmacia", PlaceKind.pharmacy), ("supermercato", .supermarket)]
    )
    func milan(word: String, kind: PlaceKind) throws {
        let path = try MilanCity.path()
        let base = Coordinate(latitude: 454_520_000, longitude: 91_770_000)
        func errand(_ place: String) throws -> DayDocument? {
            let text =
                "BEGIN:VCALENDAR\n"
                + Self.item(
                    "VTODO",
                    "errand",
                    "DTSTART:20141020T090000\nDUE:20141020T190000\nESTIMATED-DURATION:PT20M",
                    place
                ) + "END:VCALENDAR\n"
            let run = try plan(path, text, "--json", "--base", base.text, "--modes", "walk")
            return run.code == 0 ? try DayDocument(run) : nil
        }
        func walk(_ day: DayDocument) -> Int { day.journeys.reduce(0) { $0 + $1.walk_m } }
        let day = try #require(try errand("LOCATION:\(word)"))
        let city = City(try CityFile.open(path))
        let near = PlaceResolver(city: city).nearest(kind, to: base, limit: 12)
        let task = try #require(day.tasks.first)
        let chosen = try #require(near.first { $0.name == task.place })
        #expect(chosen.coordinate?.latitudeDegrees == task.lat)
        let zone = city.timetable.zone
        let midnight = zone.instant(try #require(CivilDate(iso8601: "2014-10-20")), second: 0)
        let span = midnight..<midnight.adding(seconds: 86_400)
        func isOpen(_ place: ResolvedPlace) -> Bool {
            (place.openings(in: span, zone: zone) ?? [span]).contains { opening in
                opening.lowerBound.iso8601(in: zone) <= task.start
                    && opening.upperBound.iso8601(in: zone) >= task.end
            }
        }
        #expect(isOpen(chosen))
        for other in near.prefix(6) where isOpen(other) {
            let place = try #require(other.coordinate)
            let position = "GEO:\(place.latitudeDegrees);\(place.longitudeDegrees)"
            guard let alone = try errand(position) else { continue }
            #expect(walk(day) <= walk(alone), "\(other.name)")
        }
    }
}
