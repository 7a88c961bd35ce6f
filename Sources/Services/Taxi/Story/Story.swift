package import Chronology
package import Dispatching

/// The events of a request according to the log: which drivers had offers, in which
/// order, by which rule.
package struct Story: Sendable {
    package let request: RequestNumber
    /// The facts in order.
    package private(set) var told: [Told] = []
    /// For each offer of the request, why a given driver did not get it.
    package private(set) var answers: [Answer] = []

    /// Why a driver got no offer when another did.
    package struct Answer: Hashable, Sendable {
        /// When the other driver got the offer.
        package var at: Moment
        /// The code of the other taxi.
        package var asked: String
        /// The reason why this driver did not get it.
        package var reason: Fact.Reason
    }

    private var follower = StoryFollower()
    private let curious: String?

    /// Creates an empty story.
    ///
    /// - Parameters:
    ///   - request: the number of the request.
    ///   - taxi: the code of a taxi for which to explain missing offers; nil for none.
    package init(of request: RequestNumber, whyNot taxi: String? = nil) {
        self.request = request
        curious = taxi
    }

    /// Returns whether the log contains a taxi with that code.
    package func knows(_ code: String) -> Bool {
        follower.state.taxis.contains { $0.code == code }
    }

    /// Processes the next entry of the log.
    ///
    /// - Throws: ``ReplayFailure`` if it does not follow the entries before.
    package mutating func hear(_ entry: Entry) throws(ReplayFailure) {
        for event in entry.events {
            for (number, fact) in follower.facts(of: event, about: request)
            where number == request {
                told.append(Told(at: entry.at, fact: fact))
            }
            if case .offer(.offered(request, let chosen, _, let rule)) = event {
                answer(chosen, rule)
            }
            try follower.add(event, of: entry)
        }
    }

    /// Records why the chosen taxi got an offer and the taxi in question did not.
    private mutating func answer(_ chosen: TaxiNumber, _ rule: OfferRule) {
        let state = follower.state
        guard let curious, let me = state.taxis.first(where: { $0.code == curious }),
            let taxi = state.taxi(chosen),
            let reason = follower.whyNot(me, request, chosen, rule)
        else { return }
        answers.append(Answer(at: state.now, asked: taxi.code, reason: reason))
    }
}
