import Dispatching

extension DispatchService.Receipt {
    /// The encoded receipt, which a repeated command with the same key gets again.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        sequence.write(to: &writer)
        UInt64(events.count).write(to: &writer)
        for event in events { event.write(to: &writer) }
        return writer.bytes
    }

    /// Decodes a receipt.
    init(bytes: [UInt8]) throws(CodingFailure) {
        var reader = ByteReader(bytes)
        sequence = try Int64(from: &reader)
        let count = try UInt64(from: &reader)
        events = []
        for _ in 0..<count { events.append(try Event(from: &reader)) }
        try reader.end()
    }
}

extension Command {
    /// The encoded command.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }
}
