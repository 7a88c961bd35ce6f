/// What streams of events are about: `person/17`, `zone/3`, `operations`.
package struct Topic: Sendable, Hashable {
    /// Its name.
    package let name: String

    /// A topic.
    package init(_ name: String) {
        self.name = name
    }
}

/// Something that pages may want to know at once.
package struct Event: Sendable, Equatable {
    /// What kind of event it is, for the page's script: letters, digits, hyphens and points.
    package let name: String
    /// What the page gets; each line of it becomes a line of the stream.
    package let data: String

    /// An event; nil where its name holds anything else.
    package init?(_ name: String, data: String) {
        let isSafe = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
        }
        guard isSafe, !name.isEmpty else { return nil }
        self.name = name
        self.data = data
    }

    /// The event in the form of the HTML standard, 9.2.6, with an id.
    func encoded(id: String) -> [UInt8] {
        var text = "id: \(id)\nevent: \(name)\n"
        // All three ends of lines count there.
        let lines = data.split(omittingEmptySubsequences: false) { $0.isStreamLineEnd }
        for line in lines { text += "data: \(line)\n" }
        return Array((text + "\n").utf8)
    }
}

extension Character {
    /// Whether an event stream reads it as the end of a line.
    fileprivate var isStreamLineEnd: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
