import Encoding

/// A string encoded as JSON, including its quotes.
package struct JSONText: CustomStringConvertible {
    package let description: String

    package init(_ text: String) {
        description = JSONString.quoted(text)
    }
}
