import Foundation
package import Localization

/// All notifications that the service sends to people who are not looking at a page.
///
/// Each message is a case with its parameters, so that a missing one does not compile. Its texts
/// are in the catalogue (`Texts/Files/Notify`).
package enum Message: Sendable, Equatable, Codable {
    case registration(RegistrationMessage)
    case account(AccountMessage)
    case profile(ProfileMessage)
    case driver(DriverMessage)
    case duty(DutyMessage)
    case reservation(ReservationMessage)
    case ride(RideMessage)
    case calendar(CalendarMessage)
    case service(ServiceMessage)

    /// The kind of the message, without its parameters.
    package var kind: Kind {
        switch self {
        case .registration(let message): message.kind
        case .account(let message): message.kind
        case .profile(let message): message.kind
        case .driver(let message): message.kind
        case .duty(let message): message.kind
        case .reservation(let message): message.kind
        case .ride(let message): message.kind
        case .calendar(let message): message.kind
        case .service(let message): message.kind
        }
    }

    /// Renders the message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .registration(let message): message.letter(in: language, from: city)
        case .account(let message): message.letter(in: language, from: city)
        case .profile(let message): message.letter(in: language, from: city)
        case .driver(let message): message.letter(in: language, from: city)
        case .duty(let message): message.letter(in: language, from: city)
        case .reservation(let message): message.letter(in: language, from: city)
        case .ride(let message): message.letter(in: language, from: city)
        case .calendar(let message): message.letter(in: language, from: city)
        case .service(let message): message.letter(in: language, from: city)
        }
    }

    /// Encodes the message for the caller to seal; equal messages give equal bytes.
    ///
    /// - Throws: `EncodingError`, which these messages do not cause.
    package func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try Array(encoder.encode(self))
    }

    /// Decodes the output of `encoded`.
    ///
    /// - Throws: `DecodingError`.
    package init(encoded bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(Message.self, from: Data(bytes))
    }
}
