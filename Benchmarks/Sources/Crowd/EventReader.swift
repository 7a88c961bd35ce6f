/// Parses server-sent events to the extent that the server uses them: each field on one line, lines
/// that end with a line feed, at most one line of data.
///
/// Lines are parsed in place; only an incomplete line is copied and kept.
struct EventReader {
    private static let lineFeed = UInt8(ascii: "\n")

    /// The beginning of an incomplete line.
    private var rest: [UInt8] = []
    private var next = Wire.Event(name: "", at: .now)

    /// Parses the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: the next bytes of the stream.
    ///   - moment: when they arrived.
    ///   - take: called with each named event that these bytes complete.
    mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        at moment: ContinuousClock.Instant,
        _ take: (Wire.Event) -> Void
    ) {
        var bytes = bytes[...]
        while let end = bytes.firstIndex(of: Self.lineFeed) {
            let line = bytes[..<end]
            bytes = bytes[(end + 1)...]
            if rest.isEmpty {
                read(line: UnsafeBufferPointer(rebasing: line), at: moment, take)
            } else {
                let whole = rest + line
                rest = []
                whole.withUnsafeBufferPointer { read(line: $0, at: moment, take) }
            }
        }
        rest += bytes
    }

    private mutating func read(
        line: UnsafeBufferPointer<UInt8>,
        at moment: ContinuousClock.Instant,
        _ take: (Wire.Event) -> Void
    ) {
        guard !line.isEmpty else {
            // An empty line ends an event.
            next.at = moment
            if !next.name.isEmpty { take(next) }
            next = Wire.Event(name: "", at: moment)
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        let name = UnsafeBufferPointer(rebasing: line[..<colon])
        let value = line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
        if name.equals("event") {
            next.name = String(decoding: value, as: UTF8.self)
        } else if name.equals("id") {
            next.id = String(decoding: value, as: UTF8.self)
        } else if name.equals("data") {
            next.data = String(decoding: value, as: UTF8.self)
        }
    }
}
