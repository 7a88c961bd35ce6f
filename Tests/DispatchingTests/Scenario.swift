import Testing

/// A scenario of the specification (section 6) as text.
struct Scenario: CustomTestStringConvertible {
    /// The name in the specification, such as SA1.
    let name: String
    /// The subject of the scenario.
    let title: String
    /// The initial zones of the taxis A, B and C.
    let taxis: [String]
    /// The actions and their expected results; see ``Story``.
    let script: String

    init(_ name: String, _ title: String, taxis: [String], _ script: String) {
        self.name = name
        self.title = title
        self.taxis = taxis
        self.script = script
    }

    var testDescription: String { "\(name): \(title)" }

    /// All scenarios that concern the dispatcher.
    static let all = scenariosA + useCasesA + scenariosB
}
