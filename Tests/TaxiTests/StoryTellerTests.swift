import Chronology
import Dispatching
import Localization
import Testing

@testable import Taxi

/// All kinds of facts with all variants of their contents.
enum Everything {
    static let moment = Moment(milliseconds: 1_778_630_400_000)
    static let one = RequestNumber(rawValue: 11)
    static let other = RequestNumber(rawValue: 12)
    static let outcomes: [RequestOutcome] = RequestOutcome.allCases
    static let reasons: [Fact.Reason] =
        [
            .tooSmall, .askedBefore, .cameLater, .assigned, .furtherBack(ahead: 3),
            .elsewhere(zone: "Duomo"), .nearer(zone: "Brera"), .chosen,
        ] + TaxiStatus.allCases.map { .status($0) }

    static var facts: [Fact] {
        let needs = [
            Capacity(seats: 1), Capacity(seats: 3), Capacity(seats: 2, wheelchair: true),
        ]
        var facts: [Fact] = needs.flatMap { need -> [Fact] in
            [
                .asked(zone: "Duomo", need, isShared: false),
                .asked(zone: "Duomo", need, isShared: true),
                .booked(zone: "Duomo", need, due: moment, firstTry: moment),
            ]
        }
        facts += [
            .joined(one), .gainedJoiner(other), .tried(2), .shown(taxi: "A7"),
            .renewed(taxi: "A7", deadline: moment), .accepted(taxi: "A7"),
            .held(nextTry: moment), .heldTried(3), .assigned(taxi: "A7", reason: "flat tyre"),
            .parked(reason: "flat tyre"), .unparked, .reached(taxi: "A7"),
            .stated(taxi: "A7"), .givenBack(taxi: "A7", .dispatcher, reason: "flat tyre"),
            .wrongCode(taxi: "A7"), .boarded(taxi: "A7", 1), .boarded(taxi: "A7", 2),
            .arrived(taxi: "A7"), .changedOwner(from: one, to: other),
        ]
        facts += GiveBackCause.allCases.filter { $0 != .dispatcher }.map {
            .givenBack(taxi: "A7", $0, reason: "")
        }
        facts += PostponeCause.allCases.map { .postponed($0, nextTry: moment) }
        facts += OfferOutcome.allCases.map { .declined(taxi: "A7", $0) }
        facts += outcomes.flatMap { outcome -> [Fact] in
            [.ended(outcome, reason: ""), .ended(outcome, reason: "flat tyre")]
        }
        let passed = reasons.map { Fact.Passed(taxi: "B8", reason: $0) }
        facts += OfferRule.allCases.flatMap { rule in
            [[], [passed[0]], passed].map { some in
                .offered(taxi: "A7", rule, place: 4, deadline: moment, passed: some)
            }
        }
        return facts
    }
}

@Suite("The tellers of stories")
struct StoryTellerTests {
    private static let clock: @Sendable (Moment) -> String = { _ in "08:31" }
    private static let english = StoryTeller(.english, clock: clock)
    private static let italian = StoryTeller(.italian, clock: clock)

    /// Checks that each fact has a sentence of its own.
    private static func check(_ teller: StoryTeller) {
        let sentences = Everything.facts.map { teller.sentence($0) }
        for (fact, sentence) in zip(Everything.facts, sentences) {
            #expect(sentence.hasSuffix("."), "\(fact) is told as \"\(sentence)\"")
            #expect(!sentence.contains("  ") && !sentence.contains(".."), "\(sentence)")
        }
        let whys = Everything.reasons.map { teller.sentence($0, taxi: "A7") }
        for why in whys { #expect(why.hasSuffix("."), "\(why)") }
        #expect(Set(whys).count == whys.count)
        #expect(Set(sentences).count == sentences.count)
    }

    @Test("every fact is told in English")
    func inEnglish() { Self.check(Self.english) }

    @Test("every fact is told in Italian")
    func inItalian() { Self.check(Self.italian) }

    @Test("both tell the same names, numbers and hours", arguments: Everything.facts)
    func sameThings(fact: Fact) {
        let sentences = [Self.english.sentence(fact), Self.italian.sentence(fact)]
        for name in ["A7", "B8", "Duomo", "08:31", "11", "12", "flat tyre"] {
            let counts = sentences.map { $0.ranges(of: name).count }
            #expect(counts[0] == counts[1], "\(name) in \(sentences)")
        }
        #expect(sentences[0] != sentences[1])
    }

    @Test("the story of a ride reads well in Italian")
    func reads() {
        let needs = Capacity(seats: 2, wheelchair: true)
        let told: [(Fact, String)] = [
            (
                .asked(zone: "Duomo", needs, isShared: false),
                "Chiamata di un taxi nella zona Duomo per 2 passeggeri e una sedia a rotelle."
            ),
            (
                .declined(taxi: "A7", .refused),
                "Il taxi A7 rifiuta e va in fondo alla sua coda."
            ),
            (.boarded(taxi: "A7", 1), "A bordo del taxi A7: 1 persona."),
            (.ended(.completed, reason: ""), "La corsa è finita."),
        ]
        for (fact, sentence) in told { #expect(Self.italian.sentence(fact) == sentence) }
    }
}
