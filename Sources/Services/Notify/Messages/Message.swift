package import Localization

/// A message of a product to people who are not looking at a page.
///
/// A product has an enum of its messages, each with its parameters, so that a missing one does not
/// compile. The texts are in the catalogue.
package protocol Message: Sendable, Equatable {
    /// The kind of the message, without its parameters.
    var kind: any NotificationKind { get }

    /// Renders the message in a language.
    func letter(in language: Language, from city: City) -> Letter
}

extension Message {
    /// Whether another message is the same, with the same parameters.
    func isEqual(to other: any Message) -> Bool { other as? Self == self }
}
