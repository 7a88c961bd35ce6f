package import Localization
import Markup
package import TripPlanning
package import WebCore

/// What is said where no trip keeps to all limits (V52).
extension TravelPages {
    /// Says that the trips give up some of the limits; nothing if they keep to them.
    func givenUp(_ answer: TripAnswer, _ context: RequestContext) -> HTML? {
        guard !answer.givenUp.isEmpty else { return nil }
        let limits = Self.names(of: answer.givenUp)
        return Notice(
            .warning,
            isAnnounced: true,
            "\(context.say(RelaxingTexts.notice(limits)))"
        ).html(context)
    }

    /// Limits as a list.
    package static func names(of constraints: [TripConstraint]) -> Text {
        Text(joining: constraints.map(\.text), separator: ", ")
    }

    /// What one trip has against the limits, as chips.
    func excesses(_ option: TripOption, _ context: RequestContext) -> [HTML] {
        option.excesses.map { StateChip(words($0), icon: .warning, tone: .bad).html(context) }
    }

    /// The field for what to give up first if no trip keeps to all limits.
    package static func relaxField(_ value: String) -> Field {
        Field(
            name: "relax",
            label: RelaxingTexts.field,
            kind: .choice(relaxChoices),
            hint: RelaxingTexts.hint,
            value: value
        )
    }

    /// What people may choose to give up first.
    package static let relaxChoices: [(value: String, label: Text)] =
        [("", RelaxingTexts.usual)]
        + TripConstraint.allCases.map { ($0.rawValue, $0.choice) }
        + [(TripConstraint.nothing, RelaxingTexts.nothing)]
}

extension TripConstraint {
    /// The value of a form that gives up nothing.
    package static let nothing = "none"

    /// The order in which limits are given up, from the value of a form.
    package static func order(of choice: String?) -> [TripConstraint] {
        choice == nothing ? [] : inOrder(first: choice.flatMap(TripConstraint.init(rawValue:)))
    }

    /// The value of a form from which an order came; nil for the usual one.
    package static func choice(of order: [TripConstraint]) -> String? {
        guard let first = order.first else { return nothing }
        return order == inOrder() ? nil : first.rawValue
    }

    /// The limit in a list.
    fileprivate var text: Text {
        switch self {
        case .money: RelaxingTexts.money
        case .emissions: RelaxingTexts.emissions
        case .modes: RelaxingTexts.modes
        case .wet: RelaxingTexts.wet
        case .transfers: RelaxingTexts.transfers
        case .walk: RelaxingTexts.walk
        case .hours: RelaxingTexts.hours
        case .dryCycling: RelaxingTexts.dryCycling
        }
    }

    /// What it means to give it up.
    fileprivate var choice: Text {
        switch self {
        case .money: RelaxingTexts.ratherMoney
        case .emissions: RelaxingTexts.ratherEmissions
        case .modes: RelaxingTexts.ratherModes
        case .wet: RelaxingTexts.ratherWet
        case .transfers: RelaxingTexts.ratherTransfers
        case .walk: RelaxingTexts.ratherWalk
        case .hours: RelaxingTexts.ratherHours
        case .dryCycling: RelaxingTexts.ratherCycle
        }
    }
}
