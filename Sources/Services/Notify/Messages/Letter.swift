/// A message in the words of one language, not yet in the form of a channel.
package struct Letter: Sendable, Equatable {
    /// The answer in one line.
    package let subject: String
    /// What there is to know, a paragraph each.
    package let paragraphs: [String]
    /// The one thing that can be done about it.
    package let action: Action?
    /// The whole message in a line, for a telephone's screen; without the link.
    package let short: String

    /// A thing to do: a button.
    package struct Action: Sendable, Equatable {
        /// What the button says.
        package let label: String
        /// Where it leads.
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
