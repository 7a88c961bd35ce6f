import Encoding

/// A text as JSON writes it, with its quotes.
package struct JSONText: CustomStringConvertible {
    package let description: String

    package init(_ text: String) {
        description = JSONString.quoted(text)
    }
}
