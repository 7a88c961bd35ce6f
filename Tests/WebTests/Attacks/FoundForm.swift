import Foundation

@testable import Web

/// A form as a page shows it, read from its markup.
struct FoundForm: Hashable {
    /// The page it stands on.
    let page: String
    /// Where it goes.
    let action: String
    /// The names of its fields with what stands in them.
    let fields: [String: String]

    /// All forms that send something, on a page.
    static func all(in text: String, on page: String) -> [FoundForm] {
        text.matches(of: /(?s)<form([^>]*)>(.*?)<\/form>/).compactMap { match in
            let head = String(match.1)
            guard head.contains("method=\"post\"") else { return nil }
            let action = attribute("action", of: head) ?? page
            return FoundForm(page: page, action: action, fields: fields(in: String(match.2)))
        }
    }

    private static func fields(in markup: String) -> [String: String] {
        var fields: [String: String] = [:]
        for match in markup.matches(of: /<(input|select|textarea|button)([^>]*)>/) {
            let tag = String(match.2)
            guard let name = attribute("name", of: tag) else { continue }
            if fields[name] == nil { fields[name] = attribute("value", of: tag) ?? "" }
        }
        return fields
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        guard let start = tag.range(of: " \(name)=\"")?.upperBound else { return nil }
        return String(tag[start...].prefix { $0 != "\"" })
            .replacing("&amp;", with: "&").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">")
    }
}
