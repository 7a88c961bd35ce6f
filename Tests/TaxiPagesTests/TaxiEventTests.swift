import Identity
import LiveUpdates
import Notify
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 4, "the server-sent event stream": the events and topics of the taxi.
@Suite("The taxi's events", .serialized, .timeLimit(.minutes(5)))
struct TaxiEventTests {
    /// Suspends the service as a member of staff, or resumes it.
    private static func suspend(_ staff: Visitor, _ reason: String?) async throws {
        let answer = try await staff.submit(
            reason.map { ["reason_it": $0] } ?? [:],
            on: "/console/suspension",
            to: reason == nil ? "/console/suspension/end" : "/console/suspension/begin"
        )
        #expect(answer.header("location")?.contains("?notice=") == true)
    }

    @Test("who gets which events (R9, R124)")
    func topics() {
        let number = PersonNumber(rawValue: 7)
        func topics(_ roles: Set<Role>, _ mustChange: Bool = false) -> Set<String> {
            let standing = SessionStanding(
                person: number,
                roles: roles,
                mustChangePassword: mustChange
            )
            return Set(TaxiLiveProduct().topics(for: .session(standing)).map(\.name))
        }
        let nobody = SessionStanding(person: nil, roles: [], mustChangePassword: false)
        #expect(TaxiLiveProduct().topics(for: .session(nobody)) == [.service])
        #expect(TaxiLiveProduct().topics(for: .visitor) == [.service])
        #expect(TaxiLiveProduct().topics(for: .guest(number)) == [.service, .guest(number)])
        #expect(topics([.traveller]) == ["service", "person/7"])
        #expect(topics([.driver]) == ["service", "person/7", "driver/7"])
        #expect(topics([.serviceOperator]) == ["service", "person/7", "operations"])
        #expect(topics([.administrator]) == ["service", "person/7", "operations"])
        #expect(topics([.administrator, .driver], true) == ["service"])
    }

    @Test("a suspension reaches open pages at once, and every page says it (R12)")
    func suspension() async throws {
        try await withSite { site in
            let staff = try await CityStaff.person([.administrator], at: site, name: "staff")
            try await CityStaff.open(site)
            let ana = try await site.person("eva")
            #expect(try await ana.get("/account").text.contains("data-live=\"service\"></div>"))
            try await site.withEvents(of: ana) { line in
                #expect(line.status == 200)
                #expect(line.headers["content-type"] == "text/event-stream")
                #expect(line.headers["content-encoding"] == nil)
                #expect(line.headers["cache-control"]?.contains("no-store") == true)
                let hello = try await line.read(to: "event: hello\ndata:\n\n")
                #expect(hello.contains("retry: 3000\n"))
                try await Self.suspend(staff, "Sciopero generale")
                let event = try await line.read(to: "event: service\ndata: 1\n\n")
                #expect(event.contains("id: "))
                for page in ["/account", "/dashboard", "/", "/privacy"] {
                    let text = try await ana.get(page).text
                    #expect(text.contains("Sciopero generale"), "\(page)")
                    #expect(text.ranges(of: "Sciopero generale").count == 1, "\(page)")
                }
                try await Self.suspend(staff, nil)
                _ = try await line.read(to: "event: service\n")
                #expect(!(try await ana.get("/account").text.contains("Sciopero")))
            }
        }
    }
}
