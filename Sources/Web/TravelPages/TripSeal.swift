import Chronology
import CityData
import Crypto
import Encoding
import Foundation
import Geo
import Journeys
import TripPlanning

/// Seals questions into the addresses of their answers, which can be shared, printed and reloaded.
///
/// No address contains a readable place (R130): only this server can open what is sealed, as long
/// as it keeps its secret. The link does not expire, and it names nobody.
struct TripSeal: Sendable {
    /// The longest sealed question in bytes: two names of 120 characters of four bytes each, six
    /// passes of 64 bytes, and eight limits on means of 24 bytes.
    static let limit = 2_500
    /// The greatest number of characters of a sealed name.
    private static let nameLimit = 120
    /// The purpose of a sealed trip; the key never opens anything else as one.
    private static let purpose = Array("trip 1".utf8)
    /// The purpose of a sealed place.
    private static let placePurpose = Array("place 1".utf8)
    /// The purpose of a sealed question for a reachable area.
    private static let reachPurpose = Array("reach 1".utf8)

    private let key: SymmetricKey

    /// Creates a seal with a key of 32 bytes.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Seals a question as letters, digits, `-` and `_`.
    func seal(_ question: TripQuestion) -> String {
        seal(Self.text(question), Self.purpose)
    }

    /// Seals a place for use in an address.
    func seal(_ place: ResolvedPlace) -> String { seal(Self.text(place), Self.placePurpose) }

    /// Seals a question for a reachable area.
    func seal(_ question: ReachQuestion) -> String {
        seal(Self.text(question), Self.reachPurpose)
    }

    private func seal(_ text: String, _ purpose: [UInt8]) -> String {
        let bytes = Array(text.utf8)
        guard let box = try? ChaChaPoly.seal(bytes, using: key, authenticating: purpose) else {
            preconditionFailure("a question can be sealed")
        }
        return Base64.encodedForURL(Array(box.combined))
    }

    /// Opens a sealed question; nil if the text was not sealed by this server.
    ///
    /// Its stops are unknown until they are resolved, as a new city file has others
    /// (`PlaceResolver`).
    func open(_ sealed: String) -> TripQuestion? {
        text(sealed, Self.purpose).flatMap(Self.question)
    }

    /// Opens a sealed place; nil if the text was not sealed by this server.
    func openPlace(_ sealed: String) -> ResolvedPlace? {
        text(sealed, Self.placePurpose).flatMap { Self.place($0[...]) }
    }

    /// Opens a sealed question for a reachable area; nil if the text was not sealed by this server.
    func openReach(_ sealed: String) -> ReachQuestion? {
        guard let text = text(sealed, Self.reachPurpose) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2, let from = Self.place(lines[1]) else { return nil }
        let parts = lines[0].split(separator: " ")
        guard parts.count == 4, let seconds = Int64(parts[0]), let minutes = Int32(parts[1]),
            let transit = UInt32(parts[2])
        else { return nil }
        return ReachQuestion(
            from: from,
            time: Instant(seconds: seconds),
            minutes: minutes,
            transit: transit,
            wheelchair: parts[3] == "1"
        )
    }

