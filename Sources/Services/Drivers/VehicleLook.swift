import Encoding
import Identity
import Storage

/// The colour of a taxi, as its papers state it: few words that every passenger understands.
package enum VehicleColour: String, CaseIterable, Hashable, Sendable {
    case white
    case black
    case grey
    case silver
    case blue
    case red
    case green
    case yellow
    case orange
    case brown
    case beige

    /// Parses a colour in English or, as Italian registers write it, in Italian.
    ///
    /// - Returns: nil for any other word.
    init?(typed text: String) {
        let word = text.trimmingWhiteSpace().lowercased()
        guard let colour = Self.allCases.first(where: { $0.words.contains(word) }) else {
            return nil
        }
        self = colour
    }

    /// The words for the colour in tables, the stored one first.
    private var words: [String] {
        switch self {
        case .white: [rawValue, "bianco", "bianca"]
        case .black: [rawValue, "nero", "nera"]
        case .grey: [rawValue, "gray", "grigio", "grigia"]
        case .silver: [rawValue, "argento"]
        case .blue: [rawValue, "blu", "azzurro", "azzurra"]
        case .red: [rawValue, "rosso", "rossa"]
        case .green: [rawValue, "verde"]
        case .yellow: [rawValue, "giallo", "gialla"]
        case .orange: [rawValue, "arancione"]
        case .brown: [rawValue, "marrone"]
        case .beige: [rawValue]
        }
    }
}

/// What a taxi looks like according to its papers, by which passengers recognise it in traffic.
package struct VehicleLook: Hashable, Sendable {
    /// Make and model, such as `Toyota Corolla`; nil if the papers do not state them.
    package let make: String?
    /// The colour; nil if the papers do not state it.
    package let colour: VehicleColour?

    /// The longest make and model, in characters: more would not fit beside a plate.
    package static let makeLimit = 40

    /// Creates a description; by default, nothing is known.
    package init(make: String? = nil, colour: VehicleColour? = nil) {
        self.make = make
        self.colour = colour
    }

    /// Parses typed values, which may be empty, and adds any problems to the list.
    init(make: String, colour: String, _ problems: inout [FieldProblem]) {
        let typed = make.trimmingWhiteSpace()
        switch FieldProblem.Kind(ofLine: typed, most: Self.makeLimit) {
        case nil: self.make = typed
        case .missing: self.make = nil
        case .some(let problem):
            problems.append(FieldProblem(.make, problem))
            self.make = nil
        }
        self.colour = VehicleColour(typed: colour)
        if self.colour == nil, !colour.trimmingWhiteSpace().isEmpty {
            problems.append(FieldProblem(.colour, .badFormat))
        }
    }

    /// Opens the columns `make` and `colour` of a taxi's row.
    init(_ row: Row, under key: PersonKey) throws {
        func text(_ field: PersonField) throws -> String? {
            let sealed: [UInt8]? = try row.value(field.rawValue)
            return try sealed.map { try key.open($0, as: field.rawValue) }
        }
        self.init(
            make: try text(.make),
            colour: try text(.colour).map { name in
                guard let colour = VehicleColour(rawValue: name) else {
                    preconditionFailure("no colour of a taxi is called \(name)")
                }
                return colour
            }
        )
    }
}
