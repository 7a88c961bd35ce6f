import Testing

@testable import Dispatching

@Suite("Policy files")
struct PolicyTextTests {
    @Test(
        "what is wrong is said with its line and key",
        arguments: [
            (
                "based_on: milano-a\noffer.timeout_s: 4",
                "Line 2: offer.timeout_s cannot be \"4\": it takes seconds from 5 to 600."
            ),
            (
                "# ours\n\nrequest.guest: maybe",
                "Line 3: request.guest cannot be \"maybe\": it takes deny, allow."
            ),
            (
                "boarding.prompt_radius_m: 20 m",
                "Line 1: boarding.prompt_radius_m cannot be \"20 m\": it takes none or a number"
                    + " from 5 to 1000."
            ),
            ("offer.time: 60", "Line 1: there is no key \"offer.time\"."),
            (
                "offer.timeout_s: 60\r\noffer.timeout_s: 61",
                "Line 2: offer.timeout_s stands twice."
            ),
            ("offer.timeout_s 60", "Line 1: \"offer.timeout_s 60\" is not \"key: value\"."),
            (
                "name: x\nbased_on: milano-c",
                "Line 2: based_on cannot be \"milano-c\": it takes milano-a, milano-b or viavai."
            ),
            (
                "request.refused_memory: none",
                "request.refused_memory: none needs request.max_offers above 0, or a request that"
                    + " all refuse would never end."
            ),
        ]
    )
    func failure(text: String, sentence: String) {
        do throws(PolicyFailure) {
            _ = try Policy(text: text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.sentence == sentence)
        }
    }

    @Test("comments, quotes, blank lines and the ends of lines of Windows are read")
    func tolerant() throws {
        let text = """
            ---\r
            name: "Monza"   # a town\r
            \r
            based_on: milano-b\r
              offer.timeout_s :  90  # seconds\r
            registration.passenger.required: [ name,surname ]\r
            """
        let policy = try Policy(text: text)
        #expect(policy.name == "Monza")
        #expect(policy[.offerTimeout] == 90)
        #expect(policy[.passengerFields] == 3)
        #expect(policy[.guestRequests] == Policy.milanoB[.guestRequests])
    }
}
