package import Chronology
package import Geo

/// The fares that a municipality permits from a given day on (spec/taxi.md 1.12).
///
/// Amounts are minor units of ``currency``; rates are ten-thousandths of them. Local time refers to
/// the city's time zone, which callers pass in.
package struct Tariff: Hashable, Sendable {
    package var name: String
    /// The first day on which it is in force.
    package var validFrom: CivilDate
    /// The currency of all its amounts.
    package var currency: Currency
    /// The initial charge.
    package var initial: Initial
    /// The rate per kilometre, in ten-thousandths of a minor unit.
    package var perKilometre: Int64
    /// The rate per hour, in ten-thousandths of a minor unit.
    package var perHour: Int64
    /// The speed in metres per hour below which time is charged; from it on, distance.
    ///
    /// Nil for the speed at which both rates are equal: then the greater amount counts, and a
    /// longer or slower ride never costs less.
    package var threshold: Int64?
    /// The minimum of the metered amount, before surcharges.
    package var minimum: Int64
    /// The step of the meter beyond the initial charge, in minor units; at least 1.
    package var step: Int64
    /// How an incomplete step is rounded.
    package var rounding: Rounding
    /// The night hours; nil if there is no night tariff.
    package var night: Night?
    /// The days with the holiday charge.
    package var holidays: Holidays
    /// The places between which fixed fares apply.
    package var places: [Place]
    /// The fixed fares; the first that matches applies.
    package var fixed: [FixedFare]
    /// The surcharges in the order of the receipt.
    package var surcharges: [Surcharge]

    /// The initial charge by kind of day, in minor units.
    package struct Initial: Hashable, Sendable {
        /// The charge by day on a working day.
        package var day: Int64
        /// The charge at night, also on a holiday.
        package var night: Int64
        /// The charge by day on a holiday.
        package var holiday: Int64
    }

    /// The rounding of an incomplete step of the meter.
    package enum Rounding: String, Hashable, Sendable, CaseIterable {
        /// The step is not charged.
        case down
        /// The step is charged if at least half of it is complete.
        case nearest
        /// The step is charged in full.
        case up
    }

    /// The night hours of the tariff.
    package struct Night: Hashable, Sendable {
        /// The start in seconds after midnight.
        package var from: Int32
        /// The end in seconds after midnight; less than `from` if the night spans midnight.
        package var to: Int32

        /// Returns whether a second of the day is at night.
        package func contains(_ second: Int32) -> Bool {
            from < to ? from <= second && second < to : second >= from || second < to
        }
    }

    /// The days with the holiday charge.
    package struct Holidays: Hashable, Sendable {
        /// Single dates, such as that of Easter Monday.
        package var dates: [CivilDate] = []
        /// Annual days: month times 100 plus day of the month.
        package var yearly: [Int32] = []
        /// Whether each Sunday is a holiday.
        package var sundays = false

        /// Creates an empty set of days.
        package init() {}

        /// Returns whether a day is a holiday.
        package func contains(_ date: CivilDate) -> Bool {
            let (_, month, day) = date.numbers
            return sundays && date.weekday == 6 || dates.contains(date)
                || yearly.contains(month * 100 + day)
        }
    }

    /// A place between which fixed fares apply, such as an airport.
    package struct Place: Hashable, Sendable {
        /// The name in the tariff file.
        package var name: String
        package var extent: Extent

        /// How the area of a place is described.
        package enum Extent: Hashable, Sendable {
            /// The border as a polygon.
            case area(Polygon)
            /// The names of taxi zones.
            case zones([String])
            /// All taxi zones together.
            case allZones
        }

        /// Returns whether the start or end of a ride is within the place.
        package func contains(_ end: TariffInput.End) -> Bool {
            switch extent {
            case .area(let polygon): polygon.contains(end.place)
            case .zones(let names): end.zone.map { names.contains($0) } ?? false
            case .allZones: end.zone != nil
            }
        }
    }

    /// A fixed fare between two places in both directions, independent of the route.
    ///
    /// It is all-inclusive: neither the minimum nor surcharges are added.
    package struct FixedFare: Hashable, Sendable {
        /// The index of one place in ``Tariff/places``.
        package var from: Int
        /// The index of the other place.
        package var to: Int
        /// The whole fare in minor units.
        package var amount: Int64
    }

    /// An additional charge for a reason.
    package struct Surcharge: Hashable, Sendable {
        /// The reason, such as `luggage`.
        package var name: String
        /// The amount in minor units, per ride or per item.
        package var amount: Int64
        /// The number of free items; nil if the surcharge is due once, whatever the number.
        package var free: Int64?
    }

    /// Returns the initial charge with its kind.
    func initialCharge(at time: LocalTime) -> (amount: Int64, kind: Fare.Line.Kind) {
        if let night, night.contains(time.second) { return (initial.night, .initialNight) }
        if holidays.contains(time.date) { return (initial.holiday, .initialHoliday) }
        return (initial.day, .initialDay)
    }

    /// Returns the first fixed fare that applies between two ends.
    func fixedFare(_ origin: TariffInput.End, _ destination: TariffInput.End) -> FixedFare? {
        fixed.first { fare in
            let (from, to) = (places[fare.from], places[fare.to])
            return from.contains(origin) && to.contains(destination)
                || to.contains(origin) && from.contains(destination)
        }
    }
}
