import Identity
package import Localization
import Markup
import WebCore

/// An account that visitors of the demo may use; every page lists them.
package enum DemoAccount: String, CaseIterable, Sendable {
    case passenger
    /// A passenger who plans whole days with the calendar.
    case traveller
    case driver
    /// A second driver, to see two drivers compete.
    case driver2
    case serviceOperator = "operator"

    /// The password of all these accounts.
    ///
    /// It is public, so anyone can sign in as any of them.
    package static let password = "Viavai2026"

    /// The user name, which is also the first label of the host name of a separate window.
    package var userName: String { rawValue }

    /// Whether the account is a driver's.
    package var isDriver: Bool { self == .driver || self == .driver2 }

    /// The role of the account, as pages show it.
    package var title: Text {
        switch self {
        case .passenger: DemoTexts.passenger
        case .traveller: DemoTexts.traveller
        case .driver: DemoTexts.driver
        case .driver2: DemoTexts.secondDriver
        case .serviceOperator: DemoTexts.operatorText
        }
    }

    /// What the account's person does.
    var icon: Icon {
        switch self {
        case .passenger: .person
        case .traveller: .calendar
        case .driver, .driver2: .car
        case .serviceOperator: .map
        }
    }

    /// The page shown after signing in.
    var start: Address {
        switch self {
        case .passenger: Address("/")
        case .traveller: Address("/calendar")
        case .driver, .driver2: Address("/drive")
        case .serviceOperator: Address("/console")
        }
    }

    /// The address of a separate window: browsers isolate different host names, and all names with
    /// this ending resolve to the local machine (RFC 6761).
    ///
    /// - Parameter port: `:8080`, or empty if the requested host names no port.
    /// - Returns: the address of the account's first page.
    package func window(port: String) -> String {
        "http://\(userName).localhost\(port)\(start.text)"
    }

    /// The given name and the family name.
    var name: (given: String, family: String) {
        switch self {
        case .passenger: ("Anna", "Conti")
        case .traveller: ("Dario", "Galli")
        case .driver: ("Bruno", "Ferri")
        case .driver2: ("Carla", "Serra")
        case .serviceOperator: ("Olga", "Riva")
        }
    }

    /// The e-mail address, at a domain that receives no mail (RFC 2606).
    var email: String { "\(userName)@demo.example" }
}
