import Identity
import OpenData
import Storage

/// An entry as it is stored.
struct StoredEntry: Sendable {
    /// The field under which entries are sealed.
    private static let field = "agenda"
    /// The character before a text each of whose characters stands for a byte.
    private static let bytesMark = UInt8(1)

    /// The keyed digest of its identifier.
    let identifier: [UInt8]
    private let span: EntrySpan?
    private let sealed: [UInt8]

    /// Reads and seals what is to be stored.
    ///
    /// - Parameters:
    ///   - calendar: the components of one identifier, with the zones that they define.
    ///   - key: the owner's key.
    ///   - zone: the city's zone.
    ///   - secret: the secret of the digest of the identifier.
    ///   - steps: how many steps its rules may take; those that they took are subtracted.
    /// - Throws: ``AgendaFailure`` if it is not one entry that can be read.
    init(
        _ calendar: ICalendar,
        _ key: PersonKey,
        _ zone: NamedZone,
        _ secret: ServerSecret,
        steps: inout Int
    ) throws {
        let calendar = calendar.inCalendars
        let bytes = calendar.bytes
        guard bytes.count <= AgendaEntry.bytesLimit else { throw AgendaFailure.tooLarge }
        var zones = zone.zones(of: calendar)
        let (series, failures) = calendar.series(&zones)
        if let failure = failures.first { throw AgendaFailure.unreadable(failure) }
        guard let only = series.first, series.count == 1 else {
            throw AgendaFailure.notOneEntry
        }
        span = EntrySpan(only, steps: &steps)
        let owner = key.person.rawValue
        identifier = secret.digest("\(owner) \(only.item.uid)", of: .entry)
        sealed = try key.seal(Self.text(bytes), as: Self.field)
    }

    /// Reads an entry from its row.
    static func entry(_ row: Row, _ key: PersonKey) throws -> AgendaEntry {
        let text = try key.open(row.value("sealed"), as: field)
        return AgendaEntry(
            number: EntryNumber(rawValue: try row.value("number")),
            revision: try row.value("revision"),
            calendar: try ICalendar(bytes(text))
        )
    }

    /// A text that stands for the bytes of a calendar: they need not be UTF-8, since lines may be
    /// folded within a character (RFC 5545, 3.1).
    private static func text(_ bytes: [UInt8]) -> String {
        if bytes.first != bytesMark, let text = String(validating: bytes, as: UTF8.self) {
            return text
        }
        var text = String.UnicodeScalarView()
        for byte in [bytesMark] + bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    private static func bytes(_ text: String) -> [UInt8] {
        guard text.utf8.first == bytesMark else { return Array(text.utf8) }
        return text.unicodeScalars.dropFirst().map { UInt8(truncatingIfNeeded: $0.value) }
    }

    /// Adds it to its owner's calendar.
    func insert(
        _ number: Int64,
        of person: PersonNumber,
        _ version: Int64,
        in transaction: Transaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO agenda_entry (person, number, revision, uid_key, starts, ends, sealed)
            VALUES (\(person), \(number), \(version), \(identifier), \(span?.starts),
                \(span?.ends), \(sealed))
            """
        )
    }

    /// Puts it in the place of the entry with a number.
    func replace(
        _ number: Int64,
        of person: PersonNumber,
        _ version: Int64,
        in transaction: Transaction
    ) throws {
        try transaction.execute(
            """
            UPDATE agenda_entry SET revision = \(version), starts = \(span?.starts),
                ends = \(span?.ends), sealed = \(sealed)
            WHERE person = \(person) AND number = \(number)
            """
        )
    }
}

extension ICalendar {
    /// The same with all components within calendars, as files have them.
    fileprivate var inCalendars: ICalendar {
        if components.allSatisfy({ $0.name == "VCALENDAR" }) { return self }
        return .entry(entryComponents.map(\.withLineEnds))
    }
}

extension ICalendarComponent {
    /// The component with first and last lines that are written again: the end of a file may lack a
    /// line end, after which nothing can follow.
    var withLineEnds: ICalendarComponent {
        var copy = ICalendarComponent(name)
        copy.entries = entries
        return copy
    }
}

extension ServerSecret.Domain {
    /// The identifier of an entry in its owner's calendar.
    static let entry = Self(rawValue: "agenda entry")
}
