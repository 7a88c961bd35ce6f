import LivingCity
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 5, "What must be seen", 1, tested on the program itself: what `make demo` starts.
@Suite("The demo that is served", .serialized)
struct ServedDemoTests {
    /// Finds a shared bicycle near a place, and a trip by one: issue 33, point 5.
    private static func findSharedVehicles(_ visitor: Visitor) async throws {
        try await visitor.be(.passenger)
        let (west, east) = ("44.8980, 9.8930", "44.9040, 9.9080")
        let sent = try await visitor.submit(["from": west], on: "/stops")
        let stops = try await visitor.get(try #require(sent.header("location"))).text
        let near = try #require(stops.firstMatch(of: /href="(\/rentals\/near\/[^"]*)"/))
        let rentals = try await visitor.get(String(near.1)).text
        #expect(rentals.contains("Bici ") && rentals.contains(" free docks"), "\(rentals)")
        #expect(rentals.contains("Electric city car"), "\(rentals)")
        let asked = try await visitor.submit(
            ["from": west, "to": east, "when": "now", "options": ""],
            on: "/plan"
        )
        let trips = try await visitor.get(try #require(asked.header("location"))).text
        #expect(trips.contains("Shared bicycle") && trips.contains("€0.50"), "\(trips)")
        #expect(trips.contains("Shared car"), "\(trips)")
    }

    /// The position of each taxi on the operator's map.
    private static func places(_ clerk: Visitor) async throws -> [String: String] {
        let map = try await clerk.get("/console/operations/map.json").text
        let marks = map.matches(
            of: /"id":"taxi-(\d+)","geometry":\{"type":"Point","coordinates":\[([^\]]*)\]/
        )
        return Dictionary(marks.map { (String($0.1), String($0.2)) }) { first, _ in first }
    }

    @Test(
        "it says where it is and who one may be; its taxis drive; told to end, it ends",
        .enabled(if: Effort.isRelease, Effort.releaseAdvice)
    )
    func isAlive() async throws {
        try await withTemporaryFolder { folder in
            let options = ["--inhabitants", "50000", "--journeys", "1"]
            let program = try await ServedProgram(ofDemoIn: folder, options)
            #expect(program.text.contains("the password of all is \(DemoAccount.password)"))
            for account in DemoAccount.allCases {
                #expect(program.text.contains(account.window(port: ":\(program.port)")))
            }
            try await program.withVisitor { visitor in
                let first = try await visitor.get("/")
                #expect(first.status == 200)
                for account in DemoAccount.allCases {
                    #expect(first.text.contains("name=\"name\" value=\"\(account.userName)\""))
                }
                #expect(first.text.contains("<code>\(DemoAccount.password)</code>"))
                try await visitor.be(.driver)
                #expect(try await visitor.get("/drive").status == 200)
            }
            try await program.withVisitor { visitor in
                visitor.language = "en"
                try await Self.findSharedVehicles(visitor)
            }
            try await program.withVisitor { clerk in
                try await clerk.be(.serviceOperator)
                var before: [String: String] = [:]
                var moved = 0
                // A free driver moves to another place after half a minute at the earliest.
                let end = ContinuousClock.now + .seconds(90)
                while moved == 0, ContinuousClock.now < end {
                    let places = try await Self.places(clerk)
                    before.merge(places) { first, _ in first }
                    moved = places.count { before[$0.key] != $0.value }
                    try await ContinuousClock().sleep(for: .milliseconds(500))
                }
                #expect(moved > 0, "of \(before.count) taxis")
                clerk.language = "en"
                let feeds = try await clerk.get("/console/feeds").text
                #expect(feeds.matches(of: />\s*Responding\s*</).count == 6, "\(feeds)")
            }
            #expect(try await program.end() == 0)
        }
    }
}
