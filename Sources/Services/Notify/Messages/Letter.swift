package import Localization

/// A message as text in one language, independent of the channel.
package struct Letter: Sendable, Equatable {
    /// The message in one line.
    package let subject: String
    /// The details, one element per paragraph.
    package let paragraphs: [String]
    /// Values with their names, such as the parts of a fare; the last one is the most important.
    package private(set) var facts: [Fact] = []
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

    /// A value with its name.
    package struct Fact: Sendable, Equatable {
        /// What the value is.
        package let label: String
        /// The value as text.
        package let value: String

        package init(label: String, value: String) {
            self.label = label
            self.value = value
        }
    }

    /// The letter with values below its paragraphs.
    package func stating(_ facts: [Fact]) -> Letter {
        var letter = self
        letter.facts = facts
        return letter
    }

    /// A message with an action.
    package init(
        _ language: Language,
        _ subject: Text,
        short: Text? = nil,
        _ label: Text,
        _ link: Link,
        _ paragraphs: Text...
    ) {
        self.subject = subject.in(language)
        self.short = (short ?? subject).in(language)
        action = Action(label: label.in(language), link: link)
        self.paragraphs = paragraphs.map { $0.in(language) }
    }

    /// A message after which there is nothing to do.
    package init(
        _ language: Language,
        _ subject: Text,
        short: Text? = nil,
        _ paragraphs: Text...
    ) {
        self.subject = subject.in(language)
        self.short = (short ?? subject).in(language)
        action = nil
        self.paragraphs = paragraphs.map { $0.in(language) }
    }
}
