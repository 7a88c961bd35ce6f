import Chronology
import Encoding

/// An error in a feed without its file; the path is put together on the way out.
struct FeedTrouble: Error {
    private(set) var path: String
    let problem: FeedFailure.Problem

    init(_ path: String, _ problem: FeedFailure.Problem) {
        self.path = path
        self.problem = problem
    }

    /// The same error, with the enclosing member added to its path.
    func within(_ member: String) -> FeedTrouble {
        var outer = self
        outer.path = member + (path.isEmpty || path.hasPrefix("[") ? "" : ".") + path
        return outer
    }

    func failure(in file: String) -> FeedFailure {
        FeedFailure(file: file, field: path, problem: problem)
    }
}

/// The members of a JSON object of a feed, read by name and type.
struct FeedFields {
    let object: JSONObject

    /// How many entries a list may have: more than the largest system of the world has vehicles.
    static let listLimit = 200_000
    /// The size in bytes above which a file is refused.
    static let sizeLimit = 32 << 20

    init(_ object: JSONObject) {
        self.object = object
    }

    init(_ value: JSONValue) throws(FeedTrouble) {
        guard let object = value.object else { throw FeedTrouble("", .expected("an object")) }
        self.object = object
    }

    /// The document of a file.
    init(parsing bytes: [UInt8]) throws(FeedTrouble) {
        guard bytes.count <= Self.sizeLimit else {
            throw FeedTrouble("", .tooLarge(limit: Self.sizeLimit))
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw FeedTrouble("", .notJSON(error))
        }
        try self.init(value)
    }

    /// The value of a member; nil if it is absent or null.
    subscript(_ name: String) -> JSONValue? {
        let value = object[name]
        return value == .null ? nil : value
    }

    func required<Value>(_ name: String, _ value: Value?) throws(FeedTrouble) -> Value {
        guard let value else { throw FeedTrouble(name, .missing) }
        return value
    }

