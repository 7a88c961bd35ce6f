package import Chronology

/// The fare of a ride with the lines of its receipt.
package struct Fare: Hashable, Sendable {
    /// The lines in order, whose sum is the total; only the first may be 0.
    package let lines: [Line]
    /// The currency of all lines.
    package let currency: Currency

    /// Creates a fare from its lines.
    package init(lines: [Line], currency: Currency) {
        self.lines = lines
        self.currency = currency
    }

    package struct Line: Hashable, Sendable {
        package var kind: Kind
        /// The amount in minor units.
        package var amount: Int64

        package init(kind: Kind, amount: Int64) {
            self.kind = kind
            self.amount = amount
        }

        /// The reason for the amount of a line.
        package enum Kind: Hashable, Sendable {
            /// The initial charge of a working day.
            case initialDay
            /// The initial charge of the night.
            case initialNight
            /// The initial charge of a holiday.
            case initialHoliday
            /// Time and distance, in whole steps of the meter.
            case travelled
            /// The difference to the minimum fare.
            case minimum
            /// A surcharge with its number of occurrences.
            case surcharge(String, count: Int64)
            /// A fixed fare between two places.
            case fixed(String, String)
        }
    }

    /// The sum of all lines.
    package var total: Money {
        Money(lines.reduce(0) { $0 + $1.amount }, currency)
    }

    /// Whether it is a fixed fare, independent of route and traffic.
    package var isFixed: Bool {
        if case .fixed = lines.first?.kind { true } else { false }
    }
}

extension Tariff {
    /// Returns the metered fare at the end of a ride.
    ///
    /// A fixed fare between the two ends takes precedence over the meter.
    ///
    /// - Parameters:
    ///   - input: the ride.
    ///   - zone: the city's time zone.
    /// - Returns: the fixed fare, or the metered fare of at least the initial
    ///   charge and the minimum.
    package func metered(_ input: TariffInput, in zone: ZoneTable) -> Fare {
        if let origin = input.origin, let destination = input.destination,
            let fare = fixedFare(origin, destination)
        {
            let kind = Fare.Line.Kind.fixed(places[fare.from].name, places[fare.to].name)
            return Fare(lines: [Fare.Line(kind: kind, amount: fare.amount)], currency: currency)
        }
        let start = initialCharge(at: LocalTime(input.start, in: zone))
        var lines = [Fare.Line(kind: start.kind, amount: start.amount)]
        let travelled = travelled(input.drive)
        if travelled > 0 { lines.append(Fare.Line(kind: .travelled, amount: travelled)) }
        let missing = minimum - start.amount - travelled
        if missing > 0 { lines.append(Fare.Line(kind: .minimum, amount: missing)) }
        for surcharge in surcharges {
            let given = max(0, min(Self.extrasLimit, input.extras[surcharge.name] ?? 0))
            let count = surcharge.free.map { max(0, given - $0) } ?? min(1, given)
            guard count > 0, surcharge.amount > 0 else { continue }
            let kind = Fare.Line.Kind.surcharge(surcharge.name, count: count)
            lines.append(Fare.Line(kind: kind, amount: surcharge.amount * count))
        }
        return Fare(lines: lines, currency: currency)
    }

    /// The most occurrences of a surcharge, so that no sum overflows.
    private static let extrasLimit: Int64 = 1_000

    /// Returns the metered amount beyond the initial charge, in whole steps.
    ///
    /// Only the milliseconds and decimetres that count are summed up; their cost is one exact
    /// fraction that is rounded once.
    func travelled(_ drive: Drive) -> Int64 {
        var timed: Int64 = 0
        var driven: Int64 = 0
        for piece in drive.pieces {
            if timeCounts(in: piece) {
                timed += piece.milliseconds
            } else {
                driven += piece.decimetres
            }
        }
        let cost = Int128(perHour) * Int128(timed) + 360 * Int128(perKilometre) * Int128(driven)
        // The unit is ten-thousandths of a minor unit per hour, times milliseconds.
        let whole = 10_000 * 3_600_000 * Int128(step)
        let steps =
            switch rounding {
            case .down: cost / whole
            case .nearest: (2 * cost + whole) / (2 * whole)
            case .up: (cost + whole - 1) / whole
            }
        return Int64(clamping: steps * Int128(step))
    }

    /// Returns whether a piece is charged by time rather than distance.
    package func timeCounts(in piece: Drive.Piece) -> Bool {
        let (time, way) = (Int128(piece.milliseconds), Int128(piece.decimetres))
        // One metre per hour is 1/360,000 decimetre per millisecond.
        if let threshold { return 360_000 * way < Int128(threshold) * time }
        return 360 * Int128(perKilometre) * way < Int128(perHour) * time
    }
}
