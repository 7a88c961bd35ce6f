import WebTestSupport

/// Who may use which route, written by hand: a route declared for too many people, or without the
/// password it should ask for, differs from this table.
///
/// Paths not listed here are the most restricted: on the console and in the design system, for
/// administrators who have just entered the password; elsewhere, for anybody signed in.
enum RouteRights {
    /// Who may use a route.
    enum Circle {
        case everybody
        case signedIn
        case staff
        case administrators
    }

    /// What operators may do as well; a path ending with a star stands for all paths that begin
    /// with it.
    private static let ofStaff = [
        "/console", "/console/drivers", "/console/driver/{person}", "/console/feedback",
        "/console/feed/{feed}*", "/console/feeds*",
        "/console/import/{kind}/template.csv", "/console/operations*", "/console/policy",
        "/console/policy/file", "/console/search", "/console/statistics*", "/console/suspension*",
        "/console/tariffs", "/console/tariffs/example", "/console/tariffs/file",
    ]

    /// What administrators may view or prepare without entering the password again.
    private static let plain = [
        "/console/apps", "/console/apps/{number}", "/console/apps/{number}/webhooks/{webhook}",
        "/console/apps/{number}/webhooks/{webhook}/open",
        "/console/apps/{number}/webhooks/{webhook}/send",
        "/console/apps/{number}/webhooks/{webhook}/test", "/console/audit", "/console/backups",
        "/console/backups/check", "/console/people", "/console/person/{person}",
        "/console/setup", "/console/setup/mail", "/console/zones",
        "/console/zones/discard", "/console/zones/draft*",
        "/console/zones/history", "/console/zones/history/{number}/zones.geojson",
        "/console/zones/import", "/console/zones/map.svg", "/console/zones/new",
        "/console/zones/undo", "/console/zones/zones.geojson", "/design*",
    ]

    /// Paths outside the console that ask for the password again.
    private static let grave = [
        "/account/delete", "/account/email", "/account/export", "/account/sign-in/end",
        "/account/sign-ins/{provider}", "/account/user-name",
    ]

    /// What strangers may use: public pages, sign-in, and rides, which guests have too and whose
    /// pages each check the owner.
    private static let ofAll = [
        "/", "/accessibility", "/privacy", "/terms", "/offline*", "/language",
        "/manifest.webmanifest",
        "/service-worker.js", "/assets/*", "/tiles/*", "/map.svg", "/events", "/health/*",
        "/metrics", "/login", "/login/code", "/login/from/*", "/login/resend", "/login/with/*",
        "/logout", "/register*",
        "/confirm*", "/account/confirm", "/password/*", "/taxi", "/taxi/check*", "/taxi/code",
        "/taxi/guest", "/taxi/places*", "/taxi/point/*", "/taxi/request",
        "/places/*", "/plan*", "/reach*", "/stops*", "/lines*", "/rentals/*", "/living/*",
        "/ride/{request}",
        "/ride/{request}/cancel", "/ride/{request}/feedback", "/ride/{request}/link*",
        "/calendar/feed/{token}", "/devices/report", "/developers*", "/api/openapi.json",
        "/api/status",
        "/ride/{request}/map.svg", "/receipt/{request}*", "/taxi/again", "/trip/{token}",
        "/oauth/*", "/.well-known/*", "/gofs/*", "/open-data/*",
    ]

    /// Who may use the routes of a path.
    static func circle(of path: String) -> Circle {
        if ofAll.contains(where: { covers($0, path) }) { return .everybody }
        guard path.hasPrefix("/console") || path.hasPrefix("/design") else { return .signedIn }
        return ofStaff.contains { covers($0, path) } ? .staff : .administrators
    }

    /// Whether the routes of a path ask for the password again after a while (R8).
    static func isGrave(_ path: String) -> Bool {
        guard circle(of: path) == .administrators else { return grave.contains(path) }
        return !plain.contains { covers($0, path) }
    }

    /// Lines that no longer match any route.
    static func leftOver(by paths: [String]) -> [String] {
        (ofStaff + plain + grave + ofAll).filter { line in !paths.contains { covers(line, $0) } }
    }

    private static func covers(_ line: String, _ path: String) -> Bool {
        line.hasSuffix("*") ? path.hasPrefix(line.dropLast()) : path == line
    }
}
