import OpenIDConnect
import Testing

@testable import WebApp

/// travlendar.md V7: any OpenID Connect provider that the city configures.
@Suite("Settings of providers")
struct ProviderSettingsTests {
    private static let good = """
        sign_in:
          google:
            issuer: https://accounts.google.com
            client_id: 1234
            label: Google
        """

    private func settings(
        _ text: String,
        environment: [String: String] = [:]
    ) throws(SettingsFaults) -> Settings {
        try Settings(file: ("viavai.yaml", text), environment: environment, options: [:])
    }

    @Test("a provider is four lines, its secret may come from the environment, and is never shown")
    func secret() throws {
        let secret = ["VIAVAI_SIGN_IN_GOOGLE_SECRET": "t0psecret"]
        let settings = try settings(Self.good, environment: secret)
        #expect(settings.signIn.map(\.name) == ["google"])
        #expect(settings.signIn.first?.secret == "t0psecret")
        #expect(settings.signIn.first?.issuer == "https://accounts.google.com")
        let lines = settings.explained.filter { $0.name.hasPrefix("sign_in.") }
        #expect(lines.count == 4)
        #expect(lines.first { $0.name.hasSuffix("secret") }?.value == "(secret)")
        #expect(!settings.description.contains("t0psecret"))
        #expect(try self.settings("city:\n  name: A\n").signIn.isEmpty)
    }

    @Test(
        "a fault names the line and what to write",
        arguments: [
            ("", "sign_in.google needs sign_in.google.secret too"),
            ("    secret: x\n    secrets: y", "line 7: sign_in.google.secrets is not a setting"),
            (
                "    secret: x\n  b:\n    issuer: http://b.example\n    client_id: a\n"
                    + "    secret: b\n    label: B",
                "line 8: sign_in.b.issuer: write the provider's address for itself"
            ),
            (
                "    secret: x\n  b:\n    issuer: https://accounts.google.com\n    client_id: a\n"
                    + "    secret: b\n    label: B",
                "line 8: sign_in.b.issuer: write an issuer that no other provider has"
            ),
            (
                "    secret: x\n  Big:\n    issuer: https://b.example",
                "sign_in.Big: write a name of at most 30 small letters, digits and hyphens"
            ),
        ]
    )
    func faults(more: String, message: String) {
        let faults = #expect(throws: SettingsFaults.self) {
            try self.settings(Self.good + "\n" + more)
        }
        #expect(faults?.description.contains(message) == true, "\(faults?.description ?? "")")
    }
}
