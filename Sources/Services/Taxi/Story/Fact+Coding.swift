import Chronology
import Dispatching

/// Encodes facts for the table of stories; the numbers of the kinds never change.
extension Fact {
    /// The encoded fact.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Decodes a fact of any kind.
    ///
    /// - Throws: `CodingFailure` if the bytes are invalid.
    init(bytes: [UInt8]) throws(CodingFailure) {
        var reader = ByteReader(bytes)
        let kind = try UInt8(from: &reader)
        if let fact = try Fact(search: kind, &reader) {
            self = fact
        } else if let fact = try Fact(drive: kind, &reader) {
            self = fact
        } else {
            throw .unknown(tag: UInt64(kind), at: 0)
        }
        try reader.end()
    }

    private func write(to writer: inout ByteWriter) {
        func put(_ kind: UInt8, _ parts: any ByteCoded...) {
            kind.write(to: &writer)
            for part in parts { part.write(to: &writer) }
        }
        switch self {
        case .asked(let zone, let needs, let isShared): put(1, zone, needs, isShared)
        case .booked(let zone, let needs, let due, let first): put(2, zone, needs, due, first)
        case .joined(let owner): put(3, owner.rawValue)
        case .gainedJoiner(let joiner): put(4, joiner.rawValue)
        case .tried(let count): put(5, Int64(count))
        case .postponed(let cause, let next): put(6, cause.rawValue, next)
        case .offered(let taxi, let rule, let place, let deadline, let passed):
            put(7, taxi, rule.rawValue, Int64(place), deadline, Int64(passed.count))
            for one in passed {
                one.taxi.write(to: &writer)
                one.reason.write(to: &writer)
            }
        case .shown(let taxi): put(8, taxi)
        case .renewed(let taxi, let deadline): put(9, taxi, deadline)
        case .declined(let taxi, let outcome): put(10, taxi, outcome.rawValue)
        case .accepted(let taxi): put(11, taxi)
        case .held(let next): put(12, next)
        case .heldTried(let count): put(13, Int64(count))
        case .assigned(let taxi, let reason): put(14, taxi, reason)
        case .parked(let reason): put(15, reason)
        case .unparked: put(16)
        case .reached(let taxi): put(17, taxi)
        case .wrongCode(let taxi): put(18, taxi)
        case .boarded(let taxi, let count): put(19, taxi, Int64(count))
        case .arrived(let taxi): put(20, taxi)
        case .changedOwner(let old, let new): put(21, old.rawValue, new.rawValue)
        case .stated(let taxi): put(23, taxi)
        case .givenBack(let taxi, let cause, let reason): put(24, taxi, cause.rawValue, reason)
        case .ended(let outcome, let reason): put(22, outcome.rawValue, reason)
        }
    }

    /// Decodes facts about the search for a taxi; nil for another kind.
    private init?(search kind: UInt8, _ reader: inout ByteReader) throws(CodingFailure) {
        switch kind {
        case 1:
            self = .asked(
                zone: try String(from: &reader),
                try Capacity(from: &reader),
                isShared: try Bool(from: &reader)
            )
        case 2:
            self = .booked(
                zone: try String(from: &reader),
                try Capacity(from: &reader),
                due: try Moment(from: &reader),
                firstTry: try Moment(from: &reader)
            )
        case 3: self = .joined(RequestNumber(rawValue: try UInt64(from: &reader)))
        case 4: self = .gainedJoiner(RequestNumber(rawValue: try UInt64(from: &reader)))
        case 5: self = .tried(Int(try Int64(from: &reader)))
        case 6: self = .postponed(try reader.kind(), nextTry: try Moment(from: &reader))
        case 7: self = try Self.offered(&reader)
        case 12: self = .held(nextTry: try Moment(from: &reader))
        case 13: self = .heldTried(Int(try Int64(from: &reader)))
        case 14:
            let taxi = try String(from: &reader)
            self = .assigned(taxi: taxi, reason: try String(from: &reader))
        case 15: self = .parked(reason: try String(from: &reader))
        case 16: self = .unparked
        case 21:
            let old = RequestNumber(rawValue: try UInt64(from: &reader))
            let new = RequestNumber(rawValue: try UInt64(from: &reader))
            self = .changedOwner(from: old, to: new)
        case 22: self = .ended(try reader.kind(), reason: try String(from: &reader))
        default: return nil
        }
    }

