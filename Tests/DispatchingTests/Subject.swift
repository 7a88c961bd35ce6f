import Chronology

@testable import Dispatching

/// A defect that comparable systems have (spec/taxi.md 3), put into the dispatcher by a double.
enum Defect: CaseIterable {
    case none
}

/// The dispatcher as the suite drives it, with a defect or without.
struct Subject {
    var core = Dispatcher()
    var defect: Defect?

    init(defect: Defect?) { self.defect = defect }

    mutating func take(_ step: Step) -> (result: StepResult, events: [Event]) {
        var events: [Event] = []
        if step.action == .restart { events += core.restart(at: step.moment) }
        events += core.advance(to: step.moment)
        var refusal: Refusal?
        if case .command(let command) = step.action {
            do throws(Refusal) { events += try core.apply(command) } catch { refusal = error }
        }
        var result = StepResult(events)
        result.refusal = refusal
        return (result, events)
    }
}
