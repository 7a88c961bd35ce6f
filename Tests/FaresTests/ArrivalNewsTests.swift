import Chronology
import Fares
import Testing

/// C8: once or every `eta.refresh_s`, and at once on a change of more than 60 s; R62: hidden once
/// the passenger is on board.
@Suite("When arrivals are told (C8)")
struct ArrivalNewsTests {
    private typealias Told = ArrivalNews.Told
    private let every90 = ArrivalNews(refreshSeconds: 90)
    private let once = ArrivalNews(refreshSeconds: 0)
    /// An arbitrary time; the predicted arrival is ten minutes later.
    private let start = Moment(milliseconds: 1_772_442_000_000)
    private var told: Told { Told(at: start, arrival: start.adding(seconds: 600)) }

    private func decision(
        _ rule: ArrivalNews,
        after seconds: Int64,
        arrival: Int64?
    ) -> ArrivalNews.Decision {
        rule.decision(
            arrival.map { start.adding(seconds: $0) },
            .onTheWay,
            after: told,
            now: start.adding(seconds: seconds)
        )
    }

    @Test("the first is told at acceptance, known or not")
    func first() {
        let arrival = start.adding(seconds: 300)
        for rule in [every90, once] {
            #expect(rule.decision(arrival, .onTheWay, after: nil, now: start) == .tell(arrival))
            #expect(rule.decision(nil, .onTheWay, after: nil, now: start) == .tell(nil))
        }
    }

    @Test("it is told again after 90 s, not before")
    func refresh() {
        #expect(decision(every90, after: 89, arrival: 610) == .keep)
        #expect(
            decision(every90, after: 90, arrival: 610) == .tell(start.adding(seconds: 610))
        )
        #expect(decision(every90, after: 90, arrival: nil) == .tell(nil))
        #expect(decision(every90, after: 30, arrival: nil) == .keep)
        #expect(decision(once, after: 3_600, arrival: 610) == .keep)
    }

    @Test("a change of more than 60 s either way is told at once, but not by the rule of once")
    func push() {
        for (arrival, isNews) in [
            (600, false), (660, false), (540, false), (661, true), (539, true),
        ] as [(Int64, Bool)] {
            let news = ArrivalNews.Decision.tell(start.adding(seconds: arrival))
            #expect(decision(every90, after: 5, arrival: arrival) == (isNews ? news : .keep))
            #expect(decision(once, after: 5, arrival: arrival) == .keep)
        }
    }

    @Test("what was unknown is told as soon as it is known")
    func unknown() {
        let arrival = start.adding(seconds: 300)
        let silent = Told(at: start, arrival: nil)
        let now = start.adding(seconds: 1)
        for rule in [every90, once] {
            #expect(rule.decision(arrival, .onTheWay, after: silent, now: now) == .tell(arrival))
            let later = start.adding(seconds: 500)
            #expect(rule.decision(nil, .onTheWay, after: silent, now: later) == .keep)
        }
    }

    @Test("it is hidden once the taxi has arrived, and only once")
    func hidden() {
        #expect(every90.decision(start, .arrived, after: told, now: start) == .hide)
        #expect(every90.decision(start, .arrived, after: nil, now: start) == .keep)
    }

    @Test("a clock set back, and moments without end, do no harm (I28)")
    func clocks() {
        #expect(
            decision(every90, after: -3_600, arrival: 610) == .tell(start.adding(seconds: 610))
        )
        let ages = Told(at: start, arrival: Moment(milliseconds: .min))
        #expect(
            every90.decision(.never, .onTheWay, after: ages, now: start) == .tell(.never)
        )
        #expect(ArrivalNews(refreshSeconds: -5) == once)
    }
}
