import Markup
package import WebCore

/// The static files that pages load.
///
/// Their names contain a hash of their content, so browsers can cache them forever and never use an
/// outdated one.
package struct Assets: Sendable {
    /// The style sheet of all pages.
    package let style: Asset
    /// The font of all pages; `scripts/font` makes it.
    package let font: Asset
    /// The script of all pages, `app.js`.
    package let script: Asset
    /// The site's icon as an SVG image.
    package let icon: Asset
    /// The icon in the sizes that installed web applications need, in pixels.
    package let pictures: [(pixels: Int, asset: Asset)]
    /// The additional style sheet of pages with a map.
    package let mapStyle: Asset
    /// The additional style sheet of the trip planner's and the calendar's pages.
    package let travelStyle: Asset
    /// The further style sheet of the trip planner's pages.
    package let linesStyle: Asset
    /// The further style sheet of all pages of the calendar.
    package let calendarStyle: Asset
    /// The further style sheet of the calendar's pages but weeks and months.
    package let dayStyle: Asset
    /// The further style sheet of weeks and months, beside that of the calendar.
    package let weekStyle: Asset
    /// The additional style sheet of the pages for developers.
    package let developersStyle: Asset
    /// The additional style sheet of the console's pages.
    package let consoleStyle: Asset
    /// The additional script of the console's pages: search, keys and the drawer.
    package let consoleScript: Asset
    /// The script of interactive maps.
    package let mapScript: Asset
    /// The script of the zone editor, for its pages only.
    package let zonesScript: Asset
    /// The script of choosing a point on a map, for its page only.
    package let pinScript: Asset
    /// The script that keeps open pages up to date.
    package let liveScript: Asset
    /// The script that subscribes a browser to notifications.
    package let pushScript: Asset
    /// Reads the codes of passes with the camera (V80).
    package let scanScript: Asset
    /// The script of the driver's page.
    package let driveScript: Asset
    /// The script that guides a driver on a ride; the driver's script loads it.
    package let navigationScript: Asset
    /// The additional style sheet of the driver's pages.
    package let driveStyle: Asset
    /// The script of place fields: the device's position and suggestions.
    package let placeScript: Asset
    private let assets: [String: Asset]

    /// Creates the assets from the files embedded in the program.
    package init() {
        font = Asset("inter.woff2", type: "font/woff2", PackageResources.inter_woff2)
        let styles = [
            PackageResources.tokens_css, PackageResources.base_css, PackageResources.frame_css,
            PackageResources.forms_css, PackageResources.components_css, PackageResources.taxi_css,
        ]
        let text = styles.map { String(decoding: $0, as: UTF8.self) }.joined()
            .replacing("FONT", with: "\"\(font.address.text)\"", maxReplacements: 1)
        style = Self.style("style.css", Array(text.utf8))
        script = Self.script("app.js", PackageResources.app_js)
        icon = Asset("icon.svg", type: "image/svg+xml", PackageResources.icon_svg)
        pictures = [
            (192, Asset("icon-192.png", type: "image/png", PackageResources.icon_192_png)),
            (512, Asset("icon-512.png", type: "image/png", PackageResources.icon_512_png)),
        ]
        mapStyle = Self.style("map.css", PackageResources.map_css)
        travelStyle = Self.style("travel.css", PackageResources.travel_css)
        linesStyle = Self.style("lines.css", PackageResources.lines_css)
        calendarStyle = Self.style("calendar.css", PackageResources.calendar_css)
        dayStyle = Self.style("day.css", PackageResources.day_css)
        weekStyle = Self.style("week.css", PackageResources.week_css)
        developersStyle = Self.style("developers.css", PackageResources.developers_css)
        consoleStyle = Self.style("console.css", PackageResources.console_css)
        consoleScript = Self.script("console.js", PackageResources.console_js)
        mapScript = Self.script("map.js", PackageResources.map_js)
        zonesScript = Self.script("zones.js", PackageResources.zones_js)
        pinScript = Self.script("pin.js", PackageResources.pin_js)
        liveScript = Self.script("live.js", PackageResources.live_js)
        pushScript = Self.script("push.js", PackageResources.push_js)
        scanScript = Self.script("scan.js", PackageResources.scan_js)
        driveScript = Self.script("drive.js", PackageResources.drive_js)
        navigationScript = Self.script("navigation.js", PackageResources.navigation_js)
        driveStyle = Self.style("drive.css", PackageResources.drive_css)
        placeScript = Self.script("place.js", PackageResources.place_js)
        // The licence of the font, which must accompany it.
        let licence = Asset(
            "inter-licence.txt",
            type: "text/plain; charset=utf-8",
            PackageResources.inter_licence_txt
        )
        let all =
            [
                style, font, licence, script, icon, mapStyle, mapScript, liveScript, pushScript,
                driveScript, placeScript, zonesScript, pinScript, consoleStyle, consoleScript,
            ]
            + pictures.map(\.asset) + [driveStyle, travelStyle, calendarStyle, weekStyle]
            + [developersStyle, navigationScript, linesStyle, dayStyle, scanScript]
        assets = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    private static func script(_ name: String, _ bytes: [UInt8]) -> Asset {
        Asset(name, type: "text/javascript; charset=utf-8", bytes)
    }

    private static func style(_ name: String, _ bytes: [UInt8]) -> Asset {
        Asset(name, type: "text/css; charset=utf-8", bytes)
    }

    /// The asset with a name.
    ///
    /// An outdated hash returns the current version.
    package func asset(named name: String) -> Asset? { assets[name] }

    /// The service worker's script, which contains the addresses of the assets.
    package var serviceWorker: [UInt8] {
        var text = String(decoding: PackageResources.service_worker_js, as: UTF8.self)
        let all = [style, font, script, icon, liveScript, driveScript, driveStyle].map(\.hash)
            .joined()
        for (word, value) in [
            ("VERSION", all), ("STYLE", style.address.text), ("FONT", font.address.text),
            ("SCRIPT", script.address.text),
            ("ICON", icon.address.text), ("LIVE", liveScript.address.text),
            ("DRIVE", driveScript.address.text), ("SHEET", driveStyle.address.text),
        ] {
            text = text.split(separator: word, omittingEmptySubsequences: false)
                .joined(separator: value)
        }
        return Array(text.utf8)
    }
}
