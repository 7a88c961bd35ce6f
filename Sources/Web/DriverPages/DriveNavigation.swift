import Fares
import Geo
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension Preferences.Navigation {
    /// The display name of what gives directions.
    var label: Text {
        switch self {
        case .builtIn: NavigationTexts.builtIn
        case .device: DrivingTexts.whatThisDeviceOpens
        case .google: Text(same: "Google Maps")
        case .waze: Text(same: "Waze")
        case .apple: DrivingTexts.appleMaps
        case .tomTom: Text(same: "TomTom")
        case .openStreetMap: Text(same: "OpenStreetMap")
        }
    }

    /// The address that shows directions to a place (R60); nil for the driver's page itself.
    ///
    /// Only the destination is sent to a third party, and only when the driver presses the link or
    /// has chosen to open it automatically.
    func address(of place: Coordinate) -> Address? {
        let latitude = Self.degrees(place.latitude)
        let longitude = Self.degrees(place.longitude)
        let point = "\(latitude),\(longitude)"
        return switch self {
        case .builtIn: nil
        case .device: Address(outside: "geo:\(point)?q=\(point)")
        case .google:
            Address(
                outside: "https://www.google.com/maps/dir/?api=1&travelmode=driving"
                    + "&destination=\(point)"
            )
        case .waze: Address(outside: "https://waze.com/ul?navigate=yes&ll=\(point)")
        case .apple: Address(outside: "https://maps.apple.com/?dirflg=d&daddr=\(point)")
        case .tomTom: Address(outside: "tomtomgo://x-callback-url/navigate?destination=\(point)")
        case .openStreetMap:
            Address(outside: "https://www.openstreetmap.org/directions?to=\(point)")
        }
    }

    /// The actual app: the device default is resolved from the user agent of the browser.
    ///
    /// Android asks which app should open a `geo:` address, which TomTom's has no other way to be
    /// opened there. Apple devices have their own maps, and all other devices have at least a
    /// browser.
    func found(on agent: String) -> Self {
        if self == .tomTom, agent.contains("Android") { return .device }
        guard self == .device, !agent.contains("Android") else { return self }
        return ["iPhone", "iPad", "Mac OS X"].contains { agent.contains($0) }
            ? .apple : .openStreetMap
    }

    /// Formats 1e-7 degrees as decimal degrees with seven decimals.
    private static func degrees(_ value: Int32) -> String {
        let part = String(value.magnitude % 10_000_000)
        let zeros = String(repeating: "0", count: 7 - part.count)
        return (value < 0 ? "-" : "") + "\(value.magnitude / 10_000_000).\(zeros)\(part)"
    }
}

extension DriverPages {
    /// A link to directions to a place, in the driver's preferred navigation app; nil if the page
    /// itself guides them.
    ///
    /// - Parameters:
    ///   - place: the place; nil if it is not known.
    ///   - isGuided: whether the page knows a way that it can show itself.
    ///   - context: the current HTTP request.
    /// - Returns: the link; nil where it is not needed.
    /// - Throws: what keeps the driver's preferences from being read.
    func navigationLink(
        _ place: MeetingPlace?,
        isGuided: Bool,
        _ context: RequestContext
    ) async throws -> HTML? {
        // Other maps do not know the invented city of a demonstration.
        guard let place, environment.demonstration == nil else { return nil }
        let preferences = try await profile(context).preferences
        if preferences.navigation == .builtIn, isGuided { return nil }
        let chosen = preferences.navigation == .builtIn ? .device : preferences.navigation
        let program = chosen.found(on: context.headers[.userAgent] ?? "")
        guard let address = program.address(of: place.place) else { return nil }
        let name: HTML = program == .device ? .empty : " (\(context.say(program.label)))"
        // A new tab keeps the driver's page open in the background, unchanged on return. A phone
        // with the app installed opens the app. A phone that shows the directions in the browser
        // may stop measuring positions for the background page, but in the same tab there would
        // be no page left at all.
        let target: HTML = program == .device ? .empty : " target=\"_blank\""
        // A script opens it after the press that leads here (`drive.js`).
        let opens: HTML = preferences.navigationOpens ? " data-opens" : .empty
        return """
            <p><a class="button" href=\(address)\(target)\(opens) rel="noopener noreferrer">\
            \(Icon.navigate.html) <span>\(context.say(NavigationTexts.open))\(name)</span></a></p>
            """
    }

    /// The page on which the driver chooses a navigation app.
    func showNavigation(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response
    {
        let chosen = try await profile(context).preferences
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
        var page = formPage(NavigationTexts.title, lead: NavigationTexts.stops, form, context)
        page.body += "<p><a href=\"/drive\">\(context.say(DriveTexts.back))</a></p>"
        return response(page, to: context)
    }

    /// Saves the navigation app that the driver has chosen.
    func chooseNavigation(
        _ context: RequestContext,
        _ driver: WorkingDriver
    ) async throws -> Response {
        guard let program = Preferences.Navigation(rawValue: context.form["program"] ?? "") else {
            throw Failure.badRequest
        }
        let profile = try await profile(context)
        var change = ProfileChange()
        change.preferences = profile.preferences
        change.preferences?.navigation = program
        change.preferences?.navigationOpens = context.form["opens"] == "itself"
        try await accounts.change(change, of: profile.number, at: context.now)
        return driveOn("saved", context)
    }
}
