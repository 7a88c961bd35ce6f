/// The `d` of an SVG path, in as few characters as whole numbers allow.
struct PathText {
    /// The text written so far, in ASCII.
    private(set) var bytes: [UInt8] = []
    /// How many lines and borders it has.
    private(set) var count = 0
    private var command: UInt8 = 0
    private var pen = MapPoint(x: 0, y: 0)

    /// Appends a line to the path.
    ///
    /// - Parameters:
    ///   - points: its points; nothing happens where there are fewer than two.
    ///   - isClosed: whether the last is connected with the first.
    mutating func add(_ points: [MapPoint], isClosed: Bool) {
        guard let first = points.first, points.count > 1 else { return }
        count += 1
        write(UInt8(ascii: "M"), first.x)
        write(0, first.y)
        pen = first
        for point in points.dropFirst() { draw(to: point) }
        if isClosed {
            bytes.append(UInt8(ascii: "z"))
            command = UInt8(ascii: "z")
        }
    }

    private mutating func draw(to point: MapPoint) {
        let across = point.x - pen.x
        let down = point.y - pen.y
        pen = point
        if down == 0 {
            if across != 0 { write(UInt8(ascii: "h"), across) }
        } else if across == 0 {
            write(UInt8(ascii: "v"), down)
        } else {
            write(UInt8(ascii: "l"), across)
            write(0, down)
        }
    }

    /// Writes a number, after its command where that is another than before; 0 is no command.
    private mutating func write(_ command: UInt8, _ number: Int) {
        let isNew = command != 0 && (command != self.command || command == UInt8(ascii: "M"))
        if isNew {
            bytes.append(command)
            self.command = command
        } else if number >= 0 {
            bytes.append(UInt8(ascii: " "))
        }
        bytes.append(decimal: number)
    }
}

extension [UInt8] {
    /// Appends a whole number as text.
    mutating func append(decimal number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let start = count
        var rest = number.magnitude
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// Appends text, escaped for an XML element; characters that XML does not allow are left out.
    mutating func append(escaped text: String) {
        for character in text.unicodeScalars {
            switch character {
            case "&": self += "&amp;".utf8
            case "<": self += "&lt;".utf8
            case ">": self += "&gt;".utf8
            case "\"": self += "&quot;".utf8
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": break
            default: self += UTF8.encode(character).map { Array<UInt8>($0) } ?? []
            }
        }
    }
}
