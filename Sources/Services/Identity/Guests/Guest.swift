/// The channel by which a passenger without an account proves a contact (G9).
package enum GuestProof: String, CaseIterable, Hashable, Sendable {
    /// A code sent to the telephone.
    case phone
    /// A code sent by e-mail.
    case email
}

/// A passenger without an account, identified by the secret of a browser (R40, G9).
package struct Guest: Hashable, Sendable {
    /// The pseudonym, which is the same for the same contact while it is stored.
    package let number: PersonNumber
    /// The channel that was proved; nil if only the browser identifies the guest.
    package let proof: GuestProof?
}

/// The contact of a guest.
package struct GuestContact: Hashable, Sendable {
    /// The channel that was proved.
    package let proof: GuestProof
    /// The telephone number in the international form, or the e-mail address.
    package let text: String
    /// The ISO 639-1 code: `en` or `it`.
    package let language: String
}
