/// The shape of an answer, as JSON Schema can state it.
package indirect enum Schema: Hashable, Sendable {
    /// A string of any length.
    case text
    /// A number without decimals.
    case integer
    /// A number, with or without decimals.
    case number
    /// `true` or `false`, never null.
    case boolean
    /// A moment in UTC, such as `2026-05-31T15:05:00Z`.
    case moment
    /// A day, such as `2026-05-31`.
    case day
    /// One of the listed texts.
    case choice([String])
    /// A list of values of one shape.
    case list(Schema)
    /// An object with these members, which are always there unless they may lack.
    case object([Member])
    /// An object that several answers contain, by its name in the document.
    case named(String, [Member])
    /// Objects whose form another specification states, such as a geometry of GeoJSON.
    case anything(String)
    /// A value that may be unknown: then it is `null`.
    case optional(Schema)

    /// A member of an object.
    package struct Member: Hashable, Sendable {
        /// The name of the member.
        package let name: String
        /// The shape of its value.
        package let schema: Schema
        /// What it means, in one sentence.
        package let meaning: String

        /// Whether the member is left out where its value is unknown.
        package let mayLack: Bool

        /// Creates a member.
        package init(
            _ name: String,
            _ schema: Schema,
            _ meaning: String,
            mayLack: Bool = false
        ) {
            precondition(!meaning.isEmpty, "a member of an answer has a meaning")
            self.name = name
            self.schema = schema
            self.meaning = meaning
            self.mayLack = mayLack
        }
    }

    /// A page of a list: its items, and the cursor of the next page.
    package static func page(of item: Schema) -> Schema {
        .object([
            Member("items", .list(item), "The items of this page."),
            Member("next", .optional(.text), "The value of `after` for the next page."),
        ])
    }
}
