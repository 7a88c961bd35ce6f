import Identity
import OpenData
import TaxiPages
import WebCore

/// What programs can read about this server before they ask anything (RFC 8414).
extension GrantPages {
    var metadataRoute: Route {
        .get(
            "/.well-known/oauth-authorization-server",
            as: "oauth.metadata",
            for: .anonymous
        ) { context in
            Response(type: "application/json", bytes: Array(metadata(context).json.utf8))
        }
        .answering(.json)
    }

    private func metadata(_ context: RequestContext) -> JSONValue {
        let methods: JSONValue = ["client_secret_basic", "client_secret_post"]
        let withNone: JSONValue = ["client_secret_basic", "client_secret_post", "none"]
        return [
            "issuer": .text(issuer(context)),
            "authorization_endpoint": .text(full("/oauth/authorize", context)),
            "token_endpoint": .text(full("/oauth/token", context)),
            "device_authorization_endpoint": .text(full("/oauth/device_authorization", context)),
            "revocation_endpoint": .text(full("/oauth/revoke", context)),
            "introspection_endpoint": .text(full("/oauth/introspect", context)),
            "service_documentation": .text(full("/developers", context)),
            "scopes_supported": .list(Scope.allCases.map { .text($0.rawValue) }),
            "response_types_supported": ["code"], "response_modes_supported": ["query"],
            "grant_types_supported": [
                "authorization_code", "refresh_token", "client_credentials",
                .text(Self.deviceGrant),
            ],
            "token_endpoint_auth_methods_supported": withNone,
            "revocation_endpoint_auth_methods_supported": withNone,
            "introspection_endpoint_auth_methods_supported": methods,
            "code_challenge_methods_supported": ["S256"], "ui_locales_supported": ["en", "it"],
            "authorization_response_iss_parameter_supported": true,
        ]
    }
}
