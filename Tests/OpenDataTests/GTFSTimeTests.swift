import OpenData
import TestSupport
import Testing

@Suite("GTFS times")
struct GTFSTimeTests {
    private func seconds(_ text: String) -> Int32? {
        GTFSTime.seconds(Array(text.utf8)[...])
    }

    @Test("every second up to 48 h is read, with one digit of the hour or two")
    func everySecond() {
        var wrong = 0
        for second: Int32 in 0...172_800 {
            let parts = [second / 3_600, second / 60 % 60, second % 60].map {
                $0 < 10 ? "0\($0)" : "\($0)"
            }
            let text = parts.joined(separator: ":")
            if seconds(text) != second { wrong += 1 }
            if second < 36_000, seconds(String(text.dropFirst())) != second { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test(
        "what is no time, or later than 48 h, is refused",
        arguments: [
            "", "8", "8:00", "8:0:00", "08:00:0", "08:60:00", "08:00:60", "48:00:01", "99:00:00",
            "100:00:00", "8:00:00 ", " 8:00:00", "-8:00:00", "+8:00:00", "-0:00:00", "08:+5:00",
            "08:00:-0", "08-00-00", "08:00;00", "0x:00:00", "::::::::", "08:00:00Z",
        ]
    )
    func noTime(text: String) {
        #expect(seconds(text) == nil)
    }
}
