import Chronology
import TestSupport
import Testing

@testable import Dispatching

@Suite("Damaged logs")
struct DamagedLogTests {
    @Test("events left out, doubled, swapped or from elsewhere never trap, and never loop")
    func damaged() {
        var refused = 0
        let runs = UInt64(Effort.instances(4_000))
        for seed in 1...runs {
            var random = CommandGenerator(seed ^ 0xDA_3A6E)
            var events = Self.log(seed)
            let others = Self.log(seed &+ 7_777)
            for _ in 0...random.below(4) {
                let (place, other) = (random.below(events.count), random.below(events.count))
                switch random.below(5) {
                case 0: events.remove(at: place)
                case 1: events.insert(events[place], at: other)
                case 2: events.swapAt(place, other)
                case 3: events.insert(random.one(of: others), at: place)
                default: events.replaceSubrange(place..., with: others.dropFirst(place))
                }
                if events.isEmpty { break }
            }
            var core = Dispatcher()
            for event in events {
                let entry = Entry(at: core.now, policy: 0, input: .time, events: [event])
                do throws(ReplayFailure) {
                    try core.replay(entry)
                } catch {
                    refused += 1
                    break
                }
            }
            _ = core.nextDeadline()
        }
        #expect(refused > 0)
    }

    @Test("a snapshot with wrong bytes is refused, or is a state that can go on")
    func damagedSnapshots() {
        var refused = 0
        for seed in 1...UInt64(Effort.instances(4_000)) {
            var random = CommandGenerator(seed ^ 0x5A_A9)
            var core = Dispatcher()
            for event in Self.log(seed) { core.fold(event) }
            core.now = Town.start.adding(seconds: 60)
            var bytes = core.snapshot
            for _ in 0...random.below(3) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            do throws(CodingFailure) {
                var subject = Subject(try Dispatcher(snapshot: bytes))
                for choice in RandomRun(seed: seed, steps: 20).choices {
                    var draw = CommandGenerator(choice)
                    _ = subject.take(draw.step(&subject.core))
                }
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    /// Returns the events of a random run.
    private static func log(_ seed: UInt64) -> [Event] {
        var subject = Subject()
        var events: [Event] = []
        var generator = CommandGenerator(seed)
        for step in generator.beginning() { events += subject.take(step).events }
        for choice in RandomRun(seed: seed, steps: 60).choices {
            var draw = CommandGenerator(choice)
            events += subject.take(draw.step(&subject.core)).events
        }
        return events
    }
}
