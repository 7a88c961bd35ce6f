import Foundation
package import Localization

/// All that the service ever says to somebody who is not looking at a page.
///
/// Each message is a case with what it needs to know, so one with a missing parameter does not
/// compile. Each exists in every ``Language``, beside the case's group.
package enum Message: Sendable, Equatable, Codable {
    case registration(RegistrationMessage)
    case account(AccountMessage)
    case profile(ProfileMessage)
    case driver(DriverMessage)
    case duty(DutyMessage)
    case reservation(ReservationMessage)
    case ride(RideMessage)
    case service(ServiceMessage)

    /// Which message it is, without what it knows.
    package var kind: Kind {
        switch self {
        case .registration(let message): message.kind
        case .account(let message): message.kind
        case .profile(let message): message.kind
        case .driver(let message): message.kind
        case .duty(let message): message.kind
        case .reservation(let message): message.kind
        case .ride(let message): message.kind
        case .service(let message): message.kind
        }
    }

    /// The message in words.
    package func letter(in language: Language, from city: City) -> Letter {
        let time = WrittenTime(language, in: city)
        return switch self {
        case .registration(let message): message.letter(time)
        case .account(let message): message.letter(time)
        case .profile(let message): message.letter(time)
        case .driver(let message): message.letter(time)
        case .duty(let message): message.letter(time)
        case .reservation(let message): message.letter(time)
        case .ride(let message): message.letter(time)
        case .service(let message): message.letter(time)
        }
    }

    /// The message as bytes, for its caller to seal; equal messages give equal bytes.
    ///
    /// - Throws: `EncodingError`, which no message here causes.
    package func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try Array(encoder.encode(self))
    }

    /// Reads what `encoded` gave.
    ///
    /// - Throws: `DecodingError`.
    package init(encoded bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(Message.self, from: Data(bytes))
    }
}
