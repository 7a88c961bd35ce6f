package import Chronology
package import Dispatching

/// Says facts in a language that people read.
package protocol StoryTeller: Sendable {
    /// A moment as it is written.
    func time(_ moment: Moment) -> String
    /// A fact as a sentence; every fact has one.
    func sentence(_ fact: Fact) -> String
    /// Why a taxi was not the one, as a sentence.
    func sentence(_ reason: Fact.Reason, taxi: String) -> String
    /// That nobody was asked for a request.
    func nobodyAsked(_ request: RequestNumber) -> String
    /// That a taxi was asked.
    func asked(_ taxi: String) -> String
}

extension StoryTeller {
    /// The story in sentences, a line each.
    package func lines(_ story: Story) -> [String] {
        story.told.map { "\(time($0.at))  \(sentence($0.fact))" }
    }

    /// The answers to "why not me?", a line each.
    package func answers(_ story: Story, taxi: String) -> [String] {
        if story.answers.isEmpty { return [nobodyAsked(story.request)] }
        return story.answers.map { answer in
            "\(time(answer.at))  \(asked(answer.asked)) \(sentence(answer.reason, taxi: taxi))"
        }
    }
}
