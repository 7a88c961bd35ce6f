extension TariffBook {
    /// A tariff file in the form of Milan's, with invented values.
    ///
    /// It contains every key. A city replaces the values by those of its own
    /// regulations before use.
    package static let example = """
        # EXAMPLE VALUES in the form of Milan's tariff. They are not the amounts in force: replace
        # them by those of the municipality's order before charging anybody.
        name: Example, Milan 2025
        valid_from: 2025-01-01
        currency: EUR
        currency.digits: 2

        # What is due at the start. Night goes before holiday.
        initial.day: 4.00
        initial.night: 7.00
        initial.holiday: 6.00
        night.from: 21:00
        night.to: 06:00
        holidays.sundays: true
        holidays: [01-01, 01-06, 04-25, 05-01, 06-02, 08-15, 11-01, 12-07, 12-08, 12-25, 12-26, \
        2025-04-21, 2026-04-06]

        # At each moment distance or time counts: time below threshold_kmh. Without that key, the
        # dearer of the two.
        per_km: 1.20
        per_hour: 30.00
        threshold_kmh: 25
        minimum: 6.00

        # The meter advances by full steps.
        meter.step: 0.10
        meter.rounding: down

        # Fixed fares hold in both directions and include everything. Of several the first holds.
        place.malpensa: area [45.60 8.69, 45.60 8.76, 45.67 8.76, 45.67 8.69]
        place.linate: area [45.43 9.26, 45.43 9.30, 45.47 9.30, 45.47 9.26]
        place.milano: all zones
        fixed.malpensa.linate: 110.00
        fixed.malpensa.milano: 100.00

        # Due on top of the meter: once, each, or each over a number.
        surcharge.phone: 2.00 once
        surcharge.luggage: 1.00 each over 1
        surcharge.passenger: 1.00 each over 4

        ---
        # EXAMPLE VALUES again: the next tariff, from its first day on.
        name: Example, Milan 2026
        valid_from: 2026-01-01
        currency: EUR
        initial.day: 4.20
        initial.night: 7.40
        initial.holiday: 6.30
        night.from: 21:00
        night.to: 06:00
        holidays.sundays: true
        holidays: [01-01, 01-06, 04-25, 05-01, 06-02, 08-15, 11-01, 12-07, 12-08, 12-25, 12-26, \
        2026-04-06, 2027-03-29]
        per_km: 1.25
        per_hour: 31.50
        minimum: 6.30
        meter.step: 0.10
        place.malpensa: area [45.60 8.69, 45.60 8.76, 45.67 8.76, 45.67 8.69]
        place.linate: area [45.43 9.26, 45.43 9.30, 45.47 9.30, 45.47 9.26]
        place.milano: all zones
        fixed.malpensa.linate: 115.00
        fixed.malpensa.milano: 104.00
        surcharge.phone: 2.00 once
        surcharge.luggage: 1.00 each over 1
        surcharge.passenger: 1.00 each over 4
        """
}
