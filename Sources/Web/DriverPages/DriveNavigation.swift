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
        case .device: DrivingTexts.whatThisDeviceOpens
        case .google: Text(same: "Google Maps")
        case .waze: Text(same: "Waze")
        case .apple: DrivingTexts.appleMaps
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
            \(visit.say(NavigationTexts.open))\(name)</a></p>
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
                    label: NavigationTexts.program,
                    kind: .choice(programs),
                    hint: NavigationTexts.hint,
                    value: chosen.navigation.rawValue
                ),
                Field(
                    name: "opens",
                    label: NavigationTexts.when,
                    kind: .several([("itself", NavigationTexts.itself)]),
                    hint: NavigationTexts.itselfHint,
                    value: chosen.navigationOpens ? "itself" : "",
                    isRequired: false
                ),
            ],
            button: CommonTexts.save,
            busy: DriveTexts.busy
        )
        var page = formPage(NavigationTexts.title, lead: nil, form, visit)
        page.body += "<p><a href=\"/drive\">\(visit.say(DriveTexts.back))</a></p>"
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
