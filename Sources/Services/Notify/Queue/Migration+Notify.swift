package import Storage

extension Migration {
    /// The migrations of this module's tables; their numbers differ from those of other modules.
    package static let notify: [Migration] = [
        Migration("0010-create-notification", notificationTables),
        Migration("0011-create-subscription", subscriptionTables),
        Migration("0012-bind-subscription-to-session", subscriptionSession),
        Migration("0013-seal-subscriptions", sealedSubscriptions),
    ]

    // A message is first a row without a channel; routing creates a row for each channel and, for
    // push, each browser. Only waiting rows contain sealed data.
    private static let notificationTables: [SQL] = [
        """
        CREATE TABLE notification (
            posting \(.text) NOT NULL,
            channel \(.text) NOT NULL CHECK (channel IN ('', 'mail', 'sms', 'push')),
            target \(.text) NOT NULL,
            person \(.text) NOT NULL,
            kind \(.text) NOT NULL,
            state \(.text) NOT NULL CHECK (state IN
                ('queued', 'sending', 'routed', 'sent', 'bounced', 'given-up', 'dropped')),
            sealed \(.bytes),
            due \(.integer) NOT NULL,
            useful \(.integer) NOT NULL,
            attempts \(.integer) NOT NULL CHECK (attempts >= 0),
            posted \(.integer) NOT NULL,
            settled \(.integer),
            answer \(.text),
            PRIMARY KEY (posting, channel, target),
            CHECK ((state IN ('queued', 'sending')) = (sealed IS NOT NULL)),
            CHECK ((state IN ('queued', 'sending')) = (settled IS NULL))
        ) \(.strict)
        """,
        """
        CREATE INDEX notification_due ON notification (channel, due)
            WHERE state IN ('queued', 'sending')
        """,
        "CREATE INDEX notification_person ON notification (person)",
        "CREATE INDEX notification_settled ON notification (settled)",
    ]

    // Unencrypted subscriptions are deleted, because only their owner's key could have sealed them.
    private static let sealedSubscriptions: [SQL] = [
        "DROP TABLE push_subscription",
        """
        CREATE TABLE push_subscription (
            id \(.text) NOT NULL PRIMARY KEY,
            person \(.text) NOT NULL,
            sealed \(.bytes) NOT NULL,
            session \(.integer),
            subscribed \(.integer) NOT NULL
        ) \(.strict)
        """,
        "CREATE INDEX push_subscription_person ON push_subscription (person)",
        "CREATE INDEX push_subscription_session ON push_subscription (session)",
    ]

    private static let subscriptionSession: [SQL] = [
        "ALTER TABLE push_subscription ADD COLUMN session \(.integer)",
        "CREATE INDEX push_subscription_session ON push_subscription (session)",
    ]

    private static let subscriptionTables: [SQL] = [
        """
        CREATE TABLE push_subscription (
            id \(.text) NOT NULL PRIMARY KEY,
            person \(.text) NOT NULL,
            endpoint \(.text) NOT NULL,
            key \(.bytes) NOT NULL CHECK (length(key) = 65),
            secret \(.bytes) NOT NULL CHECK (length(secret) = 16),
            subscribed \(.integer) NOT NULL
        ) \(.strict)
        """,
        "CREATE INDEX push_subscription_person ON push_subscription (person)",
    ]
}
