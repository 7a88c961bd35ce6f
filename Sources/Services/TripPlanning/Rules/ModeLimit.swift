import Chronology
import Fares
import Journeys
import OpenData

/// The most of a trip that is made by one means: how far, how long, or for how much (V75).
///
/// The way by a vehicle is the quickest, alone or to the first stop; walking has a limit of its own
/// in the search, and public transport keeps to the general ones. Money is limited where a trip is
/// made by the means alone and pays for it: taxis and shared vehicles.
package struct ModeLimit: Sendable, Hashable {
    /// The greatest length, duration or price.
    package enum Most: Sendable, Hashable {
        /// The metres of the way.
        case metres(Int64)
        /// The minutes from its beginning to its end.
        case minutes(Int64)
        /// The price in minor units, with the ISO 4217 code of its currency; nil compares numbers
        /// alone.
        case money(Int64, currency: String?)
    }

    /// The means of travel that is limited.
    package let kind: TripKind
    /// The limit, of the whole way by these means.
    package let most: Most

    /// The means that may be limited.
    package static let kinds: [TripKind] = [
        .bicycle, .bikeshare, .scooter, .car, .carshare, .taxi,
    ]
    /// The means whose price may be limited.
    package static let pricedKinds: [TripKind] = [.bikeshare, .scooter, .carshare, .taxi]
    /// How many limits one person may have.
    package static let countLimit = 8

    private static let metres: ClosedRange<Int64> = 1...1_000_000
    private static let minutes: ClosedRange<Int64> = 1...1_440
    private static let minorUnits: ClosedRange<Int64> = 0...10_000_000

    /// A limit; nil for a means that has none of this kind, and for amounts out of all proportion.
    package init?(_ kind: TripKind, _ most: Most) {
        let isPossible =
            switch most {
            case .metres(let metres):
                Self.kinds.contains(kind) && Self.metres.contains(metres)
            case .minutes(let minutes):
                Self.kinds.contains(kind) && Self.minutes.contains(minutes)
            case .money(let amount, _):
                Self.pricedKinds.contains(kind) && Self.minorUnits.contains(amount)
            }
        guard isPossible else { return nil }
        (self.kind, self.most) = (kind, most)
    }

    /// Reads `bike@5km`, `bike@800m`, `car@15min`, `taxi@10.50` or `taxi@10.50EUR`; nil for any
    /// other text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, case .kind(let kind) = TripMode(named: parts[0]) else { return nil }
        let unit = parts[1].drop { "0123456789.".contains($0) }
        let number = String(parts[1].dropLast(unit.count))
        guard let most = Most(number, unit: String(unit)) else { return nil }
        self.init(kind, most)
    }

    /// The limit as ``init(_:)`` reads it.
    package var text: String {
        switch most {
        case .metres(let metres): "\(kind.modeName)@\(metres)m"
        case .minutes(let minutes): "\(kind.modeName)@\(minutes)min"
        case .money(let amount, let code): "\(kind.modeName)@\(Most.text(amount, code))"
        }
    }

    /// What a trip has against the limit; nil if it keeps to it.
    ///
    /// - Parameters:
    ///   - parts: the parts of the trip by this means, each with its metres and seconds.
    ///   - price: what the means costs on this trip; unknown keeps to no limit on money.
    /// - Returns: what the trip has against the limit; nil if it keeps to it.
    func reason(
        _ parts: [(metres: UInt32, seconds: Int64)],
        price: @autoclosure () -> TripPrice
    ) -> TripMissing.Reason? {
        guard !parts.isEmpty else { return nil }
        switch most {
        case .metres(let limit):
            let sum = parts.reduce(0) { $0 + Int64($1.metres) }
            return sum > limit ? .limit(self, known: true) : nil
        case .minutes(let limit):
            let sum = parts.reduce(0) { $0 + $1.seconds }
            return sum > limit * 60 ? .limit(self, known: true) : nil
        case .money(let limit, let code):
            guard let money = price().money,
                money.minorUnits == 0 || code.map({ $0 == money.currency.code }) ?? true
            else { return .limit(self, known: false) }
            return money.minorUnits > limit ? .limit(self, known: true) : nil
        }
    }

    /// What an option has against the limit; nil if it keeps to it.
    func reason(against option: TripOption) -> TripMissing.Reason? {
        let parts = option.steps.filter { $0.kind == kind }.map {
            (metres: $0.metres, seconds: $0.seconds)
        }
        return reason(
            parts,
            price: kind.isShared ? option.rentalPrice ?? option.price : option.price
        )
    }
}

extension ModeLimit.Most {
    /// Reads a number with its unit: `km`, `m`, `min`, or the code of a currency or nothing for
    /// money; nil for any other text.
    package init?(_ number: String, unit: String) {
        func whole(digits: Int) -> Int64? {
            CurrencyText.minorUnits(Array(number.utf8)[...], digits: digits)
        }
        let most: ModeLimit.Most? =
            switch unit {
            case "km": whole(digits: 3).map { .metres($0) }
            case "m": whole(digits: 0).map { .metres($0) }
            case "min": whole(digits: 0).map { .minutes($0) }
            case "": whole(digits: 2).map { .money($0, currency: nil) }
            default:
                CurrencyText.digits(unit).flatMap { whole(digits: $0) }
                    .map { .money($0, currency: unit) }
            }
        guard let most else { return nil }
        self = most
    }

    /// An amount as ``init(_:unit:)`` reads it.
    static func text(_ amount: Int64, _ code: String?) -> String {
        let digits = code.map { CurrencyText.digits($0) ?? 2 } ?? 2
        let currency = Currency(code: code ?? "EUR", digits: digits) ?? .euro
        let number = Money(amount, currency).text.split(separator: " ").first ?? ""
        return "\(number)\(code ?? "")"
    }
}

extension VehicleLimit {
    /// Also limits ways to the length and the duration of another one.
    mutating func keep(within way: Itinerary) {
        metres = min(metres ?? .max, way.metres)
        seconds = min(seconds ?? .max, Int32(clamping: way.arrival.seconds - way.departure.seconds))
    }
}

extension [ModeLimit] {
    /// What the planner needs to find the best ways to the first stop by a vehicle.
    func vehicleLimit(of kind: TripKind) -> VehicleLimit {
        var limit = VehicleLimit()
        for own in self where own.kind == kind {
            switch own.most {
            case .metres(let metres):
                limit.metres = Swift.min(limit.metres ?? .max, UInt32(clamping: metres))
            case .minutes(let minutes):
                limit.seconds = Swift.min(limit.seconds ?? .max, Int32(clamping: minutes * 60))
            case .money: break
            }
        }
        return limit
    }
}
