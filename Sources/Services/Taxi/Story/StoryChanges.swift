import Chronology
import Dispatching
import Storage

/// The rows that entries of the log add to the tables of stories and offers.
struct StoryChanges: Sendable {
    /// A fact of a request with its position.
    struct Line: Sendable {
        var request: RequestNumber
        /// The number of its event among all events of the log.
        var event: Int64
        var told: Told
    }

    /// A new offer to a driver.
    struct Opening: Sendable {
        /// The offer's epoch, which is unique in the log.
        var epoch: Int64
        var request: RequestNumber
        var taxi: TaxiNumber
        /// The zone of the request.
        var zone: ZoneNumber
        var at: Moment
        /// The number of drivers ahead who were passed over, by reason.
        var passed: [OfferRecord.Overtaking: Int]
    }

    enum Step: Sendable {
        case opened(Opening)
        case closed(epoch: Int64, OfferRecord.End, at: Moment)
    }

    var lines: [Line] = []
    var steps: [Step] = []

    /// The statements that store the changes; safe to repeat.
    func statements(log: String) -> [SQL] {
        lines.map { $0.insertion(log: log) } + steps.map { $0.statement(log: log) }
    }
}

extension StoryFollower {
    /// Applies an entry of the log and collects the changes.
    ///
    /// - Parameters:
    ///   - entry: the next entry.
    ///   - changes: the collected changes.
    /// - Throws: `ReplayFailure` if it does not follow the entries before.
    mutating func follow(_ entry: Entry, _ changes: inout StoryChanges) throws(ReplayFailure) {
        for event in entry.events {
            let number = state.sequence
            let facts = facts(of: event)
            for (request, fact) in facts {
                let told = Told(at: entry.at, fact: fact)
                changes.lines.append(
                    StoryChanges.Line(request: request, event: number, told: told)
                )
            }
            if let closing = closing(event, at: entry.at) { changes.steps.append(closing) }
            try add(event, of: entry)
            if let (request, fact) = facts.first,
                let opening = opening(request, fact, at: entry.at)
            {
                changes.steps.append(.opened(opening))
            }
        }
    }

    /// Returns the end of an offer that an event closes.
    private func closing(_ event: Event, at moment: Moment) -> StoryChanges.Step? {
        let (request, end): (RequestNumber, OfferRecord.End)
        switch event {
        case .offer(.accepted(let number)): (request, end) = (number, .accepted)
        case .offer(.offerClosed(let number, let outcome)):
            (request, end) = (number, OfferRecord.End(outcome))
        case .city, .taxi, .request, .offer, .ride: return nil
        }
        guard let offer = state.request(request)?.offer else { return nil }
        return .closed(epoch: offer.epoch, end, at: moment)
    }

    /// Returns the offer that an event opens.
    private func opening(
        _ request: RequestNumber,
        _ fact: Fact,
        at moment: Moment
    ) -> StoryChanges.Opening? {
        guard case .offered(_, _, _, _, let passed) = fact, let asking = state.request(request),
            let offer = asking.offer
        else { return nil }
        return StoryChanges.Opening(
            epoch: offer.epoch,
            request: request,
            taxi: offer.taxi,
            zone: asking.zone,
            at: moment,
            passed: passed.reduce(into: [:]) { counts, one in
                counts[OfferRecord.Overtaking(one.reason), default: 0] += 1
            }
        )
    }
}

extension StoryChanges.Line {
    fileprivate func insertion(log: String) -> SQL {
        """
        INSERT INTO ride_story (log, request, event, moment, fact)
        VALUES (\(log), \(request.stored), \(event), \(told.at.milliseconds), \(told.fact.bytes))
        ON CONFLICT DO NOTHING
        """
    }
}

extension StoryChanges.Step {
    fileprivate func statement(log: String) -> SQL {
        switch self {
        case .opened(let offer):
            func passed(_ reason: OfferRecord.Overtaking) -> Int64 {
                Int64(offer.passed[reason] ?? 0)
            }
            return """
                INSERT INTO ride_offer (log, epoch, request, taxi, zone, offered, passed_small,
                    passed_asked, passed_later, passed_assigned, passed_unruled, outcome, closed)
                VALUES (\(log), \(offer.epoch), \(offer.request.stored), \(offer.taxi.stored),
                    \(Int64(offer.zone.rawValue)), \(offer.at.milliseconds),
                    \(passed(.tooSmall)), \(passed(.askedBefore)), \(passed(.cameLater)),
                    \(passed(.assigned)), \(passed(.noRule)), NULL, NULL)
                ON CONFLICT DO NOTHING
                """
        case .closed(let epoch, let end, let moment):
            return """
                UPDATE ride_offer
                SET outcome = \(Int64(end.rawValue)), closed = \(moment.milliseconds)
                WHERE log = \(log) AND epoch = \(epoch)
                """
        }
    }
}
