import Encoding
package import OpenData

/// The submitted fields of a form or of a query string.
package struct Form: Sendable {
    /// A file that was uploaded with a form.
    package struct File: Sendable {
        /// The name of the form field.
        package var field: String
        /// The file name on the sender's machine; never used as a path here.
        package var name: String
        /// The content of the file.
        package var bytes: [UInt8]
    }

    /// The names and values in the order of submission.
    package private(set) var fields: [(name: String, value: String)] = []
    /// The files in the order of submission.
    package private(set) var files: [File] = []

    /// The request body, if it is JSON instead of a form.
    package private(set) var json: [UInt8]?

    /// The fields that the route declares; nil before the route is known, without any request, and
    /// for a form that is only shown again in another language.
    private var declared: [InputField]?

    /// Creates a form without fields.
    package init() {}

    /// Creates a form from a program's JSON body.
    package init(json: [UInt8]) {
        self.json = json
    }

    /// Creates a form from the members of a JSON object, in the order of their names.
    ///
    /// Texts, numbers, truth values and lists of them are fields; `null` is none, and an empty list
    /// is an empty field. Of anything else there is no form.
    ///
    /// - Parameters:
    ///   - json: the object.
    ///   - records: the names of the fields that are objects themselves; their values are JSON.
    package init?(membersOf json: JSONValue, records: Set<String> = []) {
        guard let members = json.object?.members else { return nil }
        for member in members.sorted(by: { $0.name < $1.name }) {
            let list = member.value.list ?? [member.value]
            for value in list.isEmpty ? [.text("")] : list {
                let text: String
                switch value {
                case .null: continue
                case .bool(let value): text = "\(value)"
                case .integer(let value): text = "\(value)"
                case .number(let value): text = "\(value)"
                case .text(let value): text = value
                case .object where records.contains(member.name): text = value.json
                case .list, .object: return nil
                }
                // As in a form, no text contains a null character.
                guard fields.count < Self.fieldLimit, !text.contains("\0") else { return nil }
                fields.append((member.name, text))
            }
        }
    }

    /// The first value of a field; nil if the field is missing.
    package subscript(_ name: String) -> String? {
        assertDeclared(name)
        return fields.first { $0.name == name }?.value
    }

    /// All values of a field, in order.
    package func all(_ name: String) -> [String] {
        assertDeclared(name)
        return fields.filter { $0.name == name }.map(\.value)
    }

    /// The first file of a field; nil if there is none.
    package func file(_ name: String) -> File? {
        assertDeclared(name)
        return files.first { $0.field == name }
    }

    /// Whether a field was submitted.
    func contains(_ field: InputField) -> Bool {
        fields.contains { field.covers($0.name) } || files.contains { field.covers($0.field) }
    }

    /// The fields that a route declares, and those that every form has.
    ///
    /// - Parameters:
    ///   - declared: the fields of the route.
    ///   - isKept: whether a value of a field is handed on.
    /// - Returns: the reduced form.
    func restricted(
        to declared: [InputField],
        _ isKept: (InputField, String) -> Bool
    ) -> Form {
        var form = self
        form.declared = declared
        form.fields = fields.filter { name, value in
            let field = declared.first { !$0.kind.isFile && $0.covers(name) }
            return field.map { isKept($0, value) } ?? Self.ofEveryForm.contains(name)
        }
        form.files = files.filter { file in
            declared.contains { $0.kind.isFile && $0.covers(file.field) }
        }
        return form
    }

    /// The form without these fields.
    func without(_ left: [InputField]) -> Form {
        var form = self
        form.fields = fields.filter { field in !left.contains { $0.covers(field.name) } }
        return form
    }

    /// The fields that `RequestContext.formToken` puts into every form.
    private static let ofEveryForm: Set = ["token", "key", "page"]

    /// Traps if a handler reads a field that its route does not declare: it would always be nil.
    private func assertDeclared(_ name: String) {
        assert(
            declared?.contains { $0.covers(name) } != false || Self.ofEveryForm.contains(name),
            "the field \(name) is not declared by the route"
        )
    }

    /// The maximum number of fields; no page of this site has as many.
    package static let fieldLimit = 5_000

    /// Parses `application/x-www-form-urlencoded` as specified by the WHATWG URL Standard.
    ///
    /// - Returns: nil if the data is not UTF-8, contains a null character or has too many fields.
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

    /// Decodes percent-encoding in a path segment; nil if the result is not UTF-8.
    package static func decoded(_ part: Substring) -> String? {
        decoded(ArraySlice(part.utf8), plusIsSpace: false)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = true) -> String? {
        text(PercentEncoding.decoded(bytes, plusIsSpace: plusIsSpace))
    }

    /// Decodes a text and normalizes its line breaks to a single character.
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
    /// Parses `multipart/form-data` (RFC 7578); nil if it is malformed.
    ///
    /// - Parameters:
    ///   - bytes: the request body.
    ///   - boundary: the delimiter between the parts.
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
            guard pair.count == 2, pair[0].trimmingBlanks().lowercased() == name else { continue }
            return pair[1].trimmingBlanks().filter { $0 != "\"" }
        }
        return nil
    }

    private static func lastPart(of path: String) -> String {
        path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    }
}

extension [UInt8] {
    /// The first range of a pattern at or after a position.
    ///
    /// - Complexity: that of `memmem` on typical input: linear if the first byte is rare.
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
