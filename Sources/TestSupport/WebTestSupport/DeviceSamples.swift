import Identity
package import Notify
import TaxiPages
import WebApp

/// Subscriptions of browsers.
package enum DeviceSamples {
    /// Of RFC 8291, appendix A.
    package static let keys = [
        "p256dh":
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNt"
            + "oIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    ]
}

extension ServedSite {
    /// The browsers that are subscribed.
    package var browsers: PushSubscriptions {
        installation.accounts.browsers(in: installation.database)
    }
}
