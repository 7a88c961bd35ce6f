import Testing

/// A scenario of the specification (section 6), as a text.
struct Scenario: CustomTestStringConvertible {
    /// Its name there, such as SA1.
    let name: String
    /// The subject of the scenario.
    let title: String
    /// Where the taxis A, B, C are at the beginning.
    let taxis: [String]
    /// What is done and what comes of it; see ``Story``.
    let script: String

    init(_ name: String, _ title: String, taxis: [String], _ script: String) {
        self.name = name
        self.title = title
        self.taxis = taxis
        self.script = script
    }

    var testDescription: String { "\(name): \(title)" }

    /// All that concern the dispatcher.
    static let all = scenariosA + useCasesA + scenariosB
}
