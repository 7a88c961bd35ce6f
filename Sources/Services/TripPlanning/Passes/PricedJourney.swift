package import Chronology
import Foundation

/// All that is kept of a journey to tell whether a pass would have paid: when it began, and what
/// its tickets cost under which passes.
///
/// It says neither from where nor to where it led.
package struct PricedJourney: Sendable, Hashable, Codable {
    /// When it began, in seconds since 1970.
    package var departure: Int64
    /// The identifiers of the passes that its traveller owned.
    package var owned: [String]
    /// What its tickets cost.
    package var fares: PassFares

    /// Creates a journey; `owned` are the passes with which its price was computed.
    package init(departure: Instant, owned: [String], fares: PassFares) {
        self.departure = departure.seconds
        self.owned = owned
        self.fares = fares
    }
}

extension [PricedJourney] {
    /// Reads what ``text`` wrote; nothing of what another version of the program wrote.
    package init(text: String) {
        self = (try? JSONDecoder().decode(Self.self, from: Data(text.utf8))) ?? []
    }

    /// The journeys as text, for storing and for an export.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            preconditionFailure("journeys of numbers and texts cannot be encoded: \(error)")
        }
    }
}
