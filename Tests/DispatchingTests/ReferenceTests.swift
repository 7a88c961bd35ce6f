import TestSupport
import Testing

@testable import Dispatching

@Suite("The dispatcher against a naive model")
struct ReferenceTests {
    @Test(
        "random commands do to the dispatcher what they do to the model, and break no rule",
        arguments: [
            (40, 15_000, false), (200, 1_000, false), (40, 15_000, true), (200, 2_000, true),
        ]
    )
    func randomRuns(steps: Int, runs: Int, withNeighbours: Bool) async {
        let last = UInt64(Effort.instances(runs))
        // The runs are interleaved so that each core gets a share.
        let strides: UInt64 = 8
        let failing = await withTaskGroup(of: RandomRun?.self) { group in
            for first in 1...strides {
                group.addTask {
                    stride(from: first, through: last, by: Int(strides)).lazy
                        .map {
                            RandomRun(seed: $0, steps: steps, withNeighbours: withNeighbours)
                        }
                        .first { $0.finding() != nil }
                }
            }
            return await group.reduce(into: [RandomRun]()) { $0 += $1.map { [$0] } ?? [] }
        }
        if let run = failing.min(by: { $0.seed < $1.seed }) {
            Issue.record("\(run.shrunk().report())")
        }
    }

    @Test(
        "what once went wrong goes right",
        arguments: [
            (24, "a rider's licence that was over left a deadline"),
            (230, "after a pause a driver without licence was asked"),
            (2_495, "a request that a redraw put outside was served first, by the model"),
            (75_767, "the same, by the invariants"),
            (34_348, "a suspension ended a reservation whose first try a policy had put off"),
        ] as [(UInt64, String)]
    )
    func kept(seed: UInt64, story: String) {
        let run = RandomRun(seed: seed, steps: 40)
        #expect(run.finding() == nil, "\(story)")
    }

    @Test("left alone, every request ends that has no taxi and was not set aside (I9, I30)")
    func everyRequestEnds() {
        for seed in 1...UInt64(Effort.instances(1_000)) {
            let run = RandomRun(seed: seed &+ 1_000_000, steps: 40)
            var subject = Subject()
            var generator = CommandGenerator(run.seed)
            generator.withNeighbours = seed.isMultiple(of: 2)
            for step in generator.beginning() { _ = subject.take(step) }
            for choice in run.choices {
                var draw = CommandGenerator(choice)
                draw.withNeighbours = seed.isMultiple(of: 2)
                _ = subject.take(draw.step(&subject.core))
            }
            var rounds = 0
            while let moment = subject.core.nextDeadline(), rounds < 2_000 {
                _ = subject.take(Step(moment: moment, action: .nothing))
                rounds += 1
            }
            #expect(rounds < 2_000, "seed \(run.seed)")
            #expect(subject.core.nextDeadline() == nil, "seed \(run.seed)")
            for request in subject.core.requests {
                switch request.phase {
                case .riding, .parked: break
                case .joined(let owner): #expect(subject.core.request(owner) != nil)
                default: Issue.record("seed \(run.seed): \(request) never ends")
                }
            }
        }
    }

    @Test("the random commands reach every event, cause, outcome and refusal")
    func reach() {
        var reached: [String: Int] = [:]
        for seed in 1...UInt64(Effort.instances(2_000)) {
            var subject = Subject()
            var generator = CommandGenerator(seed)
            generator.withNeighbours = seed.isMultiple(of: 2)
            var steps = generator.beginning()
            let run = RandomRun(seed: seed, steps: 40)
            let beginning = steps.count
            for index in 0..<(beginning + run.choices.count) {
                if index >= beginning {
                    var draw = CommandGenerator(run.choices[index - beginning])
                    draw.withNeighbours = seed.isMultiple(of: 2)
                    draw.returnsHome = draw.withNeighbours
                    draw.doubtsStatements = draw.withNeighbours
                    steps.append(draw.step(&subject.core))
                }
                let (result, events) = subject.take(steps[index])
                for name in events.map(Self.name) { reached[name, default: 0] += 1 }
                if let refusal = result.refusal {
                    reached["refused " + Self.caseName(refusal), default: 0] += 1
                }
            }
        }
        #if !DEBUG
        // A debug build executes too few runs.
        let missing = Self.wanted.filter { reached[$0] == nil }
        #expect(missing.isEmpty)
        #endif
    }

