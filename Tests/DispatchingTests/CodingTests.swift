import Testing

@testable import Dispatching

@Suite("The bytes of commands and events")
struct CodingTests {
    @Test("every command is written as ever, and read back (issue 29, types)")
    func commands() throws {
        for (command, bytes) in EveryCase.commands {
            #expect(Self.bytes(of: command) == bytes, "\(command)")
            #expect(try Self.read(Command.self, bytes) == command)
        }
    }

    @Test("every event is written as ever, and read back (issue 29, types)")
    func events() throws {
        for (event, bytes) in EveryCase.events {
            #expect(Self.bytes(of: event) == bytes, "\(event)")
            #expect(try Self.read(Event.self, bytes) == event)
        }
    }

    @Test("every number of a case is used once, and others are refused")
    func numbers() {
        #expect(Set(EveryCase.commands.map { $0.bytes.prefix(2) }).count == 37)
        #expect(Set(EveryCase.events.map { $0.bytes.prefix(2) }).count == 42)
        for unknown in ["00", "2b", "7f"] {
            #expect(throws: CodingFailure.unknown(tag: UInt64(unknown, radix: 16) ?? 0, at: 0)) {
                try Self.read(Event.self, unknown)
            }
        }
        for unknown in ["00", "26", "7f"] {
            #expect(throws: CodingFailure.unknown(tag: UInt64(unknown, radix: 16) ?? 0, at: 0)) {
                try Self.read(Command.self, unknown)
            }
        }
    }

    @Test("a cause that does not exist is refused with its number and place")
    func unknownCause() {
        // The last byte of `giveBack`, the third of `wentOffDuty`.
        #expect(throws: CodingFailure.unknown(tag: 0x63, at: 3)) {
            try Self.read(Command.self, "24ac0263")
        }
        #expect(throws: CodingFailure.unknown(tag: 0x63, at: 3)) {
            try Self.read(Event.self, "0bac026300")
        }
    }

    private static func bytes(of value: some ByteCoded) -> String {
        var writer = ByteWriter()
        writer.put(value)
        return writer.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func read<Value: ByteCoded>(
        _ type: Value.Type,
        _ bytes: String
    ) throws -> Value {
        let digits = Array(bytes)
        var reader = ByteReader(
            stride(from: 0, to: digits.count, by: 2).map { place in
                UInt8(String(digits[place...place + 1]), radix: 16) ?? 0
            }
        )
        let value: Value = try reader.get()
        try reader.end()
        return value
    }
}
