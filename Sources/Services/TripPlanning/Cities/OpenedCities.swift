package import CityData
package import Geo

/// The cities whose files are open at a moment; immutable.
///
/// Each question is answered from one value of ``CurrentCities/current``, which is read once, so
/// that data of one file is never combined with data of another.
package struct OpenedCities: Sendable {
    /// The cities in the order of the settings; taxis drive in the first one.
    package let cities: [OpenedCity]
    /// How often a new file has been put into service.
    package let epoch: Int
    /// The places of all cities.
    package let places: CityPlaces
    /// The map of all cities.
    package let map: CityMap
    /// The tickets and passes of all cities.
    package let products: FareProducts

    /// Creates the cities of a server or a command.
    package init(_ cities: [OpenedCity] = [], epoch: Int = 0) {
        self.cities = cities
        self.epoch = epoch
        places = CityPlaces(cities.map { ($0.city, $0.places) })
        map = CityMap(cities.map(\.source.file))
        products = FareProducts(cities.map(\.products))
    }

    /// Whether no city is open.
    package var isEmpty: Bool { cities.isEmpty }

    /// A copy in which one city is replaced by another.
    func replacing(_ number: Int, with city: OpenedCity) -> OpenedCities {
        precondition(cities.indices.contains(number), "a city that is not open is replaced")
        var cities = cities
        cities[number] = city
        return OpenedCities(cities, epoch: epoch + 1)
    }

    // MARK: Trips

    /// The city in which a trip is planned, and the question in terms of that city
    /// (``CityPlaces/place(_:names:)``).
    package func place(
        _ question: TripQuestion
    ) throws(TripFailure) -> (city: OpenedCity, question: TripQuestion) {
        guard !cities.isEmpty else { throw .noWay }
        let (number, question) = try places.place(question, names: cities.map(\.name))
        return (cities[number], question)
    }

    /// Answers a question in the city that covers both ends.
    ///
    /// - Throws: ``TripFailure`` if there is no answer.
    package func answer(
        _ question: TripQuestion,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TripFailure) -> TripAnswer {
        let (city, question) = try place(question)
        return try await city.planner.answer(question, deadline: deadline)
            .chosen(valueOfHour: TripPreference.usualValueOfHour)
    }

    /// The option with its price and emissions again, after its legs were changed.
    package func priced(_ option: TripOption, for question: TripQuestion) -> TripOption {
        guard let (city, question) = try? place(question) else { return option }
        return TripCosting(city.city).priced(option, for: question)
    }

    /// Finds the area that can be reached, in the city that covers the place.
    ///
    /// - Throws: ``TripFailure`` if there is no answer.
    package func reach(
        _ question: ReachQuestion,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TripFailure) -> ReachAnswer {
        guard !cities.isEmpty else { throw .noWay }
        let (number, question) = try places.place(question)
        return try await cities[number].planner.reach(question, deadline: deadline)
    }

    // MARK: Stops and lines

    /// The stop with a key, and the guide that knows it; nil if there is none.
    package func stop(_ key: String, language: String) -> (guide: TransitGuide, stop: StopPlace)? {
        cities.lazy.compactMap { city in
            city.guide.stop(key, language: language).map { (city.guide, $0) }
        }.first
    }

    /// The line with a key, and the guide that knows it; nil if there is none.
    package func line(
        _ key: String,
        language: String
    ) -> (guide: TransitGuide, line: TransitLine)? {
        cities.lazy.compactMap { city in
            city.guide.line(key, language: language).map { (city.guide, $0) }
        }.first
    }

    /// All lines in the order of lists.
    package func lines(language: String) -> [TransitLine] {
        let all = cities.map { $0.guide.lines(language: language) }
        return all.count == 1 ? all[0] : all.joined().sorted { $0.precedes($1) }
    }

    /// The guide to the stops around a place; nil if no city is open.
    package func guide(at coordinate: Coordinate) -> TransitGuide? {
        let number = cities.count > 1 ? places.city(covering: coordinate) ?? 0 : 0
        return cities.indices.contains(number) ? cities[number].guide : nil
    }
}
