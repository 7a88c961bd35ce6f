package import CityData

extension CityPlaces {
    /// The number of the city in which a trip is planned, the first that covers both ends, and the
    /// question as it is put there.
    ///
    /// A single city is asked about any place, and says itself what it does not know.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - names: what the cities are called.
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
        for end in [\TripQuestion.from, \.to] where question[keyPath: end].city != common {
            // The other city numbers its stops otherwise.
            question[keyPath: end].stops = []
            question[keyPath: end].city = common
        }
        // Taxis drive in the first city only.
        if common > 0 { question.modes.taxi = false }
        return (common, question)
    }
}
