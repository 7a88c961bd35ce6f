package import Chronology
package import Dispatching

/// Describes facts in a natural language.
package protocol StoryTeller: Sendable {
    /// Formats an instant.
    func time(_ moment: Moment) -> String
    /// Describes any fact in a sentence.
    func sentence(_ fact: Fact) -> String
    /// Describes in a sentence why a taxi did not get an offer.
    func sentence(_ reason: Fact.Reason, taxi: String) -> String
    /// States that no driver had an offer for a request.
    func nobodyAsked(_ request: RequestNumber) -> String
    /// States that a taxi had an offer.
    func asked(_ taxi: String) -> String
}

extension StoryTeller {
    /// Returns the story as sentences, one per line.
    package func lines(_ story: Story) -> [String] {
        story.told.map { "\(time($0.at))  \(sentence($0.fact))" }
    }

    /// Returns the explanations of missing offers, one per line.
    package func answers(_ story: Story, taxi: String) -> [String] {
        if story.answers.isEmpty { return [nobodyAsked(story.request)] }
        return story.answers.map { answer in
            "\(time(answer.at))  \(asked(answer.asked)) \(sentence(answer.reason, taxi: taxi))"
        }
    }
}
