import Chronology

@testable import Dispatching

/// A defect that comparable systems have (spec/taxi.md 3), put into the dispatcher by a double.
///
/// Those that need a service around the dispatcher are not here: 4 (notices sent in a transaction),
/// 5 (a phone's clock in the future), 7 (one bad position) and 10 (overlapping zones).
enum Defect: String, CaseIterable {
    /// 1: the order of a queue is the second of arrival, ties broken by the taxi's number.
    case orderBySecond
    /// 2: a request is decided upon a state read before the last command was written.
    case checkThenSet
    /// 3: deadlines are not part of the state and are lost after a restart.
    case timersLost
    /// 3: a late timer fires regardless of what has happened meanwhile.
    case timerWithoutEpoch
    /// 6: a report of one driver refreshes all silent ones.
    case reportRefreshesAll
    /// 8: zones without names, as from a half-loaded cache, remove everybody.
    case emptyZones
    /// 9: an offer that no device has shown counts as ignored.
    case strikeUnseen
    /// 11: accepting takes the open offer, whichever one was displayed.
    case staleAccept
    /// 11: an answer counts also at its deadline, before the timer has run.
    case answerBeforeTimer
    /// 12: a cancellation that another command overtook still ends the request.
    case cancelOvertaken
}

/// The dispatcher under test, with or without a defect.
struct Subject {
    var core: Dispatcher
    var defect: Defect?
    /// The first event that a defect decided and that cannot follow the state.
    private(set) var contradiction: Event?
    /// The state before the last step, for defects that use outdated state.
    private var stale: Dispatcher?

    init(_ core: Dispatcher = Dispatcher(), defect: Defect? = nil) {
        self.core = core
        self.defect = defect
    }

    mutating func take(_ step: Step) -> (result: StepResult, events: [Event]) {
        let before = defect == nil ? nil : core
        var events: [Event] = []
        if step.action == .restart {
            events += core.restart(at: step.moment)
            if defect == .timersLost { core.deadlines = DeadlineQueue() }
        }
        if defect != .answerBeforeTimer || !Self.isAnswer(step) {
            events += core.advance(to: step.moment)
        }
        var refusal: Refusal?
        if case .command(let command) = step.action {
            do throws(Refusal) { events += try decided(command) } catch { refusal = error }
        }
        if defect == .answerBeforeTimer { events += core.advance(to: step.moment) }
        if let before {
            spoil(step, before, events)
            stale = before
        }
        var result = StepResult(events)
        result.refusal = refusal
        return (result, events)
    }

    private static func isAnswer(_ step: Step) -> Bool {
        switch step.action {
        case .command(.offer(.accept)), .command(.offer(.refuse)): true
        default: false
        }
    }

    /// Returns the events of a command, possibly decided on the wrong state.
    private mutating func decided(_ command: Command) throws(Refusal) -> [Event] {
        switch (defect, command) {
        case (.checkThenSet, .passenger(.request)), (.cancelOvertaken, .passenger(.cancel)):
            // Decided on the old state, applied to the new one.
            guard var old = stale, old.isSetUp, old.taxis.count == core.taxis.count,
                old.zonesHash == core.zonesHash
            else { break }
            var events: [Event] = []
            for event in try old.apply(command) {
                // Folding it would trap: the dispatcher itself finds the contradiction.
                guard core.refersToWhatIs(event) else {
                    contradiction = event
                    break
                }
                core.fold(event)
                events.append(event)
            }
            return events
        case (.staleAccept, .offer(.accept(let request, let taxi, _))):
            let epoch = core.request(request)?.offer?.epoch ?? -1
            return try core.apply(.accept(request, taxi, epoch: epoch))
        case (.reportRefreshesAll, .driver(.regainContact)):
            var events = try core.apply(command)
            for taxi in core.taxis where taxi.status == .outOfContact {
                events += try core.apply(.regainContact(taxi.number, taxi.place))
            }
            return events
        case (.emptyZones, .city(.drawZones(let drawing))):
            var empty = drawing
            empty.places = drawing.places.map { _ in .outside }
            return try core.apply(.drawZones(empty))
        default: break
        }
        return try core.apply(command)
    }

    /// Corrupts the state as the defect would, bypassing the log.
    private mutating func spoil(_ step: Step, _ before: Dispatcher, _ events: [Event]) {
        switch defect {
        case .strikeUnseen:
            for case .offer(.offerClosed(let request, .ignored)) in events {
                guard let offer = before.request(request)?.offer, !offer.isDelivered else {
                    continue
                }
                core.update(offer.taxi) { $0.ignoredOffers = min($0.ignoredOffers, 200) + 1 }
            }
        case .orderBySecond:
            for index in core.zones.indices {
                let entries = core.zones[index].entries.sorted {
                    let seconds = ($0.rank.sequence / 5, $1.rank.sequence / 5)
                    return seconds.0 == seconds.1 ? $0.taxi < $1.taxi : seconds.0 < seconds.1
                }
                let ranks = core.zones[index].entries.map(\.rank)
                for (rank, entry) in zip(ranks, entries) {
                    core.zones[index].remove(rank)
                    core.zones[index].insert(entry.taxi, at: rank)
                    core.update(entry.taxi) { $0.rank = rank }
                }
            }
        case .timerWithoutEpoch:
            // The timer of an offer that was answered meanwhile ends the next one.
            for request in before.requests {
                guard let old = request.offer, let new = core.request(request.number)?.offer,
                    new.epoch != old.epoch, new.deadline > old.deadline
                else { continue }
                core.foldOfferDeadline(request.number, old.deadline)
            }
        default: break
        }
    }
}

extension Dispatcher {
    /// Changes the deadline of an open offer, bypassing the log.
    fileprivate mutating func foldOfferDeadline(_ number: RequestNumber, _ deadline: Moment) {
        let count = sequence
        fold(.offer(.offerRenewed(number, deadline: deadline)))
        sequence = count
    }
}
