import Encoding

/// The fields of a form as they were sent, or of a query.
package struct Form: Sendable {
    /// A file that was sent.
    package struct File: Sendable {
        /// The field.
        package var field: String
        /// Its name on the sender's machine; never a path here.
        package var name: String
        /// What is in it.
        package var bytes: [UInt8]
    }

    /// Names and values in the order in which they were sent.
    package private(set) var fields: [(name: String, value: String)] = []
    /// Files in the order in which they were sent.
    package private(set) var files: [File] = []

    /// The body, where it was JSON instead of a form.
    package private(set) var json: [UInt8]?

    /// A form with nothing in it.
    package init() {}

    /// What a program sent in place of a form.
    package init(json: [UInt8]) {
        self.json = json
    }

    /// The first value of a field; nil where it was not sent.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// All values of a field.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// The first file of a field.
    package func file(_ name: String) -> File? {
        files.first { $0.field == name }
    }

    /// At most so many fields are read; no page of ours has as many.
    package static let fieldLimit = 5_000

    /// Reads `application/x-www-form-urlencoded`, as the WHATWG URL standard does.
    ///
    /// - Returns: nil where it is not UTF-8, holds a zero character or too many fields.
    package init?(urlEncoded bytes: some Sequence<UInt8>) {
        for pair in Array(bytes).split(separator: UInt8(ascii: "&")) {
            guard fields.count < Self.fieldLimit else { return nil }
            let parts = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = Self.decoded(parts[0]),
                let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
            else { return nil }
            fields.append((name, value))
        }
    }

    /// A part of a path without its percent signs; nil where it is not UTF-8.
    package static func decoded(_ part: Substring) -> String? {
        decoded(ArraySlice(part.utf8), plusIsSpace: false)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = true) -> String? {
        text(PercentEncoding.decoded(bytes, plusIsSpace: plusIsSpace))
    }

    /// Text, with the line ends of a text area made one character.
    private static func text(_ bytes: some Collection<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
            return nil
        }
        return text.contains("\r\n")
            ? text.split(separator: "\r\n", omittingEmptySubsequences: false)
                .joined(separator: "\n") : text
    }
}

extension Form {
    /// Reads `multipart/form-data` (RFC 7578); nil where it is broken.
    ///
    /// - Parameters:
    ///   - bytes: the body.
    ///   - boundary: what stands between its parts.
    package init?(multipart bytes: [UInt8], boundary: String) {
        let line = Array("\r\n".utf8)
        let mark = Array("--\(boundary)".utf8)
        guard !boundary.isEmpty, boundary.utf8.count <= 70, bytes.starts(with: mark) else {
            return nil
        }
        var position = mark.count
        let divider = line + mark
        while true {
            let rest = bytes[position...]
            if rest.starts(with: Array("--".utf8)) { return }
            guard rest.starts(with: line), fields.count + files.count < Self.fieldLimit,
                let end = bytes.range(of: divider, from: position)
            else { return nil }
            guard take(part: bytes[(position + line.count)..<end]) else { return nil }
            position = end + divider.count
        }
    }

    private mutating func take(part: ArraySlice<UInt8>) -> Bool {
        let blank = Array("\r\n\r\n".utf8)
        guard let end = Array(part).range(of: blank, from: 0) else { return false }
        let head = part.prefix(end)
        let body = part.dropFirst(end + blank.count)
        guard let headers = String(validating: head, as: UTF8.self) else { return false }
        for header in headers.split(separator: "\r\n") {
            let parts = header.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { continue }
            guard let name = Self.parameter("name", of: parts[1]) else { return false }
            if let file = Self.parameter("filename", of: parts[1]) {
                files.append(File(field: name, name: Self.lastPart(of: file), bytes: Array(body)))
                return true
            }
            guard let value = Self.text(body) else { return false }
            fields.append((name, value))
            return true
        }
        return false
    }

    private static func parameter(_ name: String, of header: Substring) -> String? {
        for part in header.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmed.lowercased() == name else { continue }
            return pair[1].trimmed.filter { $0 != "\"" }
        }
        return nil
    }

    private static func lastPart(of path: String) -> String {
        path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    }
}

extension [UInt8] {
    /// Where a pattern begins, at or after a position.
    ///
    /// - Complexity: what `memmem` takes on common input: linear where the first byte is rare.
    package func range(of pattern: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, count - start >= pattern.count else { return nil }
        var position = start
        while let found = self[position...(count - pattern.count)].firstIndex(of: first) {
            if self[found...].starts(with: pattern) { return found }
            position = found + 1
            if position > count - pattern.count { return nil }
        }
        return nil
    }
}
