import HTTPClient
import OpenIDConnect

extension Installation {
    /// The providers of the settings, which share a few threads; the operator chose them, so they
    /// may be in a private network.
    static func providers(_ settings: Settings) -> [IdentityProvider] {
        guard !settings.signIn.isEmpty else { return [] }
        let client = HTTPClient("viavai.sign-in", scope: .anywhere, threadLimit: 4)
        return settings.signIn.map { IdentityProvider($0, over: client) }
    }
}
