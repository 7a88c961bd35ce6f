package import Chronology

/// What a ride costs, line by line, as a receipt shows it.
package struct Fare: Hashable, Sendable {
    /// The lines in order, none of 0 but the first; their sum is the total.
    package let lines: [Line]
    /// The currency of all lines.
    package let currency: Currency

    /// A fare of these parts.
    package init(lines: [Line], currency: Currency) {
        self.lines = lines
        self.currency = currency
    }

    /// A part of a fare.
    package struct Line: Hashable, Sendable {
        /// What it is for.
        package var kind: Kind
        /// How much, in minor units.
        package var amount: Int64

        /// A part of that kind.
        package init(kind: Kind, amount: Int64) {
            self.kind = kind
            self.amount = amount
        }

        /// What a line is for.
        package enum Kind: Hashable, Sendable {
            /// The initial charge of a working day.
            case initialDay
            /// The initial charge of the night.
            case initialNight
            /// The initial charge of a holiday.
            case initialHoliday
            /// Time and distance, in whole steps of the meter.
            case travelled
            /// What is missing to the minimum.
            case minimum
            /// A surcharge, and how often it is due.
            case surcharge(String, count: Int64)
            /// A fixed fare between two places.
            case fixed(String, String)
        }
    }

    /// The sum of all lines.
    package var total: Money {
        Money(lines.reduce(0) { $0 + $1.amount }, currency)
    }

    /// Whether it was fixed before, so that way and traffic do not change it.
    package var isFixed: Bool {
        if case .fixed = lines.first?.kind { true } else { false }
    }
}

extension Tariff {
    /// The fare of a ride, as its meter shows it at the end.
    ///
    /// A fixed fare between the two ends goes before the meter.
    ///
    /// - Parameters:
    ///   - course: the ride.
    ///   - zone: the city's time zone.
    /// - Returns: at least the initial charge and the minimum, or the fixed fare.
    package func metered(_ course: Course, in zone: ZoneTable) -> Fare {
        if let origin = course.origin, let destination = course.destination,
            let fare = fixedFare(origin, destination)
        {
            let kind = Fare.Line.Kind.fixed(places[fare.from].name, places[fare.to].name)
            return Fare(lines: [Fare.Line(kind: kind, amount: fare.amount)], currency: currency)
        }
        let start = initialCharge(at: LocalTime(course.start, in: zone))
        var lines = [Fare.Line(kind: start.kind, amount: start.amount)]
        let travelled = travelled(course.drive)
        if travelled > 0 { lines.append(Fare.Line(kind: .travelled, amount: travelled)) }
        let missing = minimum - start.amount - travelled
        if missing > 0 { lines.append(Fare.Line(kind: .minimum, amount: missing)) }
        for surcharge in surcharges {
            let given = max(0, min(Self.extrasLimit, course.extras[surcharge.name] ?? 0))
            let count = surcharge.free.map { max(0, given - $0) } ?? min(1, given)
            guard count > 0, surcharge.amount > 0 else { continue }
            let kind = Fare.Line.Kind.surcharge(surcharge.name, count: count)
            lines.append(Fare.Line(kind: kind, amount: surcharge.amount * count))
        }
        return Fare(lines: lines, currency: currency)
    }

    /// How often a surcharge may be due, so that no sum overflows.
    private static let extrasLimit: Int64 = 1_000

    /// What the meter counted beyond the initial charge, in whole steps.
    ///
    /// Only two whole numbers are kept while driving, the milliseconds and the decimetres that
    /// counted; what they cost is one exact fraction, rounded once.
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
        // Ten-thousandths of a minor unit an hour, times milliseconds.
        let whole = 10_000 * 3_600_000 * Int128(step)
        let steps =
            switch rounding {
            case .down: cost / whole
            case .nearest: (2 * cost + whole) / (2 * whole)
            case .up: (cost + whole - 1) / whole
            }
        return Int64(clamping: steps * Int128(step))
    }

    /// Whether time, not distance, counts at the speed of a piece.
    package func timeCounts(in piece: Drive.Piece) -> Bool {
        let (time, way) = (Int128(piece.milliseconds), Int128(piece.decimetres))
        // Metres an hour are 360 000 decimetres a millisecond.
        if let threshold { return 360_000 * way < Int128(threshold) * time }
        return 360 * Int128(perKilometre) * way < Int128(perHour) * time
    }
}
