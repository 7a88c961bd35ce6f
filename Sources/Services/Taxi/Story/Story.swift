package import Chronology
package import Dispatching

/// What happened to a request, from the log alone: who was asked, in which order, by which rule.
package struct Story: Sendable {
    /// The request.
    package let request: RequestNumber
    /// What happened, in order.
    package private(set) var told: [Told] = []
    /// For each offer of the request, why a driver was not the one.
    package private(set) var answers: [Answer] = []

    /// Why a driver was not asked when another was.
    package struct Answer: Hashable, Sendable {
        /// When the other was asked.
        package var at: Moment
        /// The other.
        package var asked: String
        /// Why not this one.
        package var reason: Fact.Reason
    }

    private var follower = StoryFollower()
    private let curious: String?

    /// A story yet to be told.
    ///
    /// - Parameters:
    ///   - request: of which request.
    ///   - taxi: the code of a taxi whose driver asks "why not me?"; nil for nobody.
    package init(of request: RequestNumber, whyNot taxi: String? = nil) {
        self.request = request
        curious = taxi
    }

    /// Whether the log knows a taxi of that code.
    package func knows(_ code: String) -> Bool {
        follower.state.taxis.contains { $0.code == code }
    }

    /// Hears the next entry of the log.
    ///
    /// - Throws: ``ReplayFailure`` when it does not follow the entries before.
    package mutating func hear(_ entry: Entry) throws(ReplayFailure) {
        for event in entry.events {
            for (number, fact) in follower.facts(of: event, about: request)
            where number == request {
                told.append(Told(at: entry.at, fact: fact))
            }
            if case .offered(request, let chosen, _, let rule) = event { answer(chosen, rule) }
            try follower.add(event, of: entry)
        }
    }

    /// Says to who is curious why another is asked.
    private mutating func answer(_ chosen: TaxiNumber, _ rule: OfferRule) {
        let state = follower.state
        guard let curious, let me = state.taxis.first(where: { $0.code == curious }),
            let taxi = state.taxi(chosen),
            let reason = follower.whyNot(me, request, chosen, rule)
        else { return }
        answers.append(Answer(at: state.now, asked: taxi.code, reason: reason))
    }
}
