/// A file of calendars (RFC 5545): its components in order, with every byte.
///
/// The ``bytes`` of a calendar that was read are the bytes of its file. A property that replaces
/// another is written again; nothing else changes.
package struct ICalendar: Hashable, Sendable {
    /// The greatest size of a file in bytes.
    package static let bytesLimit = 64 << 20
    /// The greatest number of content lines in a file, each of which takes about a hundred bytes.
    package static let linesLimit = 1_000_000
    /// The greatest depth of nested components; RFC 9073 needs four.
    package static let depthLimit = 32

    /// The components and the lines between them; nearly always one `VCALENDAR`.
    package var entries: [ICalendarComponent.Entry] = []
    /// The bytes before the first line and after the last: a byte order mark, blank lines.
    private let before: ArraySlice<UInt8>
    private let after: ArraySlice<UInt8>

    /// Creates a file from components.
    package init(_ components: [ICalendarComponent]) {
        entries = components.map { .component($0) }
        before = []
        after = []
    }

    /// Reads the bytes of a file.
    ///
    /// A line that is not a property is kept and listed in ``unreadable``. A component that does
    /// not end within the one in which it began makes the whole file invalid.
    ///
    /// - Throws: why the file is not a calendar, and in which line.
    /// - Complexity: linear in the size of the file.
    package init(_ bytes: [UInt8]) throws(ICalendarFailure) {
        guard bytes.count <= Self.bytesLimit else {
            throw ICalendarFailure(line: 1, problem: .tooLarge(limit: Self.bytesLimit))
        }
        var lines = ICalendarLines(bytes)
        before = lines.mark
        // The components that are open, from the outermost to the innermost.
        var open: [ICalendarComponent] = []
        var hasAny = false
        var count = 0
        while let line = lines.next() {
            count += 1
            guard count <= Self.linesLimit else {
                throw ICalendarFailure(
                    line: line.number,
                    problem: .tooManyLines(limit: Self.linesLimit)
                )
            }
            let entry: ICalendarComponent.Entry
            do throws(ICalendarFailure) {
                let property = try ICalendarProperty(
                    content: line.content,
                    raw: line.raw,
                    line: line.number
                )
                if property.name == "BEGIN" {
                    guard open.count < Self.depthLimit else {
                        throw ICalendarFailure(
                            line: line.number,
                            problem: .tooDeep(limit: Self.depthLimit)
                        )
                    }
                    hasAny = true
                    open.append(
                        ICalendarComponent(
                            name: Self.name(property),
                            line: line.number,
                            opening: line.raw
                        )
                    )
                    continue
                }
                if property.name == "END" {
                    guard var last = open.popLast(), last.name == Self.name(property) else {
                        throw ICalendarFailure(line: line.number, problem: .unexpectedEnd)
                    }
                    last.closing = line.raw
                    entry = .component(last)
                } else {
                    entry = .property(property)
                }
            } catch  where error.problem == .notProperty || error.problem == .badParameter {
                entry = .unreadable(line.raw, error)
            }
            if open.isEmpty {
                entries.append(entry)
            } else {
                open[open.count - 1].entries.append(entry)
            }
        }
        if let last = open.last {
            throw ICalendarFailure(line: last.line, problem: .unclosed(last.name))
        }
        guard hasAny else { throw ICalendarFailure(line: 1, problem: .notCalendar) }
        after = lines.rest
    }

    /// The bytes of the file.
    package var bytes: [UInt8] {
        var bytes = Array(before)
        for entry in entries { ICalendarWriter.write(entry, to: &bytes) }
        return bytes + after
    }

    /// The components of the outermost level.
    package var components: [ICalendarComponent] {
        entries.compactMap { if case .component(let component) = $0 { component } else { nil } }
    }

    /// The components with a name, directly within a calendar or outside all calendars.
    package func components(_ name: String) -> [ICalendarComponent] {
        components.flatMap { $0.name == "VCALENDAR" ? $0.components : [$0] }
            .filter { $0.name == name }
    }

    /// The lines that are not properties, with the reasons.
    package var unreadable: [ICalendarFailure] {
        entries.flatMap { entry in
            switch entry {
            case .component(let component): component.unreadable
            case .property(let property):
                [ICalendarFailure(line: property.line, problem: .outside)]
            case .unreadable(_, let failure): [failure]
            }
        }
    }

    private static func name(_ property: ICalendarProperty) -> String {
        String(decoding: property.value, as: UTF8.self).uppercased()
            .split(separator: " ").first.map(String.init) ?? ""
    }
}

/// The content lines of a file, unfolded by bytes: a fold may divide a character (RFC 5545, 3.1).
struct ICalendarLines {
    /// One content line, in both forms.
    struct Line {
        /// Its number in the file, from 1.
        let number: Int
        /// Its bytes without folds and line end.
        let content: ArraySlice<UInt8>
        /// Its bytes as written, with the blank lines before it.
        let raw: ArraySlice<UInt8>
    }

    /// The byte order mark, if there is one.
    let mark: ArraySlice<UInt8>
    private let bytes: [UInt8]
    private var position: Int
    private var number = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        mark = bytes[..<position]
    }

    /// The bytes after the last line.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// The next line that is not blank.
    mutating func next() -> Line? {
        let first = position
        var next = position
        var count = 0
        while next < bytes.count {
            let start = next
            let end = endOfLine(start)
            next = end.next
            count += 1
            if end.content == start { continue }
            let line = number + count
            // An unfolded line is a slice of the file; only folded lines are copied.
            guard isFold(next) else {
                number = line
                position = next
                return Line(
                    number: line,
                    content: bytes[start..<end.content],
                    raw: bytes[first..<next]
                )
            }
            var content = Array(bytes[start..<end.content])
            while isFold(next) {
                let fold = endOfLine(next)
                content += bytes[(next + 1)..<fold.content]
                next = fold.next
                count += 1
            }
            number += count
            position = next
            return Line(number: line, content: content[...], raw: bytes[first..<next])
        }
        return nil
    }

    private func isFold(_ position: Int) -> Bool {
        position < bytes.count && (bytes[position] == 0x20 || bytes[position] == 0x09)
    }

    /// Where the content of a line ends, and where the next line begins.
    private func endOfLine(_ start: Int) -> (content: Int, next: Int) {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
        let next = min(end + 1, bytes.count)
        // Some files have two carriage returns; neither is content.
        while end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return (end, next)
    }
}
