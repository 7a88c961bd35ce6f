import Chronology
import SeededRandom
import TestSupport

@testable import Dispatching

/// A random run: a setup drawn from a seed, then one step for each choice.
struct RandomRun {
    var seed: UInt64
    var choices: [UInt64]
    /// Whether requests name neighbouring zones.
    var withNeighbours = false

    /// Creates a run with a number of steps, drawn from the seed.
    init(seed: UInt64, steps: Int, withNeighbours: Bool = false) {
        self.seed = seed
        self.withNeighbours = withNeighbours
        var random = SeededRandom(seed: seed ^ 0x5EED)
        choices = (0..<steps).map { _ in random.next() }
    }

    /// The violation and the steps that led to it.
    struct Finding: Hashable {
        var steps: [Step]
        var complaints: [String]
    }

    /// Executes the run; nil if there was no violation.
    ///
    /// Without the model, only the invariants are checked.
    func finding(with defect: Defect? = nil, model isCompared: Bool = true) -> Finding? {
        var subject = Subject(defect: defect)
        var model = ReferenceModel()
        var invariants = Invariants()
        var steps: [Step] = []
        func complaints(_ step: Step) -> [String] {
            steps.append(step)
            let before = subject.core
            let (result, events) = subject.take(step)
            var found = invariants.check(step, before, events, result.refusal, subject.core)
            if let event = subject.contradiction { return found + ["\(event) cannot follow"] }
            guard isCompared else { return found }
            found += Self.differences(model.take(step), result)
            var core = subject.core
            found += Self.differences(model.picture, Picture(&core))
            model.learnEpochs(from: core)
            return found
        }
        var generator = CommandGenerator(seed)
        generator.withNeighbours = withNeighbours
        generator.doubtsStatements = withNeighbours
        for step in generator.beginning() {
            let found = complaints(step)
            if !found.isEmpty { return Finding(steps: steps, complaints: found) }
        }
        for choice in choices {
            var draw = CommandGenerator(choice)
            draw.withNeighbours = withNeighbours
            draw.doubtsStatements = withNeighbours
            draw.returnsHome = withNeighbours
            let found = complaints(draw.step(&subject.core))
            if !found.isEmpty { return Finding(steps: steps, complaints: found) }
        }
        return nil
    }

    /// Returns the shortest run that still fails, found by removing ever smaller parts
    /// (delta debugging).
    func shrunk(with defect: Defect? = nil) -> RandomRun {
        var best = self
        var part = max(1, choices.count / 2)
        while part >= 1 {
            var from = 0
            var hasShrunk = false
            while from < best.choices.count {
                var shorter = best
                shorter.choices.removeSubrange(from..<min(from + part, best.choices.count))
                if shorter.finding(with: defect) != nil {
                    best = shorter
                    hasShrunk = true
                } else {
                    from += part
                }
            }
            if part == 1 && !hasShrunk { break }
            part = max(1, part / 2)
        }
        return best
    }

    /// Describes a failure: seed, steps and violation.
    func report(with defect: Defect? = nil) -> String {
        guard let finding = finding(with: defect) else { return "nothing was wrong" }
        var text = "seed \(seed), choices \(choices)\n"
        for step in finding.steps {
            let seconds = Double(step.moment.milliseconds - Town.start.milliseconds) / 1_000
            text += "  +\(seconds) s  \(step.action)\n"
        }
        return text + finding.complaints.joined(separator: "\n")
    }

    // MARK: Comparing

    private static func differences(_ model: StepResult, _ core: StepResult) -> [String] {
        model == core ? [] : ["the model did \(model)\nthe core did \(core)"]
    }

    private static func differences(_ model: Picture, _ core: Picture) -> [String] {
        if model == core { return [] }
        var found: [String] = []
        func note<Part: Equatable>(_ name: String, _ model: Part, _ core: Part) {
            if model != core { found.append("\(name): the model has \(model)\n  the core \(core)") }
        }
        note("drivers", model.drivers, core.drivers)
        note("queues", model.queues, core.queues)
        note("requests", model.calls, core.calls)
        note("set up", model.isSetUp, core.isSetUp)
        note("suspension", model.suspension, core.suspension)
        note("next deadline", model.nextDeadline, core.nextDeadline)
        return found
    }
}
