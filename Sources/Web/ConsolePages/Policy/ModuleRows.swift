import Dispatching
import Localization
import Markup
import Storage
import Taxi
import WebCore

/// The modules that the city may leave out, with what each may read and change (R108, R109).
extension ConsolePages {
    func modules(_ policy: Policy, _ context: RequestContext) -> HTML {
        let rows = ModuleDeclaration.optional.map { module -> WebCore.Row in
            let isOn = module.isOn(policy)
            let chip = StateChip(
                isOn ? ModuleTexts.on : ModuleTexts.off,
                icon: isOn ? .check : .close,
                tone: isOn ? .good : .quiet
            )
            let facts = [
                ModuleTexts.reads(Self.list(module.reads)),
                ModuleTexts.writes(Self.list(module.writes)),
            ]
            return WebCore.Row(
                .plug,
                "\(context.say(module.title))",
                detail: "\(facts.map(context.say).joined(separator: " "))",
                value: chip.html(context)
            )
        }
        return """
            <h2>\(context.say(ModuleTexts.title))</h2>
            <p class="hint">\(context.say(ModuleTexts.lead))</p>
            \(Rows(rows).html)
            """
    }

    private static func list(_ kinds: Set<DataKind>) -> Text {
        let words = kinds.sorted { $0.rawValue < $1.rawValue }.map(\.text)
        return Text(joining: words, separator: ", ")
    }
}

extension ModuleDeclaration {
    /// What the module is called.
    fileprivate var title: Text {
        switch self {
        case .reservations: ModuleTexts.reservations
        case .sharing: ModuleTexts.sharing
        default: Text(same: name)
        }
    }
}

extension DataKind {
    /// What the kind of data is called.
    var text: Text {
        switch self {
        case .dispatch: ModuleTexts.dispatch
        case .fares: ModuleTexts.fares
        case .profiles: ModuleTexts.profiles
        case .places: ModuleTexts.places
        case .reservations: ModuleTexts.ownReservations
        case .cancellations: ModuleTexts.cancellations
        case .sharedRides: ModuleTexts.sharedRides
        case .guests: ModuleTexts.guests
        default: Text(same: rawValue)
        }
    }
}
