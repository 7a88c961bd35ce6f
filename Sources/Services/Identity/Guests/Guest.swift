/// How a passenger without an account shows that a contact is his own (G9).
package enum GuestProof: String, CaseIterable, Hashable, Sendable {
    /// By a code that was sent to his telephone.
    case phone
    /// By a code that was mailed to him.
    case email
}

/// A passenger without an account, as the secret of a browser leads to him (R40, G9).
package struct Guest: Hashable, Sendable {
    /// The pseudonym: the same for the same contact, as long as it is kept.
    package let number: PersonNumber
    /// What was proved; nil where the browser alone says who it is.
    package let proof: GuestProof?
}

/// How a guest is reached.
package struct GuestContact: Hashable, Sendable {
    /// What was proved.
    package let proof: GuestProof
    /// The telephone number in the international form, or the e-mail address.
    package let text: String
    /// `en` or `it`.
    package let language: String
}
