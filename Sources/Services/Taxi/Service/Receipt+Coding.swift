import Dispatching

extension DispatchService.Receipt {
    /// The receipt as bytes, to be given again for the same key.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        sequence.write(to: &writer)
        UInt64(events.count).write(to: &writer)
        for event in events { event.write(to: &writer) }
        return writer.bytes
    }

    /// The receipt that bytes hold.
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
    /// The command as bytes.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }
}