    /// The branches that random commands must reach: all queue causes, outcomes and rules.
    private static let wanted: [String] =
        OfferRule.allCases.map { "offered \($0)" }
        + OfferOutcome.allCases.map { "offerClosed \($0)" }
        + RequestOutcome.allCases.map { "ended \($0)" }
        + OffDutyCause.allCases.map { "wentOffDuty \($0)" }
        + PostponeCause.allCases.map { "reservationPostponed \($0)" }
        + [
            "wentOnDuty", "refused", "ignored", "undeliverable", "offerWithdrawn", "rideEnded",
            "rideLost", "changedZone", "enteredCity", "regainedContact", "redrawn",
            "turnRestored", "returned",
        ].map { "enqueued \($0)" }
        + ["wentOffDuty", "changedZone", "leftCity", "lostContact", "turnRestored", "removed"]
        .map { "dequeued \($0)" }
        + [
            "policyAdopted", "zonesDrawn", "taxiRegistered", "taxiChanged", "taxiRemoved",
            "setupCompleted", "suspended", "resumed", "restarted", "wentOnDuty", "placed",
            "contactLost", "contactRegained", "turnRestored", "turnKept", "homeTurnKept",
            "requested", "reserved",
            "joined", "reservationTried", "held", "heldTried", "parked", "unparked", "assigned",
            "ownerChanged", "offerRenewed", "offerDelivered", "accepted", "meetingPointReached",
            "codeRejected", "boarded", "destinationReached", "arrivalStated", "givenBack",
        ]
        + [
            "setupIncomplete", "setupAlreadyComplete", "suspended", "notSuspended", "codeTaken",
            "invalid", "reasonMissing", "noSuchTaxi", "noSuchZone", "alreadyOnDuty",
            "alreadyOffDuty", "outsideCity", "placeUnknown", "outOfContact", "licenceExpired",
            "riding", "notRiding", "notQueued", "offerGone", "meetingPointNotReached",
            "destinationNotReached", "nobodyAboard", "alreadyAboard", "codeMissing", "codeLocked",
            "noShowDisabled", "waitUntil", "tooSmall", "noSuchRequest", "guestsNotAllowed",
            "originOutsideCity", "liveRequest", "destinationMissing", "tooSoon", "tooFar",
            "tooLateToCancel", "wrongPhase", "reservationsDisabled", "sharingDisabled", "notShared",
            "seatsLeft",
            "walkTooLong", "detourTooLong", "waitTooLong",
        ].map { "refused \($0)" }

    /// The name of a case without its associated values.
    private static func caseName(_ value: some Any) -> String {
        String(String(describing: value).prefix { $0 != "(" })
    }

    /// The name of an event with its rule, cause or outcome.
    private static func name(_ event: Event) -> String {
        // An event describes itself as its group, in parentheses the full name of its case, and in
        // further parentheses the associated values.
        let group = String(describing: event).split(separator: "(")[1]
        let name = group.prefix { $0 != ")" }.split(separator: ".").last ?? group
        switch event {
        case .offer(.offered(_, _, _, let rule)): return "\(name) \(rule)"
        case .offer(.offerClosed(_, let outcome)): return "\(name) \(outcome)"
        case .taxi(.enqueued(_, _, _, let cause)), .taxi(.dequeued(_, let cause)):
            return "\(name) \(cause)"
        case .taxi(.wentOffDuty(_, let cause, _)): return "\(name) \(cause)"
        case .request(.reservationPostponed(_, let cause, _)): return "\(name) \(cause)"
        case .request(.ended(_, let outcome, _)): return "\(name) \(outcome)"
        default: return String(name)
        }
    }
}
