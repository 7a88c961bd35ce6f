import Encoding
import HTTPTypes
import Identity
import Markup
import OpenData
import TaxiPages
import WebCore

/// What devices without a browser ask (RFC 8628).
extension GrantPages {
    /// The kind of request for tokens with which a device asks whether its person has decided.
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    /// The routes of devices and of their people.
    var deviceRoutes: [Route] { [deviceAuthorizationRoute] + devicePageRoutes }

    private var deviceAuthorizationRoute: Route {
        .post(
            "/oauth/device_authorization",
            as: "oauth.device",
            for: .client,
            beginDevice
        )
        .taking(Self.clientFields)
        .taking([.typed("scope", .text(1_000), "The permissions, separated by blanks.")])
        .answering(.json)
        .repeated(because: "an answer contains a code, which no record may contain")
    }

    private func beginDevice(_ context: RequestContext) async throws -> Response {
        let client = try await client(context)
        try checkProof(client)
        do {
            let request = try await accounts.beginDevice(
                of: client.application,
                try scopes(context) ?? [],
                from: ClientAddress(context.address),
                at: context.now
            )
            let code = request.user.text
            let complete = full(Address("/device", query: ["code": code]), context)
            return Self.json([
                "device_code": .text(request.device.text), "user_code": .text(code),
                "verification_uri": .text(full("/device", context)),
                "verification_uri_complete": .text(complete),
                "expires_in": .integer(Accounts.deviceSeconds),
                "interval": .integer(Accounts.devicePause),
            ])
        } catch let refusal as DeviceRefusal {
            throw Self.refusal(refusal)
        } catch is GrantRefusal {
            let names = Scope.text(of: client.application.askable)
            throw ClientRefusal("invalid_scope", "scope must name some of these: \(names).")
        }
    }

    /// The tokens of a device whose person has decided.
    func redeemedDevice(_ context: RequestContext, _ client: Client) async throws -> IssuedTokens {
        try checkProof(client)
        guard let text = context.form["device_code"] else {
            throw ClientRefusal.invalidRequest("The field device_code is missing.")
        }
        guard let code = GrantSecret(text) else { throw GrantRefusal.invalidGrant }
        do {
            return try await accounts.redeemDevice(code, for: client.application, at: context.now)
        } catch let refusal as DeviceRefusal {
            throw Self.refusal(refusal)
        }
    }

    private static func refusal(_ refusal: DeviceRefusal) -> ClientRefusal {
        switch refusal {
        case .pending:
            ClientRefusal("authorization_pending", "The person has not decided yet. Ask again.")
        case .tooFast:
            ClientRefusal("slow_down", "Wait five seconds longer between two requests.")
        case .denied: ClientRefusal("access_denied", "The person did not allow it.")
        case .expired: ClientRefusal("expired_token", "Nobody decided in time. Begin again.")
        case .notAllowed:
            ClientRefusal(
                "unauthorized_client",
                "The city has not allowed this application to connect devices by a code."
            )
        case .tooMany:
            ClientRefusal(
                "temporarily_unavailable",
                "Too many devices wait at this network address. Try again in some minutes.",
                .tooManyRequests
            )
        }
    }
}
