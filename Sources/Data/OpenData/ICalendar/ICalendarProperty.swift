/// A parameter of a property, such as `TZID=Europe/Rome`.
package struct ICalendarParameter: Hashable, Sendable {
    /// Its name in capital letters.
    package var name: String
    /// Its values, decoded (RFC 6868); nearly always one.
    package var values: [String]

    /// Creates a parameter from its values.
    package init(_ name: String, _ values: String...) {
        self.name = name.uppercased()
        self.values = values
    }

    init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }
}

/// One content line: a name, parameters and a value (RFC 5545, 3.1).
///
/// A property that was read keeps its bytes and folds, and is written as it was read. To change a
/// property, replace it.
package struct ICalendarProperty: Hashable, Sendable {
    /// Its name in capital letters.
    package let name: String
    /// Its parameters, in order.
    package let parameters: [ICalendarParameter]
    /// Its value as written, without folds.
    package let value: ArraySlice<UInt8>
    /// The number of its line, from 1; 0 if it was not read from a file.
    package let line: Int
    /// Its bytes in the file, with line ends and the blank lines before it; empty if it was not
    /// read from a file.
    let raw: ArraySlice<UInt8>

    /// Creates a property whose value is written literally; line ends and other control characters
    /// in it are left out.
    package init(_ name: String, _ parameters: [ICalendarParameter] = [], value: String) {
        self.name = name.uppercased()
        self.parameters = parameters
        self.value = value.utf8.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }[...]
        line = 0
        raw = []
    }

    /// Creates a property whose value is a text; its special characters are escaped (RFC 5545,
    /// 3.3.11).
    package init(_ name: String, _ parameters: [ICalendarParameter] = [], text: String) {
        self.init(name, parameters, value: ICalendarText.escaped(text))
    }

    /// The first value of a parameter; nil if the parameter is absent.
    package func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.values.first
    }

    /// Reads a content line without its folds and line end.
    ///
    /// - Throws: what is wrong with the line.
    init(
        content: ArraySlice<UInt8>,
        raw: ArraySlice<UInt8>,
        line: Int
    ) throws(ICalendarFailure) {
        var rest = content
        let name = Self.takeName(&rest)
        guard !name.isEmpty else { throw ICalendarFailure(line: line, problem: .notProperty) }
        self.name = name
        var parameters: [ICalendarParameter] = []
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst()
            guard let parameter = Self.takeParameter(&rest) else {
                throw ICalendarFailure(line: line, problem: .badParameter)
            }
            parameters.append(parameter)
        }
        guard rest.first == UInt8(ascii: ":") else {
            throw ICalendarFailure(line: line, problem: .notProperty)
        }
        self.parameters = parameters
        value = rest.dropFirst()
        self.raw = raw
        self.line = line
    }

    private static func takeName(_ rest: inout ArraySlice<UInt8>) -> String {
        let name = rest.prefix { byte in
            (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        rest = rest.dropFirst(name.count)
        return String(decoding: name, as: UTF8.self).uppercased()
    }

    private static func takeParameter(_ rest: inout ArraySlice<UInt8>) -> ICalendarParameter? {
        let name = takeName(&rest)
        guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
        var values: [String] = []
        repeat {
            rest = rest.dropFirst()
            let value: ArraySlice<UInt8>
            if rest.first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
                value = rest[..<end]
                rest = rest[(end + 1)...]
            } else {
                value = rest.prefix { !",;:\"".utf8.contains($0) }
                rest = rest.dropFirst(value.count)
            }
            values.append(ICalendarText.decoded(parameter: value))
        } while rest.first == UInt8(ascii: ",")
        guard rest.first == UInt8(ascii: ";") || rest.first == UInt8(ascii: ":") else { return nil }
        return ICalendarParameter(name: name, values: values)
    }
}

/// Converts texts from and to the forms in which values and parameters contain them.
package enum ICalendarText {
    /// Escapes the special characters of a text and leaves out other control characters (RFC 5545,
    /// 3.3.11).
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The comma-separated texts of a value; nil if it is not UTF-8.
    ///
    /// A backslash before a character that needs no escape stands for itself.
    package static func texts(_ value: ArraySlice<UInt8>, isList: Bool) -> [String]? {
        var texts: [String] = []
        var current: [UInt8] = []
        var index = value.startIndex
        while index < value.endIndex {
            let byte = value[index]
            index += 1
            if byte == UInt8(ascii: "\\"), index < value.endIndex {
                let next = value[index]
                switch next {
                case UInt8(ascii: "n"), UInt8(ascii: "N"): current.append(0x0A)
                case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","): current.append(next)
                default: current += [byte, next]
                }
                index += 1
            } else if byte == UInt8(ascii: ","), isList {
                guard let text = String(validating: current, as: UTF8.self) else { return nil }
                texts.append(text)
                current = []
            } else {
                current.append(byte)
            }
        }
        guard let text = String(validating: current, as: UTF8.self) else { return nil }
        return texts + [text]
    }

    /// Decodes a parameter's value, in which `^n`, `^^` and `^'` stand for a line end, a circumflex
    /// and a quotation mark (RFC 6868).
    static func decoded(parameter value: ArraySlice<UInt8>) -> String {
        guard value.contains(UInt8(ascii: "^")) else {
            return String(decoding: value, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "^") else {
                bytes.append(byte)
                continue
            }
            switch rest.first {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "^"): bytes.append(byte)
            case UInt8(ascii: "'"): bytes.append(UInt8(ascii: "\""))
            default:
                bytes.append(byte)
                continue
            }
            rest = rest.dropFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes a parameter's value, with quotation marks if it needs them.
    static func encoded(parameter value: String) -> String {
        var encoded = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\n": encoded += "^n"
            case "^": encoded += "^^"
            case "\"": encoded += "^'"
            case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F: break
            default: encoded.unicodeScalars.append(scalar)
            }
        }
        let isSpecial = encoded.utf8.contains { ",;:".utf8.contains($0) }
        return isSpecial ? "\"\(encoded)\"" : encoded
    }
}
