/// A file of a GTFS feed while it is written: rows of fields, ended by line feeds.
struct FeedTable: Sendable {
    /// The file's bytes so far.
    private(set) var bytes: [UInt8]
    private var isRowStart = true

    /// Creates a file with a header line.
    init(_ header: String) {
        bytes = Array(header.utf8)
        bytes.append(10)
    }

    /// Adds a text, in quotes where it needs them.
    mutating func add(_ text: String) {
        separate()
        if text.utf8.contains(where: { $0 == 44 || $0 == 34 || $0 == 10 || $0 == 13 }) {
            bytes.append(34)
            for byte in text.utf8 {
                if byte == 34 { bytes.append(34) }
                bytes.append(byte)
            }
            bytes.append(34)
        } else {
            bytes += text.utf8
        }
    }

    /// Adds a whole number, with a letter before it where it is an id.
    mutating func add(_ number: Int, prefix: UInt8? = nil) {
        separate()
        if let prefix { bytes.append(prefix) }
        append(number)
    }

    /// Adds a time of the service day, in seconds, as `HH:MM:SS`.
    mutating func add(time seconds: Int) {
        separate()
        for (rank, part) in [seconds / 3_600, seconds / 60 % 60, seconds % 60].enumerated() {
            if rank > 0 { bytes.append(58) }
            bytes.append(48 + UInt8(part / 10 % 10))
            bytes.append(48 + UInt8(part % 10))
        }
    }

    /// Adds degrees from units of 1e-7, with six decimals.
    mutating func add(degrees: Int32) {
        separate()
        let value = Int(degrees) / 10
        if value < 0 { bytes.append(45) }
        append(abs(value) / 1_000_000)
        bytes.append(46)
        var divisor = 100_000
        while divisor > 0 {
            bytes.append(48 + UInt8(abs(value) / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends an empty field.
    mutating func addNothing() {
        separate()
    }

    /// Ends the current row.
    mutating func endRow() {
        bytes.append(10)
        isRowStart = true
    }

    /// Appends a row of texts.
    mutating func add(row fields: [String]) {
        for field in fields { add(field) }
        endRow()
    }

    private mutating func separate() {
        if !isRowStart { bytes.append(44) }
        isRowStart = false
    }

    private mutating func append(_ number: Int) {
        if number < 0 { bytes.append(45) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(48 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
