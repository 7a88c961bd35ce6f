package import CityData

extension CityPlaces {
    /// The city in which a trip is planned, by its number, and the question in terms of that city:
    /// the first city that covers both ends.
    ///
    /// If there is only one city, it is asked about any place, and reports by itself what it does
    /// not know.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - names: the names of the cities.
    /// - Returns: the number of the city and the question.
    /// - Throws: ``TripFailure/outside(_:)`` for an end that no city covers, and
    ///   ``TripFailure/betweenCities(from:to:)`` for ends in two cities.
    package func place(
        _ question: TripQuestion,
        names: [String]
    ) throws(TripFailure) -> (city: Int, question: TripQuestion) {
        precondition(names.count == count, "each city has a name")
        guard count > 1 else { return (0, question) }
        let (from, to) = (cities(covering: question.from), cities(covering: question.to))
        guard let start = from.first else { throw .outside(question.from.name) }
        guard let end = to.first else { throw .outside(question.to.name) }
        guard let common = from.first(where: to.contains) else {
            throw .betweenCities(from: names[start], to: names[end])
        }
        var question = question
        question.from.move(to: common)
        question.to.move(to: common)
        // Taxis drive in the first city only.
        if common > 0 { question.modes.taxi = false }
        return (common, question)
    }

    /// The number of the city in which to find the reachable area, and the question in its terms: a
    /// stop's own city, otherwise the first one that covers the place.
    ///
    /// - Throws: ``TripFailure/outside(_:)`` for a place that no city covers.
    func place(
        _ question: ReachQuestion
    ) throws(TripFailure) -> (city: Int, question: ReachQuestion) {
        guard count > 1 else { return (0, question) }
        let from = question.from
        let all = cities(covering: from)
        guard let first = all.first else { throw .outside(from.name) }
        let number = !from.stops.isEmpty && all.contains(from.city) ? from.city : first
        var question = question
        question.from.move(to: number)
        return (number, question)
    }
}

extension ResolvedPlace {
    /// Turns the place into one of another city, which has other numbers for its stops.
    fileprivate mutating func move(to city: Int) {
        guard self.city != city else { return }
        stops = []
        self.city = city
    }
}
