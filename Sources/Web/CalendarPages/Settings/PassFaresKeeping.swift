import Agenda
package import Chronology
import DayPlanning
import Fares
package import Identity
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// What is kept of planned days to advise on passes (V98).
extension CalendarPages {
    /// What the journeys of a plan cost under the passes that the city knows.
    ///
    /// Where only the rest of a day was planned, the journeys before stay as they were.
    func fares(
        of plan: PlannedDay,
        _ person: PersonNumber,
        in city: OpenedCity,
        at now: Moment
    ) async throws -> Agenda.DayFares {
        let date = plan.input.date
        var journeys: [PricedJourney] = []
        if let start = plan.input.start {
            let kept = try await agenda.fares(of: person, from: date, before: date.adding(days: 1))
            journeys = kept.flatMap { [PricedJourney](text: $0.text) }
                .filter { $0.departure < start.time.seconds }
        }
        journeys += Self.priced(plan, in: city)
        return Agenda.DayFares(journeys.isEmpty ? nil : journeys.text, today: cityDay(now))
    }

    /// The journeys by public transport of a plan with their prices.
    private static func priced(_ plan: PlannedDay, in city: OpenedCity) -> [PricedJourney] {
        let owned = plan.input.passes
        let others = city.products.all.filter { $0.period != nil && !owned.contains($0.id) }
        let passes = owned + others.map(\.id)
        let costing = TripCosting(city.city)
        return plan.journeys.compactMap { journey in
            costing.fares(of: journey.trip, under: passes).map { fares in
                PricedJourney(departure: journey.trip.departure, owned: owned, fares: fares)
            }
        }
    }

    /// Prices the journeys of days that are over and were never planned, such as those of a
    /// calendar that was brought along.
    ///
    /// - Parameters:
    ///   - person: whose days they are.
    ///   - days: how many days before today.
    ///   - now: the current time.
    /// - Throws: any database error.
    package func pricePast(of person: PersonNumber, days: Int32, at now: Moment) async throws {
        let today = cityDay(now)
        let first = today.adding(days: -days)
        let known = try await agenda.fares(of: person, from: first, before: today).map(\.day)
        var date = first
        while date < today {
            try Task.checkCancellation()
            let cities = environment.cities.current
            if !known.contains(date), !cities.isEmpty {
                _ = try await day(
                    date,
                    of: person,
                    patience: Self.pastPatience,
                    in: cities,
                    at: now
                )
            }
            date = date.adding(days: 1)
        }
    }

    /// How long each day that is over is waited for, in milliseconds: nobody waits for the page.
    private static let pastPatience: Int64 = 30_000

    /// What would have been cheaper than the tickets of the last weeks and of the days that are
    /// planned; nil where the city names no pass whose days are known.
    func passAdvice(
        for person: PersonNumber,
        _ context: RequestContext
    ) async throws -> (advice: PassAdvice, products: [FareProducts.Product])? {
        let products = context.cities.products.all.filter { $0.period != nil && $0.price != nil }
        guard let currency = products.lazy.compactMap(\.price?.currency).first else { return nil }
        let today = cityDay(context.now)
        let first = today.adding(days: -Agenda.fareDays)
        let kept = try await agenda.fares(of: person, from: first)
        let zone = web.settings.zoneTable
        let journeys = kept.flatMap { [PricedJourney](text: $0.text) }.map { journey in
            PassAdvisor.Journey(
                on: LocalTime(Instant(seconds: journey.departure), in: zone).date,
                owned: Set(journey.owned),
                journey.fares
            )
        }
        let advisor = PassAdvisor(
            on: first...max(today, journeys.map(\.day).max() ?? today),
            journeys: journeys,
            products: products.compactMap { product in
                guard let price = product.price, price.currency == currency,
                    let period = product.period
                else { return nil }
                return PassAdvisor.Product(product.id, minorUnits: price.minorUnits, period)
            },
            currency: currency.code
        )
        return (advisor.advice, products)
    }
}
