import Encoding
import HTTPClient

/// An HTTP gateway that sends SMS: `POST` of a JSON object with a bearer token.
package struct SMSGateway: Sendable {
    /// The connection settings and the field names of the gateway.
    package struct Settings: Sendable {
        /// The URL that requests are sent to.
        package let url: Link
        /// The bearer token that authenticates requests.
        package let token: String
        /// The name of the field with the telephone number.
        package let numberField: String
        /// The name of the field with the text.
        package let textField: String
        /// Constant fields, such as the sender's name.
        package let fixedFields: [String: String]
        /// A file of trusted certificates, replacing those of the system.
        package let authorities: String?
        /// The time limit for one SMS.
        package let limit: Duration

        /// Validates the settings.
        ///
        /// - Throws: `NotifyFailure.badSetting` if the token cannot be part of a header.
        package init(
            url: Link,
            token: String,
            numberField: String = "to",
            textField: String = "text",
            fixedFields: [String: String] = [:],
            authorities: String? = nil,
            limit: Duration = .seconds(20)
        ) throws(NotifyFailure) {
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .badSetting("the token of the SMS gateway holds what no header may hold")
            }
            self.url = url
            self.token = token
            self.numberField = numberField
            self.textField = textField
            self.fixedFields = fixedFields
            self.authorities = authorities
            self.limit = limit
        }
    }

    private let settings: Settings
    private let client: HTTPClient

    /// The longest text: three SMS of 7-bit characters.
    static let lengthLimit = 459

    /// Creates a client with at most `threadLimit` simultaneous requests.
    package init(_ settings: Settings, threadLimit: Int = 4) {
        self.settings = settings
        client = HTTPClient(
            "viavai.sms",
            scope: .anywhere,
            authorities: settings.authorities,
            threadLimit: threadLimit
        )
    }

    /// Submits an SMS to the gateway.
    ///
    /// - Returns: `refused` only if the gateway refuses this number or text; problems with its
    ///   token or address count as temporary.
    package func send(_ phone: PhoneNumber, _ text: String) async -> Outcome {
        var fields = settings.fixedFields
        fields[settings.numberField] = phone.text
        fields[settings.textField] = String(text.prefix(Self.lengthLimit))
        let request = HTTPClient.Request.post(
            settings.url.text,
            headers: [
                ("Authorization", "Bearer \(settings.token)"),
                ("Content-Type", "application/json"), ("Accept", "application/json"),
            ],
            body: Array(JSONString.object(fields).utf8),
            limit: settings.limit
        )
        do {
            return Self.outcome(try await client.send(request))
        } catch {
            return .deferred(error.text, pause: nil)
        }
    }

    private static func outcome(_ response: HTTPClient.Response) -> Outcome {
        let words = "HTTP \(response.status) \(response.excerpt)"
        return switch response.status {
        case 200..<300: .accepted
        case 400, 402, 406, 413, 422: .refused(words)
        default: .deferred(words, pause: response.pause)
        }
    }
}
