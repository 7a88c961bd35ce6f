import Chronology

/// Renders letters in the format of each channel.
extension DeliveryWorker {
    func mail(
        _ letter: Letter,
        to recipient: Recipient,
        _ claim: NotificationQueue.Claim,
        at now: Moment
    ) async -> Outcome? {
        guard let send = channels.mail, let address = recipient.mail else { return nil }
        return await send(
            MailMessage(
                id: claim.posting,
                sender: letterhead.sender,
                senderName: letterhead.name,
                recipient: address,
                recipientName: recipient.name,
                language: recipient.language,
                letter: letter,
                // Mandatory mail has no unsubscribe link.
                settings: claim.kind.rules.isChosen ? letterhead.settings : nil,
                date: now
            )
        )
    }

    func sms(_ letter: Letter, to recipient: Recipient) async -> Outcome? {
        guard let send = channels.sms, let phone = recipient.phone else { return nil }
        let text = "\(letterhead.name): \(letter.short)"
        let whole = letter.action.map { "\(text) \($0.link.text)" } ?? text
        // A truncated link would be useless.
        return await send(phone, whole.count <= SMSGateway.lengthLimit ? whole : text)
    }

    func push(
        _ letter: Letter,
        to recipient: Recipient,
        _ claim: NotificationQueue.Claim,
        at now: Moment
    ) async throws -> Outcome? {
        guard let send = channels.push,
            let browser = try await browsers.subscription(claim.target),
            browser.person == claim.person
        else { return nil }
        return await send(
            PushNotice(
                kind: claim.kind,
                language: recipient.language,
                title: letterhead.name,
                text: letter.short,
                link: letter.action?.link,
                now: now,
                usefulUntil: claim.useful
            ),
            browser
        )
    }
}

/// Removes personal data from the responses of other servers.
struct Discretion {
    private let secrets: [String]
    /// The longest response that is kept, in characters.
    private static let lengthLimit = 300

    static func of(_ recipient: Recipient) -> Discretion {
        let mail = recipient.mail
        return Discretion(
            secrets: [
                mail?.text, mail.map { String($0.localPart) }, recipient.phone?.text,
                recipient.phone.map { String($0.text.dropFirst()) }, recipient.name,
            ].compactMap(\.self)
                // Replacing one or two letters would protect nothing and make every
                // response unreadable.
                .filter { $0.count > 2 }
                // Longest first, so that no part of a full name remains.
                .sorted { $0.count > $1.count }
        )
    }

    /// Returns a response in one line without the recipient's address, number and name.
    func cleaned(_ words: String) -> String {
        var text = String(
            String.UnicodeScalarView(
                words.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
            )
        )
        for secret in secrets { text = Self.replacing(secret, in: text) }
        return String(text.prefix(Self.lengthLimit))
    }

    /// Replaces a text, ignoring case.
    private static func replacing(_ secret: String, in text: String) -> String {
        let wanted = Array(secret.lowercased())
        let letters = Array(text)
        var kept = ""
        var place = 0
        while place < letters.count {
            let end = place + wanted.count
            if end <= letters.count,
                zip(letters[place..<end], wanted).allSatisfy({ $0.lowercased() == String($1) })
            {
                kept += "[recipient]"
                place = end
            } else {
                kept.append(letters[place])
                place += 1
            }
        }
        return kept
    }
}