    /// Decodes facts about an accepted taxi; nil for another kind.
    private init?(drive kind: UInt8, _ reader: inout ByteReader) throws(CodingFailure) {
        guard [8, 9, 10, 11, 17, 18, 19, 20, 23, 24].contains(kind) else { return nil }
        let taxi = try String(from: &reader)
        switch kind {
        case 8: self = .shown(taxi: taxi)
        case 9: self = .renewed(taxi: taxi, deadline: try Moment(from: &reader))
        case 10: self = .declined(taxi: taxi, try reader.kind())
        case 11: self = .accepted(taxi: taxi)
        case 17: self = .reached(taxi: taxi)
        case 18: self = .wrongCode(taxi: taxi)
        case 19: self = .boarded(taxi: taxi, Int(try Int64(from: &reader)))
        case 20: self = .arrived(taxi: taxi)
        case 24:
            let cause: GiveBackCause = try reader.kind()
            self = .givenBack(taxi: taxi, cause, reason: try String(from: &reader))
        default: self = .stated(taxi: taxi)
        }
    }

    private static func offered(_ reader: inout ByteReader) throws(CodingFailure) -> Fact {
        let taxi = try String(from: &reader)
        let rule: OfferRule = try reader.kind()
        let place = Int(try Int64(from: &reader))
        let deadline = try Moment(from: &reader)
        let count = try Int64(from: &reader)
        // Each element takes at least two bytes.
        guard count >= 0, count <= reader.left else { throw .invalid(at: reader.position) }
        var passed: [Passed] = []
        for _ in 0..<count {
            let taxi = try String(from: &reader)
            passed.append(Passed(taxi: taxi, reason: try Reason(from: &reader)))
        }
        return .offered(taxi: taxi, rule, place: place, deadline: deadline, passed: passed)
    }
}

extension Fact.Reason {
    fileprivate func write(to writer: inout ByteWriter) {
        func put(_ kind: UInt8, _ parts: any ByteCoded...) {
            kind.write(to: &writer)
            for part in parts { part.write(to: &writer) }
        }
        switch self {
        case .tooSmall: put(1)
        case .askedBefore: put(2)
        case .cameLater: put(3)
        case .assigned: put(4)
        case .furtherBack(let ahead): put(5, Int64(ahead))
        case .elsewhere(let zone): put(6, zone)
        case .status(let status): put(7, status.rawValue)
        case .chosen: put(8)
        case .nearer(let zone): put(9, zone)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        let kind = try UInt8(from: &reader)
        switch kind {
        case 1: self = .tooSmall
        case 2: self = .askedBefore
        case 3: self = .cameLater
        case 4: self = .assigned
        case 5: self = .furtherBack(ahead: Int(try Int64(from: &reader)))
        case 6: self = .elsewhere(zone: try String(from: &reader))
        case 7: self = .status(try reader.kind())
        case 8: self = .chosen
        case 9: self = .nearer(zone: try String(from: &reader))
        default: throw .unknown(tag: UInt64(kind), at: start)
        }
    }
}

extension ByteReader {
    /// Writes an enum case by its number.
    fileprivate mutating func kind<Value: RawRepresentable<UInt8>>(
        _ type: Value.Type = Value.self
    ) throws(CodingFailure) -> Value {
        let start = position
        let raw = try UInt8(from: &self)
        guard let value = Value(rawValue: raw) else { throw .unknown(tag: UInt64(raw), at: start) }
        return value
    }
}