    private func text(_ sealed: String, _ purpose: [UInt8]) -> String? {
        guard sealed.utf8.count <= Self.limit, let data = Base64.decoded(sealed),
            let box = try? ChaChaPoly.SealedBox(combined: data),
            let bytes = try? ChaChaPoly.open(box, using: key, authenticating: purpose)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The question as lines: the numbers, the two places, and the passes if there are any.
    static func text(_ question: TripQuestion) -> String {
        let modes = question.modes
        let means = [
            modes.walk, modes.bicycle, modes.car, modes.taxi, modes.bikeshare, modes.scooter,
            modes.carshare,
        ]
        let rules = question.avoided.map(\.text).joined(separator: ",")
        let numbers: [String] = [
            "\(question.time.seconds)",
            bit(question.isArriveBy),
            means.map(bit).joined(),
            "\(modes.transit)",
            "\(question.maxTransfers)",
            number(question.maxWalkMetres),
            bit(question.wheelchair),
            number(question.windowSeconds),
            rules.isEmpty ? "-" : rules,
            bit(question.avoidsRain),
            number(question.maxWetMinutes),
            "\(question.party)",
            question.preference?.rawValue ?? "-",
            number(question.limits.minorUnits),
            question.limits.currencyCode ?? "-",
            number(question.limits.grams),
            TripConstraint.choice(of: question.relaxing) ?? "-",
            question.limits.modes.isEmpty
                ? "-" : question.limits.modes.map(\.text).joined(separator: ","),
        ]
        var lines = [numbers.joined(separator: " ")] + [question.from, question.to].map(text)
        let passes = question.passes.filter(FareProducts.canBeStated)
            .prefix(FareProducts.ownedLimit)
        if !passes.isEmpty { lines.append(passes.joined(separator: ",")) }
        return lines.joined(separator: "\n")
    }

    private static func bit(_ flag: Bool) -> String { flag ? "1" : "0" }

    /// A number, or a hyphen for none.
    private static func number(_ value: (some BinaryInteger)?) -> String {
        value.map { String($0) } ?? "-"
    }

    /// The question for a reachable area as two lines: the numbers and the place.
    static func text(_ question: ReachQuestion) -> String {
        """
        \(question.time.seconds) \(question.minutes) \(question.transit) \
        \(question.wheelchair ? 1 : 0)
        \(text(question.from))
        """
    }

    private static func text(_ place: ResolvedPlace) -> String {
        let at = place.coordinate.map { "\($0.latitude) \($0.longitude)" } ?? "- -"
        let name = place.name.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "\(place.kind.rawValue) \(at) \(name.prefix(nameLimit))"
    }

    private static func question(_ text: String) -> TripQuestion? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard (3...4).contains(lines.count), let from = place(lines[1]), let to = place(lines[2])
        else { return nil }
        let parts = lines[0].split(separator: " ")
        // Links of earlier versions know no shared vehicles and no rules, or no passes and limits,
        // give up none, or have none on single means.
        let isOld = parts.count == 8
        guard [8, 11, 16, 17, 18].contains(parts.count), let seconds = Int64(parts[0]),
            parts[2].utf8.count == (isOld ? 4 : 7), let transit = UInt32(parts[3]),
            let transfers = Int(parts[4])
        else { return nil }
        let means = parts[2].utf8.map { $0 == UInt8(ascii: "1") }
        var question = TripQuestion(
            from: from,
            to: to,
            time: Instant(seconds: seconds),
            isArriveBy: parts[1] == "1",
            modes: TripModes(
                walk: means[0],
                bicycle: means[1],
                car: means[2],
                taxi: means[3],
                transit: transit
            ),
            maxTransfers: transfers,
            maxWalkMetres: UInt32(parts[5]),
            wheelchair: parts[6] == "1",
            windowSeconds: Int32(parts[7])
        )
        guard !isOld else { return question }
        question.modes.bikeshare = means[4]
        question.modes.scooter = means[5]
        question.modes.carshare = means[6]
        let rules = parts[8] == "-" ? [] : parts[8].split(separator: ",").map { ModeHours($0) }
        guard !rules.contains(nil) else { return nil }
        question.avoided = rules.compactMap(\.self)
        question.avoidsRain = parts[9] == "1"
        question.maxWetMinutes = Int64(parts[10])
        guard parts.count >= 16 else { return question }
        guard let party = Int(parts[11]), TripCosting.partyLimits.contains(party) else {
            return nil
        }
        question.party = party
        question.preference = TripPreference(rawValue: String(parts[12]))
        question.limits = TripLimits(
            minorUnits: Int64(parts[13]),
            currencyCode: parts[14] == "-" ? nil : String(parts[14]),
            grams: Int64(parts[15])
        )
        if parts.count >= 17 {
            question.relaxing = TripConstraint.order(of: parts[16] == "-" ? nil : String(parts[16]))
        }
        if parts.count == 18, parts[17] != "-" {
            let limits = parts[17].split(separator: ",").map { ModeLimit($0) }
            guard !limits.contains(nil) else { return nil }
            question.limits.modes = limits.compactMap(\.self)
        }
        if lines.count == 4 { question.passes = lines[3].split(separator: ",").map(String.init) }
        return question
    }

    private static func place(_ line: Substring) -> ResolvedPlace? {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let kind = ResolvedPlace.Kind(rawValue: String(parts[0])) else {
            return nil
        }
        var at: Coordinate?
        if let latitude = Int32(parts[1]), let longitude = Int32(parts[2]) {
            at = Coordinate(latitude: latitude, longitude: longitude)
        }
        return ResolvedPlace(name: String(parts[3]), kind: kind, coordinate: at)
    }
}
