/// A message as text in one language, independent of the channel.
package struct Letter: Sendable, Equatable {
    /// The message in one line.
    package let subject: String
    /// The details, one element per paragraph.
    package let paragraphs: [String]
    /// The one action that the message suggests.
    package let action: Action?
    /// The whole message in one line for a telephone screen, without the link.
    package let short: String

    /// A suggested action, shown as a button.
    package struct Action: Sendable, Equatable {
        /// The text on the button.
        package let label: String
        /// The page that the button opens.
        package let link: Link
    }

    init(_ subject: String, short: String? = nil, _ label: String, _ link: Link, _ text: String...)
    {
        self.subject = subject
        self.short = short ?? subject
        action = Action(label: label, link: link)
        paragraphs = text
    }

    init(_ subject: String, short: String? = nil, _ text: String...) {
        self.subject = subject
        self.short = short ?? subject
        action = nil
        paragraphs = text
    }
}
