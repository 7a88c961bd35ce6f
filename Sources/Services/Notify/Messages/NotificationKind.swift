/// The kinds of messages that a product sends, as an enum.
///
/// The raw value is the name under which the queue and people's preferences store a kind, so it
/// never changes. People choose channels for each kind except those that are always sent by mail
/// because the account or the law depends on them.
package protocol NotificationKind: CaseIterable, RawRepresentable<String>, Sendable {
    /// The rules that all messages of the kind share.
    var rules: DeliveryRules { get }
}

/// The rules that all messages of a kind share.
package struct DeliveryRules: Sendable, Equatable {
    /// The default channels; the first one that reaches the person is used.
    package let channels: [Channel]
    /// Whether people may choose other channels or none.
    package let isChosen: Bool
    /// Whether the message ignores quiet hours.
    package let isUrgent: Bool
    /// Whether the sender learns that no channel or browser has accepted the message.
    package let isReported: Bool
    /// The lifetime of a message in milliseconds, after which it is dropped.
    package let lifetime: Int64

    package init(
        _ channels: [Channel],
        isChosen: Bool = true,
        isUrgent: Bool = false,
        isReported: Bool = false,
        minutes: Int64
    ) {
        precondition(!channels.isEmpty, "Messages of a kind had no channel.")
        precondition(minutes > 0, "Messages of a kind would be too late at once.")
        self.channels = channels
        self.isChosen = isChosen
        self.isUrgent = isUrgent
        self.isReported = isReported
        lifetime = minutes * 60_000
    }
}

/// The kinds of messages of all products of a server, by their names.
package struct NotificationKinds: Sendable {
    /// All kinds, product by product, in the order of their declaration.
    package let all: [any NotificationKind]
    private let named: [String: any NotificationKind]

    /// Gathers the kinds of products, whose names must differ.
    package init(_ products: [any NotificationKind.Type]) {
        all = products.flatMap { Self.cases($0) }
        named = Dictionary(all.map { ($0.rawValue, $0) }) { first, _ in
            preconditionFailure("Two kinds of messages have the name \(first.rawValue).")
        }
    }

    /// The kind with a stored name; nil if no product of this server has it.
    package subscript(name: String) -> (any NotificationKind)? { named[name] }

    private static func cases<Kind: NotificationKind>(
        _ product: Kind.Type
    ) -> [any NotificationKind] {
        product.allCases.map { $0 }
    }
}
