extension SharingSystem {
    /// What a ride costs.
    package struct PricingPlan: Hashable, Sendable {
        /// The identifier of the plan.
        package let id: String
        /// The name of the plan.
        package let name: LocalizedText
        /// The conditions, in words.
        package let details: LocalizedText?
        /// The ISO 4217 code of the currency of all amounts.
        package let currency: String
        /// What each ride costs, in millionths of the currency's unit.
        package let flagMicros: Int64
        /// Whether taxes are added to the amounts.
        package let isTaxable: Bool
        /// What kilometres cost.
        package let perKilometre: [Segment]
        /// What minutes cost.
        package let perMinute: [Segment]
        /// Whether the price is higher at times, so that the amounts are only the least.
        package let hasSurgePricing: Bool

        /// What a part of the ride costs.
        package struct Segment: Hashable, Sendable {
            /// The kilometre or minute from which on it applies.
            package let start: Int
            /// The kilometre or minute from which on it no longer applies; nil without an end.
            package let end: Int?
            /// What each interval that has begun costs, in millionths of the currency's unit.
            package let rateMicros: Int64
            /// The kilometres or minutes that are charged together; 0 charges once.
            package let interval: Int

            /// What a ride of a length costs in this segment.
            ///
            /// - Parameter units: kilometres or minutes.
            /// - Returns: millionths of the currency's unit.
            package func micros(forUnits units: Double) -> Int64 {
                let inside = min(units, end.map(Double.init) ?? units) - Double(start)
                guard inside >= 0, units >= Double(start) else { return 0 }
                guard interval > 0 else { return rateMicros }
                // The rate is charged at the start and again after each interval, but no longer
                // where the segment ends.
                let isPastEnd = end.map { units >= Double($0) } ?? false
                let intervals = inside / Double(interval)
                let begun = isPastEnd ? intervals.rounded(.up) : intervals.rounded(.down) + 1
                let (product, isTooLarge) = rateMicros.multipliedReportingOverflow(
                    by: Int64(min(begun, 1e9))
                )
                return isTooLarge ? (rateMicros < 0 ? .min : .max) : product
            }
        }

        /// What a ride costs before taxes, in millionths of the currency's unit.
        ///
        /// Each segment is charged at its start and again after each interval, so a ride of exactly
        /// one interval is charged for two.
        ///
        /// - Parameters:
        ///   - kilometres: the length of the ride.
        ///   - minutes: its duration.
        /// - Returns: the sum of the flag and all segments.
        package func micros(kilometres: Double, minutes: Double) -> Int64 {
            let parts =
                perKilometre.map { $0.micros(forUnits: kilometres) }
                + perMinute.map { $0.micros(forUnits: minutes) }
            return parts.reduce(flagMicros) { sum, part in
                let (total, isTooLarge) = sum.addingReportingOverflow(part)
                return isTooLarge ? .max : total
            }
        }
    }
}

extension SharingSystem.PricingPlan {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        id = try fields.id("plan_id")
        name = try fields.required("name", try fields.localized("name"))
        details = try fields.localized("description")
        currency = try fields.id("currency")
        guard CurrencyText.digits(currency) != nil else {
            throw FeedTrouble("currency", .badValue(currency))
        }
        let price = try fields.required("price", try fields.micros("price"))
        guard price >= 0 else { throw FeedTrouble("price", .badValue("\(price)")) }
        flagMicros = price
        isTaxable = try fields.flag("is_taxable") ?? false
        perKilometre = try fields.each("per_km_pricing", Segment.init)
        perMinute = try fields.each("per_min_pricing", Segment.init)
        hasSurgePricing = try fields.flag("surge_pricing") ?? false
    }
}

extension SharingSystem.PricingPlan.Segment {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        start = try fields.required("start", try fields.count("start"))
        end = try fields.count("end")
        if let end, end < start { throw FeedTrouble("end", .badValue("\(end)")) }
        rateMicros = try fields.required("rate", try fields.micros("rate"))
        interval = try fields.required("interval", try fields.count("interval"))
    }
}

extension FeedFields {
    /// An amount of money in millionths; a text with a decimal point counts as well.
    fileprivate func micros(_ name: String) throws(FeedTrouble) -> Int64? {
        let amount: Double
        switch self[name] {
        case nil: return nil
        case .text(let text):
            guard let value = DecimalText.value(Array(text.utf8)[...]) else {
                throw FeedTrouble(name, .badValue(text))
            }
            amount = value
        case .some(let value):
            guard let number = value.double else { throw FeedTrouble(name, .expected("a number")) }
            amount = number
        }
        guard abs(amount) <= 1e9 else { throw FeedTrouble(name, .badValue("\(amount)")) }
        return Int64((amount * 1e6).rounded())
    }
}
