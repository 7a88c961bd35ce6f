/// What carries messages out of the house; nil for a channel that is not set up.
package struct Carriers: Sendable {
    /// Sends a mail.
    package let mail: (@Sendable (MailMessage) async -> Outcome)?
    /// Sends a short text to a telephone.
    package let sms: (@Sendable (PhoneNumber, String) async -> Outcome)?
    /// Sends a notice to a browser.
    package let push: (@Sendable (PushNotice, PushSubscription) async -> Outcome)?

    /// Carriers made of functions; tests bring their own.
    package init(
        mail: (@Sendable (MailMessage) async -> Outcome)? = nil,
        sms: (@Sendable (PhoneNumber, String) async -> Outcome)? = nil,
        push: (@Sendable (PushNotice, PushSubscription) async -> Outcome)? = nil
    ) {
        self.mail = mail
        self.sms = sms
        self.push = push
    }
}