    func text(_ name: String) throws(FeedTrouble) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.text else { throw FeedTrouble(name, .expected("a text")) }
        return text
    }

    /// An identifier, which may not be empty.
    func id(_ name: String) throws(FeedTrouble) -> String {
        let text = try required(name, try text(name))
        guard !text.isEmpty else { throw FeedTrouble(name, .badValue("")) }
        return text
    }

    func texts(_ name: String) throws(FeedTrouble) -> [String] {
        guard let value = self[name] else { return [] }
        var texts: [String] = []
        for (index, entry) in try list(value, name).enumerated() {
            guard let text = entry.text else {
                throw FeedTrouble("\(name)[\(index)]", .expected("a text"))
            }
            texts.append(text)
        }
        return texts
    }

    func number(_ name: String) throws(FeedTrouble) -> Double? {
        guard let value = self[name] else { return nil }
        guard let number = value.double else { throw FeedTrouble(name, .expected("a number")) }
        return number
    }

    /// A number that is not negative.
    func amount(_ name: String) throws(FeedTrouble) -> Double? {
        guard let number = try number(name) else { return nil }
        guard number >= 0 else { throw FeedTrouble(name, .badValue("\(number)")) }
        return number
    }

    /// A whole number from 0 to a million.
    func count(_ name: String) throws(FeedTrouble) -> Int? {
        guard let number = try number(name) else { return nil }
        guard (0...1_000_000).contains(number), number == number.rounded() else {
            throw FeedTrouble(name, .badValue("\(number)"))
        }
        return Int(number)
    }

    /// A truth value; 0 and 1 count as well, since some systems still write them as version 1 did.
    func flag(_ name: String) throws(FeedTrouble) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let value): return value
        case .integer(0): return false
        case .integer(1): return true
        default: throw FeedTrouble(name, .expected("true or false"))
        }
    }

    /// A moment as seconds since 1970 or as RFC 3339 writes it.
    func instant(_ name: String) throws(FeedTrouble) -> Instant? {
        switch self[name] {
        case nil: return nil
        case .integer(let seconds):
            guard FeedTime.range.contains(seconds) else {
                throw FeedTrouble(name, .badValue("\(seconds)"))
            }
            return Instant(seconds: seconds)
        case .text(let text):
            guard let instant = FeedTime.rfc3339(text) else {
                throw FeedTrouble(name, .badValue(text))
            }
            return instant
        default: throw FeedTrouble(name, .expected("a time"))
        }
    }

    func fields(_ name: String) throws(FeedTrouble) -> FeedFields? {
        guard let value = self[name] else { return nil }
        guard let object = value.object else { throw FeedTrouble(name, .expected("an object")) }
        return FeedFields(object)
    }

    private func list(_ value: JSONValue, _ name: String) throws(FeedTrouble) -> [JSONValue] {
        guard let list = value.list else { throw FeedTrouble(name, .expected("a list")) }
        guard list.count <= Self.listLimit else {
            throw FeedTrouble(name, .tooMany(limit: Self.listLimit))
        }
        return list
    }

    func list(_ name: String) throws(FeedTrouble) -> [JSONValue]? {
        guard let value = self[name] else { return nil }
        return try list(value, name)
    }

    /// Every object of a list; an error in one of them is an error of the whole.
    func each<Entry>(
        _ name: String,
        _ read: (FeedFields) throws(FeedTrouble) -> Entry
    ) throws(FeedTrouble) -> [Entry] {
        var entries: [Entry] = []
        for (index, value) in (try list(name) ?? []).enumerated() {
            do {
                entries.append(try read(FeedFields(value)))
            } catch {
                throw error.within("\(name)[\(index)]")
            }
        }
        return entries
    }

    /// The usable objects of a list that must be there; those with an error are left out.
    func usable<Entry: Sendable>(
        _ name: String,
        in file: String,
        under path: String,
        _ read: (FeedFields) throws(FeedTrouble) -> Entry
    ) throws(FeedTrouble) -> FeedEntries<Entry> {
        var found = FeedEntries<Entry>()
        for (index, value) in (try required(name, try list(name))).enumerated() {
            do {
                found.entries.append(try read(FeedFields(value)))
            } catch {
                let outer = error.within("\(name)[\(index)]")
                found.reject((path.isEmpty ? outer : outer.within(path)).failure(in: file))
            }
        }
        return found
    }
}

/// Times as feeds write them.
enum FeedTime {
    /// The seconds since 1970 that are taken for a time: from 2000 to 2199.
    ///
    /// Milliseconds, which
    /// some systems write, lie beyond.
    static let range: ClosedRange<Int64> = 946_684_800...7_258_118_399

    /// Reads a time such as `2024-03-21T09:25:53.343Z` or `2025-11-05T12:00:00+01:00`.
    ///
    /// An offset without a colon or minutes and a time without seconds count as well.
    static func rfc3339(_ text: String) -> Instant? {
        let bytes = Array(text.utf8)
        guard (17...40).contains(bytes.count), bytes[10] == 0x54 || bytes[10] == 0x20 else {
            return nil
        }
        var clock = Array(bytes[..<16])
        clock[10] = 0x54
        var rest = bytes[16...]
        if rest.first == UInt8(ascii: ":") {
            clock += rest.prefix(3)
            rest = rest.dropFirst(3)
        }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst().drop { (0x30...0x39).contains($0) }
        }
        guard let offset = offsetSeconds(rest),
            let local = LocalTime(iso8601: String(decoding: clock, as: UTF8.self))
        else { return nil }
        let seconds = local.wallSeconds - offset
        return range.contains(seconds) ? Instant(seconds: seconds) : nil
    }

    /// The seconds that `Z`, `+01:00`, `+0100` or `+01` lies before UTC.
    static func offsetSeconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
        if bytes.elementsEqual([UInt8(ascii: "Z")]) { return 0 }
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        else { return nil }
        let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 2 || digits.count == 4,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let numbers = digits.map { Int64($0 - 0x30) }
        let hours = numbers[0] * 10 + numbers[1]
        let minutes = digits.count == 4 ? numbers[2] * 10 + numbers[3] : 0
        guard hours < 24, minutes < 60 else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
