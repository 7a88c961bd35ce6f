/// The subject of events in a stream: `person/17`, `operations`.
package struct Topic: Sendable, Hashable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// An event that open pages should receive immediately.
package struct Event: Sendable, Equatable {
    /// The event type for the page's script: letters, digits, hyphens and points.
    package let name: String
    /// The payload; each of its lines becomes a line of the stream.
    package let data: String

    /// Creates an event; nil if the name contains other characters.
    package init?(_ name: String, data: String) {
        let isSafe = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
        }
        guard isSafe, !name.isEmpty else { return nil }
        self.name = name
        self.data = data
    }

    /// Encodes the event with an id, in the format of the HTML standard, 9.2.6.
    func encoded(id: String) -> [UInt8] {
        var text = "id: \(id)\nevent: \(name)\n"
        // The format accepts all three line endings.
        let lines = data.split(omittingEmptySubsequences: false) { $0.isStreamLineEnd }
        for line in lines { text += "data: \(line)\n" }
        return Array((text + "\n").utf8)
    }
}

extension Character {
    /// Whether an event stream parser treats the character as the end of a line.
    fileprivate var isStreamLineEnd: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
