import Dispatching
import Localization
import Markup
import Storage
import Taxi
import WebCore

/// The modules that the city may leave out, with what each may read and change (R108, R109).
extension ConsolePages {
    func modules(_ policy: Policy, _ context: RequestContext) -> HTML {
        let items = ModuleDeclaration.optional.map { module -> HTML in
            let isOn = module.isOn(policy)
            let facts = [
                isOn ? ModuleTexts.on : ModuleTexts.off,
                ModuleTexts.reads(Self.list(module.reads)),
                ModuleTexts.writes(Self.list(module.writes)),
            ]
            let words = facts.map(context.say).joined(separator: " ")
            return "<li><b>\(context.say(module.title))</b>: \(words)</li>"
        }
        return """
            <h2>\(context.say(ModuleTexts.title))</h2>
            <ul>\(items)</ul>
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
