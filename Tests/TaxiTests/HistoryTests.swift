import Testing

/// The check of histories must detect the violations for which it is made (spec/taxi.md 5.7 (5)).
@Suite("The check of histories")
struct HistoryTests {
    /// Two rides of taxi 0, one after the other.
    private static let sound = """
        give 10 accept-1-1 0
        ack 20 accept-1-1 5
        give 30 end-1 0
        ack 40 end-1 6
        give 50 accept-2-1 0
        ack 60 accept-2-1 7
        give 70 end-2 0

        """

    private static func violations(_ text: String) -> Int {
        var history = History()
        history.add(text)
        return history.violations().count
    }

    @Test("one ride after another is no violation, nor is half a line")
    func soundHistory() {
        #expect(Self.violations(Self.sound) == 0)
        #expect(Self.violations(Self.sound + "ack 80 end-2 5") == 0)
    }

    @Test(
        "what cannot be is found",
        arguments: [
            // A taxi that accepts before its previous ride can have ended.
            ("give 30 end-1 0", "give 65 end-1 0"),
            // A passenger who gets a second taxi.
            ("give 50 accept-2-1 0", "give 22 accept-1-2 1\nack 24 accept-1-2 9"),
            // One command, two entries.
            ("ack 60 accept-2-1 7", "ack 60 accept-2-1 7\nack 65 accept-2-1 8"),
            // Two commands, one entry.
            ("ack 60 accept-2-1 7", "ack 60 accept-2-1 6"),
            // A command sent later that is earlier in the log.
            ("ack 60 accept-2-1 7", "ack 60 accept-2-1 4"),
            // An answer without a command.
            ("give 50 accept-2-1 0", "give 50 other"),
        ]
    )
    func unsound(_ before: String, _ after: String) {
        let text = Self.sound.replacing(before, with: after)
        #expect(text != Self.sound)
        #expect(Self.violations(text) > 0)
    }
}
