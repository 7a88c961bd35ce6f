/// The functions that send messages, one per channel; nil for a channel that is not configured.
package struct Channels: Sendable {
    /// Submits a mail to the relay.
    package let mail: (@Sendable (MailMessage) async -> Outcome)?
    /// Sends a text message to a telephone.
    package let sms: (@Sendable (PhoneNumber, String) async -> Outcome)?
    /// Sends a push notification to a browser.
    package let push: (@Sendable (PushNotice, PushSubscription) async -> Outcome)?

    /// Creates channels from functions, which tests replace.
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
