import Foundation
import WebApp

/// A form parsed from the markup of a page.
package struct FoundForm: Hashable {
    /// The page it stands on.
    package let page: String
    /// The address to which it is sent.
    package let action: String
    /// The names of its fields with what stands in them.
    package let fields: [String: String]

    /// All forms on a page that submit something.
    package static func all(in text: String, on page: String) -> [FoundForm] {
        text.matches(of: /(?s)<form([^>]*)>(.*?)<\/form>/).compactMap { match in
            let head = String(match.1)
            guard head.contains("method=\"post\"") else { return nil }
            let action = attribute("action", of: head) ?? page
            return FoundForm(page: page, action: action, fields: fields(in: String(match.2)))
        }
    }

    fileprivate static func fields(in markup: String) -> [String: String] {
        var fields: [String: String] = [:]
        for match in markup.matches(of: /<(input|select|textarea|button)([^>]*)>/) {
            let tag = String(match.2)
            // The button for another language carries nothing out (`LanguageChoice`).
            guard let name = attribute("name", of: tag), name != "show-in" else { continue }
            if fields[name] == nil { fields[name] = attribute("value", of: tag) ?? "" }
        }
        return fields
    }

    fileprivate static func attribute(_ name: String, of tag: String) -> String? {
        guard let start = tag.range(of: " \(name)=\"")?.upperBound else { return nil }
        return String(tag[start...].prefix { $0 != "\"" })
            .replacing("&amp;", with: "&").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">")
    }
}

/// An address with a query, from a link or a search form.
package struct FoundQuery {
    /// Where it leads, without the query.
    package let path: String
    /// The names of the query with their values.
    package let fields: [String: String]

    /// All addresses with a query on a page that point to our own pages.
    package static func all(in text: String) -> [FoundQuery] {
        let links = text.matches(of: /href="(\/[^"?]*)\?([^"#]*)/).map { match in
            let pairs = String(match.2).replacing("&amp;", with: "&").split(separator: "&")
            let fields = pairs.map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                return (parts.first ?? "", parts.dropFirst().first?.removingPercentEncoding ?? "")
            }
            return FoundQuery(
                path: String(match.1),
                fields: Dictionary(fields) { first, _ in first }
            )
        }
        let forms = text.matches(of: /(?s)<form([^>]*)>(.*?)<\/form>/).compactMap { match in
            let head = String(match.1)
            return head.contains("method=\"get\"")
                ? FoundForm.attribute("action", of: head).map {
                    FoundQuery(path: $0, fields: FoundForm.fields(in: String(match.2)))
                } : nil
        }
        return links + forms
    }

    /// The address with another value for one parameter.
    package func address(replacing name: String, by value: String) -> String {
        let pairs = fields.merging([name: value]) { $1 }.sorted { $0.key < $1.key }
        return path + "?"
            + pairs.map { field in
                let value = field.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                return "\(field.key)=\(value ?? "")"
            }.joined(separator: "&")
    }
}
