import Chronology
import OpenData

extension InputField {
    /// Why a value is not one of those declared.
    package enum Problem: Hashable, Sendable {
        case missing
        case tooLong
        case malformed
        case outOfRange
        case notOffered
    }

    /// The values that a field may have.
    package indirect enum Kind: Hashable, Sendable {
        /// Text of at most this many characters.
        case text(Int)
        /// A whole number in decimal digits.
        case number(ClosedRange<Int64>)
        /// A decimal number.
        case decimal(ClosedRange<Double>)
        /// One of the listed values.
        case choice([String])
        /// Present with this value, or absent.
        case flag(String)
        /// A date such as 2026-05-31.
        case date
        /// A time of day such as 17:05.
        case time
        /// Data of at most this many bytes that the site itself wrote, such as a sealed order.
        case opaque(Int)
        /// A proof of at most this many bytes, such as a password or the token of a link, which no
        /// log may contain.
        case secret(Int)
        /// A file of at most this many bytes; nil for the site's limit of request bodies.
        case file(Int?)
        /// At most this many values of a kind.
        case several(Kind, Int)
        /// A JSON object whose members are these fields; what is wrong in it, the handler explains.
        case record([InputField])
    }
}

extension InputField.Kind {
    /// A number that identifies something.
    package static let identifier = InputField.Kind.number(0...Int64.max)
    /// A number that the site itself wrote, such as a revision.
    package static let anyNumber = InputField.Kind.number(Int64.min...Int64.max)
    /// A latitude in degrees.
    package static let latitude = InputField.Kind.decimal(-90...90)
    /// A longitude in degrees.
    package static let longitude = InputField.Kind.decimal(-180...180)

    /// A whole number in a range of small ones.
    package static func number(in range: ClosedRange<Int>) -> InputField.Kind {
        .number(Int64(range.lowerBound)...Int64(range.upperBound))
    }

    /// The raw values of an enumeration as a choice.
    package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        of type: Choice.Type
    ) -> InputField.Kind {
        .choice(type.allCases.map(\.rawValue))
    }

    /// Whether the value proves something and must be kept from logs and addresses.
    package var isSecret: Bool {
        switch self {
        case .secret: true
        case .several(let kind, _): kind.isSecret
        default: false
        }
    }

    /// Whether the field is a file.
    package var isFile: Bool {
        if case .file = self { true } else { false }
    }

    /// The number of values that one request may contain.
    package var mostValues: Int {
        if case .several(_, let most) = self { most } else { 1 }
    }

    /// The length in bytes of the longest value.
    var longestBytes: Int {
        switch self {
        case .text(let limit): 4 * limit
        case .number, .decimal, .date, .time: 32
        case .choice(let values): values.map(\.utf8.count).max() ?? 0
        case .flag(let value): value.utf8.count
        case .opaque(let limit), .secret(let limit): limit
        case .file: 0
        case .several(let kind, _): kind.longestBytes
        case .record: Self.longestRecord
        }
    }

    /// What is wrong with a value; nil if the kind includes it.
    func problem(in value: String) -> InputField.Problem? {
        if value.isEmpty, !includesEmpty { return .missing }
        switch self {
        case .text(let limit): return value.count > limit ? .tooLong : nil
        case .number(let range):
            guard let number = Int64(value), "\(number)" == value else { return .malformed }
            return range.contains(number) ? nil : .outOfRange
        case .decimal(let range):
            guard let number = Double(value), number.isFinite else { return .malformed }
            return range.contains(number) ? nil : .outOfRange
        case .choice(let values): return values.contains(value) ? nil : .notOffered
        case .flag(let only): return value == only ? nil : .notOffered
        case .date: return CivilDate(iso8601: value) == nil ? .malformed : nil
        case .time: return Self.isTime(value) ? nil : .malformed
        case .opaque(let limit), .secret(let limit):
            return value.utf8.count > limit ? .tooLong : nil
        case .file: return .malformed
        case .several(let kind, _): return kind.problem(in: value)
        case .record:
            guard value.utf8.count <= Self.longestRecord else { return .tooLong }
            let json = try? JSONValue(parsing: Array(value.utf8))
            return json.flatMap { Form(membersOf: $0) } == nil ? .malformed : nil
        }
    }

    /// The length in bytes of the longest record: more than all fields of a journey take.
    private static let longestRecord = 8_192

    private var includesEmpty: Bool {
        if case .choice(let values) = self { values.contains("") } else { false }
    }

    private static func isTime(_ text: String) -> Bool {
        // By hand, since every form is checked, and a regular expression is compiled at each use.
        let digits = text.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
        guard digits.count == 5, text.utf8.dropFirst(2).first == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) })
        else { return false }
        return digits[0] * 10 + digits[1] < 24 && digits[3] * 10 + digits[4] < 60
    }
}
