import Identity
package import Localization
import Markup

/// An account that is left to visitors of the demo; each is shown on every page.
package enum DemoAccount: String, CaseIterable, Sendable {
    case passenger
    case driver
    /// A second driver, for whoever wants to see two of them compete.
    case driver2
    case serviceOperator = "operator"

    /// The password of all of them; whoever reads it can be anybody of the invented city.
    package static let password = "Viavai2026"

    /// The name to sign in with, and the first part of the address of a window of its own.
    package var userName: String { rawValue }

    /// Whether it drives a taxi.
    package var isDriver: Bool { self == .driver || self == .driver2 }

    /// Who it is.
    package var title: Text {
        switch self {
        case .passenger: Text("passenger", "passeggero")
        case .driver: Text("driver", "tassista")
        case .driver2: Text("second driver", "secondo tassista")
        case .serviceOperator: Text("operator", "operatore")
        }
    }

    /// The page that it begins with.
    var start: Address {
        switch self {
        case .passenger: Address("/")
        case .driver, .driver2: Address("/drive")
        case .serviceOperator: Address("/console")
        }
    }

    /// The address of a window of its own: browsers keep apart what is at other names, and all
    /// names that end so are this machine (RFC 6761).
    ///
    /// - Parameter port: `:8080`, or nothing where the host that was asked for names none.
    /// - Returns: the address of the page that it begins with.
    package func window(port: String) -> String {
        "http://\(userName).localhost\(port)\(start.text)"
    }

    /// The given and the family name.
    var name: (given: String, family: String) {
        switch self {
        case .passenger: ("Anna", "Conti")
        case .driver: ("Bruno", "Ferri")
        case .driver2: ("Carla", "Serra")
        case .serviceOperator: ("Olga", "Riva")
        }
    }

    /// The e-mail address, where no mail arrives (RFC 2606).
    var email: String { "\(userName)@demo.example" }
}
