package import Chronology
import Dispatching
package import Localization

/// Describes the facts of stories in the language of a reader.
package struct StoryTeller: Sendable {
    private let language: Language
    private let clock: @Sendable (Moment) -> String

    /// Creates a teller.
    ///
    /// - Parameters:
    ///   - language: the language of the sentences.
    ///   - clock: formats an instant, for example as 08:31:05. Pages and the command line use
    ///     different formats, so sentences take the result unchanged.
    package init(_ language: Language, clock: @escaping @Sendable (Moment) -> String) {
        self.language = language
        self.clock = clock
    }

    /// Describes any fact in a sentence.
    package func sentence(_ fact: Fact) -> String {
        fact.text(clock: clock).in(language)
    }

    /// Describes in a sentence why a taxi did not get an offer.
    package func sentence(_ reason: Fact.Reason, taxi: String) -> String {
        reason.text(taxi: taxi).in(language)
    }

    /// Returns the story as sentences, one per line.
    package func lines(_ story: Story) -> [String] {
        story.told.map { "\(clock($0.at))  \(sentence($0.fact))" }
    }

    /// Returns the explanations of missing offers, one per line.
    package func answers(_ story: Story, taxi: String) -> [String] {
        if story.answers.isEmpty {
            return [StoryTexts.nobodyWasAsked(story.request.rawValue).in(language)]
        }
        return story.answers.map { answer in
            let asked = StoryTexts.wasAsked(taxi: answer.asked).in(language)
            return "\(clock(answer.at))  \(asked) \(sentence(answer.reason, taxi: taxi))"
        }
    }
}
