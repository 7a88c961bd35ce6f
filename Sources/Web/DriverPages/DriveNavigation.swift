import Fares
import Geo
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension Preferences.Navigation {
    /// What people call the program.
    var label: Text {
        switch self {
        case .device: Text("What this device opens", "Quello che apre questo dispositivo")
        case .google: Text(same: "Google Maps")
        case .waze: Text(same: "Waze")
        case .apple: Text("Apple Maps", "Mappe di Apple")
        case .openStreetMap: Text(same: "OpenStreetMap")
        }
    }

    /// Where the way to a place is shown (R60); only where somebody drives to leaves this house,
    /// and only when the driver presses, or has said that it shall open by itself.
    func address(of place: Coordinate) -> Address? {
        let latitude = Self.degrees(place.latitude)
        let longitude = Self.degrees(place.longitude)
        let point = "\(latitude),\(longitude)"
        return switch self {
        case .device: Address(outside: "geo:\(point)?q=\(point)")
        case .google:
            Address(
                outside: "https://www.google.com/maps/dir/?api=1&travelmode=driving"
                    + "&destination=\(point)"
            )
        case .waze: Address(outside: "https://waze.com/ul?navigate=yes&ll=\(point)")
        case .apple: Address(outside: "https://maps.apple.com/?dirflg=d&daddr=\(point)")
        case .openStreetMap:
            Address(outside: "https://www.openstreetmap.org/directions?to=\(point)")
        }
    }

    /// The program itself: what a device opens is told from how its browser calls itself.
    ///
    /// Telephones with Android ask which of their programs shall show a `geo:` address, Apple's
    /// devices have maps of their own, and everything else has at least a browser.
    func found(on agent: String) -> Self {
        guard self == .device, !agent.contains("Android") else { return self }
        return ["iPhone", "iPad", "Mac OS X"].contains { agent.contains($0) }
            ? .apple : .openStreetMap
    }

    /// Degrees with seven decimals.
    private static func degrees(_ value: Int32) -> String {
        let part = String(value.magnitude % 10_000_000)
        let zeros = String(repeating: "0", count: 7 - part.count)
        return (value < 0 ? "-" : "") + "\(value.magnitude / 10_000_000).\(zeros)\(part)"
    }
}

extension DriverPages {
    /// The way to a place, in the program that the driver prefers.
    func navigationLink(_ place: MeetingPlace?, _ visit: Visit) async throws -> HTML? {
        guard let place else { return nil }
        let preferences = try await profile(visit).preferences
        let program = preferences.navigation.found(on: visit.headers[.userAgent] ?? "")
        guard let address = program.address(of: place.place) else { return nil }
        let name: HTML = program == .device ? .empty : " (\(visit.say(program.label)))"
        // The driver's page stays open behind it, and is the same when he comes back. A telephone
        // that has the program opens that; one that shows it in the browser may measure nothing
        // for the page behind it, but in its place there would be no page at all.
        let target: HTML = program == .device ? .empty : " target=\"_blank\""
        // A script opens it after the press that leads here (`drive.js`).
        let opens: HTML = preferences.navigationOpens ? " data-opens" : .empty
        return """
            <p><a class="button drive" href=\(address)\(target)\(opens) rel="noopener noreferrer">\
            \(visit.say(NavigationWords.open))\(name)</a></p>
            """
    }

    /// Which program shows the way.
    func showNavigation(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        let chosen = try await profile(visit).preferences
        let programs = Preferences.Navigation.allCases.map { ($0.rawValue, $0.label) }
        let form = FormPage(
            action: Address("/drive/navigation"),
            fields: [
                Field(
                    name: "program",
                    label: NavigationWords.program,
                    kind: .choice(programs),
                    hint: NavigationWords.hint,
                    value: chosen.navigation.rawValue
                ),
                Field(
                    name: "opens",
                    label: NavigationWords.when,
                    kind: .several([("itself", NavigationWords.itself)]),
                    hint: NavigationWords.itselfHint,
                    value: chosen.navigationOpens ? "itself" : "",
                    isRequired: false
                ),
            ],
            button: CommonTexts.save,
            busy: DriveWords.busy
        )
        var page = formPage(NavigationWords.title, lead: nil, form, visit)
        page.body += "<p><a href=\"/drive\">\(visit.say(DriveWords.back))</a></p>"
        return reply(page, to: visit)
    }

    /// The driver chooses the program.
    func chooseNavigation(_ visit: Visit, _ seat: Seat) async throws -> Reply {
        guard let program = Preferences.Navigation(rawValue: visit.form["program"] ?? "") else {
            throw Failure.badRequest
        }
        let profile = try await profile(visit)
        var change = ProfileChange()
        change.preferences = profile.preferences
        change.preferences?.navigation = program
        change.preferences?.navigationOpens = visit.form["opens"] == "itself"
        try await accounts.change(change, of: profile.number)
        return driveOn("saved", visit)
    }
}

enum NavigationWords {
    static let title = Text("Navigation", "Navigazione")
    static let program = Text("Show the way with", "Mostra la strada con")
    static let hint = Text(
        "When it opens, the place you drive to is handed to that program.",
        "Quando si apre, il luogo in cui vai viene passato a quel programma."
    )
    static let when = Text("When it opens", "Quando si apre")
    static let itself = Text(
        "By itself, when I have accepted a ride and when the passengers are aboard",
        "Da solo, quando ho accettato una corsa e quando i passeggeri sono a bordo"
    )
    static let itselfHint = Text(
        "Where the browser lets it; you can always press “Show the way”. A telephone that shows "
            + "another program may not tell us where you are until you come back to this page.",
        "Se il browser lo permette; puoi sempre premere «Mostra la strada». Un telefono che mostra "
            + "un altro programma può non dirci dove sei finché non torni su questa pagina."
    )
    static let open = Text("Show the way", "Mostra la strada")
}
