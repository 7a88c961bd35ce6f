package import Streets

/// What taxis needed for streets in one part of a day, until it is over.
///
/// A street counts only if at least ``leastTaxis`` different taxis passed it, and then with the
/// median of them. So one account moves nothing, whatever positions it reports and however often,
/// and what is kept says nothing about a single taxi. Taxis are told apart by numbers that depend
/// on a secret and the street, and that end with the tally.
package struct SpeedTally: Sendable {
    /// A street that counts.
    package struct Street: Hashable, Sendable {
        /// The street in one direction.
        package let part: StreetPart
        /// Its kind, whose streets are compared.
        package let kind: StreetKind
        /// The median of the ratios of its taxis, in thousandths.
        package let perMille: UInt16
        /// The number of taxis, at most ``SpeedTally/mostTaxis``.
        package let taxis: UInt8

        /// Creates a street that counts.
        package init(part: StreetPart, kind: StreetKind, perMille: UInt16, taxis: UInt8) {
            self.part = part
            self.kind = kind
            self.perMille = perMille
            self.taxis = taxis
        }
    }

    /// The number of different taxis that a street needs: with two of them honest, the median lies
    /// between honest ones.
    package static let leastTaxis = 3
    /// The number of taxis beyond which no further one is counted.
    package static let mostTaxis = 15
    /// The most ratios that are kept at the same time, of 8 bytes each.
    package static let limit = 500_000

    private struct Drive: Sendable {
        let taxi: UInt32
        let perMille: UInt16
    }

    private struct Drives: Sendable {
        let kind: StreetKind
        var all: [Drive] = []
    }

    private let secret: UInt64
    private var streets: [StreetPart: Drives] = [:]
    private var count = 0

    /// Creates an empty tally.
    ///
    /// - Parameter secret: a random number that nobody else knows.
    package init(secret: UInt64) {
        self.secret = secret
    }

    /// Adds what a taxi needed for a street; a further passage of the same taxi changes nothing.
    ///
    /// - Parameters:
    ///   - part: the street in one direction.
    ///   - kind: its kind.
    ///   - perMille: the ratio in thousandths.
    ///   - taxi: the number of the taxi.
    package mutating func add(
        _ part: StreetPart,
        _ kind: StreetKind,
        perMille: UInt16,
        by taxi: UInt32
    ) {
        guard count < Self.limit else { return }
        let pseudonym = pseudonym(of: taxi, on: part)
        let known = streets[part]?.all ?? []
        guard known.count < Self.mostTaxis, !known.contains(where: { $0.taxi == pseudonym }) else {
            return
        }
        let drive = Drive(taxi: pseudonym, perMille: perMille)
        streets[part, default: Drives(kind: kind)].all.append(drive)
        count += 1
    }

    /// The streets that count, in the order of their parts.
    package var counted: [Street] {
        streets.filter { $0.value.all.count >= Self.leastTaxis }
            .sorted { $0.key < $1.key }
            .map { part, drives in
                let ratios = drives.all.map(\.perMille)
                return Street(
                    part: part,
                    kind: drives.kind,
                    perMille: Self.median(ratios),
                    taxis: UInt8(ratios.count)
                )
            }
    }

    /// The lower median of some ratios; there must be one.
    static func median(_ ratios: [UInt16]) -> UInt16 {
        precondition(!ratios.isEmpty, "no ratio has no median")
        return ratios.sorted()[(ratios.count - 1) / 2]
    }

    /// A number of a taxi that is another one on each street.
    private func pseudonym(of taxi: UInt32, on part: StreetPart) -> UInt32 {
        // SplitMix64's finalizer, twice: the secret never leaves this process.
        func mixed(_ number: UInt64) -> UInt64 {
            var mixed = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
        let number = mixed(mixed(secret ^ part.rawValue) ^ UInt64(taxi))
        return UInt32(truncatingIfNeeded: number >> 32)
    }
}
