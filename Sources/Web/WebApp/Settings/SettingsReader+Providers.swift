import OpenIDConnect

/// The parts of a provider in the settings.
enum ProviderPart: String, CaseIterable, Sendable {
    case issuer
    case client = "client_id"
    case secret
    case label

    /// What it means, for the server's administrator.
    var meaning: String {
        switch self {
        case .issuer: "A provider with which people may sign in: its name for itself."
        case .client: "The name of this server at that provider."
        case .secret: "The secret of this server at that provider."
        case .label: "What the button for that provider says, such as Google."
        }
    }
}

/// Reads the providers with which people may sign in: `sign_in.NAME.issuer` and so on.
extension SettingsReader {
    private static let providerPrefix = "sign_in."
    /// The most providers: more buttons are no choice.
    private static let providerLimit = 8

    /// The provider and its part that a setting is about; nil if it is about none.
    static func providerPart(_ setting: String) -> String? {
        guard setting.hasPrefix(providerPrefix) else { return nil }
        let parts = setting.dropFirst(providerPrefix.count).split(separator: ".")
        guard parts.count == 2, ProviderPart(rawValue: String(parts[1])) != nil else { return nil }
        return parts.joined(separator: ".")
    }

    /// The name of the setting for a part of a provider.
    static func providerSetting(_ name: String, _ part: ProviderPart) -> String {
        "\(providerPrefix)\(name).\(part.rawValue)"
    }

    /// The names of the providers, in the order of the sources.
    var providerNames: [String] {
        var names: [String] = []
        for (part, _) in givenProviders {
            let name = String(part.prefix { $0 != "." })
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private func given(_ name: String, _ part: ProviderPart) -> Given? {
        givenProviders.first { $0.name == "\(name).\(part.rawValue)" }?.given
    }

    mutating func providers() -> [ProviderRegistration] {
        var found: [ProviderRegistration] = []
        for name in providerNames {
            if let provider = provider(name) { found.append(provider) }
        }
        if providerNames.count > Self.providerLimit, let last = providerNames.last {
            noteProvider(last, nil, .badValue(expected: "at most \(Self.providerLimit) providers"))
        }
        for (index, provider) in found.enumerated()
        where found[..<index].contains(where: { $0.issuer == provider.issuer }) {
            let expected = "an issuer that no other provider has"
            noteProvider(provider.name, .issuer, .badValue(expected: expected))
        }
        return found
    }

    private mutating func provider(_ name: String) -> ProviderRegistration? {
        guard ProviderRegistration.isName(name) else {
            let expected = "a name of at most 30 small letters, digits and hyphens"
            noteProvider(name, nil, .badValue(expected: expected))
            return nil
        }
        var values: [ProviderPart: String] = [:]
        for part in ProviderPart.allCases {
            guard let value = given(name, part)?.value, !value.isEmpty else {
                noteProvider(name, nil, .needs(Self.providerSetting(name, part)))
                continue
            }
            values[part] = value
        }
        guard let issuer = values[.issuer], let client = values[.client],
            let secret = values[.secret], let label = values[.label]
        else { return nil }
        guard ProviderRegistration.isIssuer(issuer) else {
            let expected =
                "the provider's address for itself, such as https://accounts.google.com; http "
                + "leads to this machine alone"
            noteProvider(name, .issuer, .badValue(expected: expected))
            return nil
        }
        guard label.count <= 40 else {
            noteProvider(name, .label, .badValue(expected: "at most 40 characters"))
            return nil
        }
        return ProviderRegistration(
            name: name,
            issuer: issuer,
            client: client,
            secret: secret,
            label: label
        )
    }

    private mutating func noteProvider(
        _ name: String,
        _ part: ProviderPart?,
        _ problem: SettingsFault.Problem
    ) {
        let source =
            part.flatMap { given(name, $0) }
            ?? ProviderPart.allCases.compactMap { given(name, $0) }.first
        note(
            SettingsFault(
                file: source?.source ?? "standard",
                line: source?.line,
                name: part.map { Self.providerSetting(name, $0) } ?? Self.providerPrefix + name,
                problem: problem
            )
        )
    }

    /// The providers as they are configured, without their secrets.
    func explainedProviders() -> [Settings.Explained] {
        givenProviders.compactMap { name, given in
            let last = name.split(separator: ".").last.map(String.init) ?? ""
            guard let part = ProviderPart(rawValue: last) else { return nil }
            return Settings.Explained(
                name: Self.providerPrefix + name,
                value: part == .secret ? "(secret)" : given.value,
                source: given.line.map { "\(given.source), line \($0)" } ?? given.source,
                meaning: part.meaning
            )
        }
    }
}
