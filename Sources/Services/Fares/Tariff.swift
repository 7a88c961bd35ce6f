package import Chronology
package import Geo

/// What a municipality allows its taxis to charge from a day on (spec/taxi.md 1.12).
///
/// Amounts are minor units of ``currency``; rates are ten-thousandths of them. Local time is that
/// of the city's zone, which whoever asks for a fare hands over.
package struct Tariff: Hashable, Sendable {
    /// What people call it.
    package var name: String
    /// The first day on which it holds.
    package var validFrom: CivilDate
    /// The currency of all its amounts.
    package var currency: Currency
    /// What is due at the start.
    package var initial: Initial
    /// Ten-thousandths of a minor unit for each kilometre.
    package var perKilometre: Int64
    /// Ten-thousandths of a minor unit for each hour.
    package var perHour: Int64
    /// The speed in metres an hour below which time counts, and distance from there on.
    ///
    /// Nil for the speed at which both cost the same: then the dearer of the two counts, and a
    /// ride that is longer or slower never costs less.
    package var threshold: Int64?
    /// The least that the meter's part of a fare is, before surcharges.
    package var minimum: Int64
    /// The step by which the meter advances beyond the initial charge; at least 1.
    package var step: Int64
    /// What becomes of a step that is not full.
    package var rounding: Rounding
    /// When it is night; nil where there is no night tariff.
    package var night: Night?
    /// Which days are holidays.
    package var holidays: Holidays
    /// The places that fixed fares name.
    package var places: [Place]
    /// The fixed fares; of several that hold for a ride the first does.
    package var fixed: [FixedFare]
    /// The surcharges, in the order in which a receipt lists them.
    package var surcharges: [Surcharge]

    /// What is due at the start of a ride.
    package struct Initial: Hashable, Sendable {
        /// On a working day.
        package var day: Int64
        /// At night, on a holiday too.
        package var night: Int64
        /// By day on a holiday.
        package var holiday: Int64
    }

    /// What becomes of a step of the meter that is not full.
    package enum Rounding: String, Hashable, Sendable, CaseIterable {
        /// It is not charged.
        case down
        /// From half a step on it is charged.
        case nearest
        /// It is charged.
        case up
    }

    /// The hours of the night.
    package struct Night: Hashable, Sendable {
        /// The second of the day when it begins.
        package var from: Int32
        /// The second of the day when it ends; less than `from` where midnight lies between.
        package var to: Int32

        /// Whether it is night at a second of the day.
        package func contains(_ second: Int32) -> Bool {
            from < to ? from <= second && second < to : second >= from || second < to
        }
    }

    /// The days on which the holiday's initial charge is due.
    package struct Holidays: Hashable, Sendable {
        /// Single days, such as Easter Monday's.
        package var dates: [CivilDate] = []
        /// Days of every year: month times 100 plus day of the month.
        package var yearly: [Int32] = []
        /// Whether every Sunday is one.
        package var sundays = false

        /// No day.
        package init() {}

        /// Whether a day is a holiday.
        package func contains(_ date: CivilDate) -> Bool {
            let (_, month, day) = date.numbers
            return sundays && date.weekday == 6 || dates.contains(date)
                || yearly.contains(month * 100 + day)
        }
    }

    /// A place that fixed fares name, such as an airport.
    package struct Place: Hashable, Sendable {
        /// Its name in the file.
        package var name: String
        /// Where it is.
        package var extent: Extent

        /// How a place is described.
        package enum Extent: Hashable, Sendable {
            /// By its border.
            case area(Polygon)
            /// By the names of taxi zones.
            case zones([String])
            /// All taxi zones together.
            case allZones
        }

        /// Whether a ride's end lies there.
        package func contains(_ end: Course.End) -> Bool {
            switch extent {
            case .area(let polygon): polygon.contains(end.place)
            case .zones(let names): end.zone.map { names.contains($0) } ?? false
            case .allZones: end.zone != nil
            }
        }
    }

    /// A fare between two places, whatever the way, in both directions.
    ///
    /// It includes everything: neither the minimum nor surcharges are added.
    package struct FixedFare: Hashable, Sendable {
        /// One place, as its position in ``Tariff/places``.
        package var from: Int
        /// The other.
        package var to: Int
        /// The whole fare.
        package var amount: Int64
    }

    /// What is due on top of the meter for a reason.
    package struct Surcharge: Hashable, Sendable {
        /// The reason, such as `luggage`.
        package var name: String
        /// What it costs, once or for each.
        package var amount: Int64
        /// How many cost nothing; nil where it is due once, however many there are.
        package var free: Int64?
    }

    /// What is due at the start of a ride, and why.
    func initialCharge(at time: LocalTime) -> (amount: Int64, kind: Fare.Line.Kind) {
        if let night, night.contains(time.second) { return (initial.night, .initialNight) }
        if holidays.contains(time.date) { return (initial.holiday, .initialHoliday) }
        return (initial.day, .initialDay)
    }

    /// The first fixed fare that holds between two ends.
    func fixedFare(_ origin: Course.End, _ destination: Course.End) -> FixedFare? {
        fixed.first { fare in
            let (from, to) = (places[fare.from], places[fare.to])
            return from.contains(origin) && to.contains(destination)
                || to.contains(origin) && from.contains(destination)
        }
    }
}
