import Markup
package import WebCore

/// The static files that pages load.
///
/// Their names contain a hash of their content, so browsers can cache them forever and never use an
/// outdated one.
package struct Assets: Sendable {
    package let style: Asset
    package let script: Asset
    package let icon: Asset
    /// The icon in the sizes that installed web applications need, in pixels.
    package let pictures: [(pixels: Int, asset: Asset)]
    package let mapStyle: Asset
    package let mapScript: Asset
    package let liveScript: Asset
    package let pushScript: Asset
    package let driveScript: Asset
    package let placeScript: Asset
    private let assets: [String: Asset]

    package init() {
        style = Asset("style.css", type: "text/css; charset=utf-8", PackageResources.style_css)
        script = Asset(
            "app.js",
            type: "text/javascript; charset=utf-8",
            PackageResources.app_js
        )
        icon = Asset("icon.svg", type: "image/svg+xml", PackageResources.icon_svg)
        pictures = [
            (192, Asset("icon-192.png", type: "image/png", PackageResources.icon_192_png)),
            (512, Asset("icon-512.png", type: "image/png", PackageResources.icon_512_png)),
        ]
        mapStyle = Asset("map.css", type: "text/css; charset=utf-8", PackageResources.map_css)
        mapScript = Asset(
            "map.js",
            type: "text/javascript; charset=utf-8",
            PackageResources.map_js
        )
        liveScript = Asset(
            "live.js",
            type: "text/javascript; charset=utf-8",
            PackageResources.live_js
        )
        pushScript = Asset(
            "push.js",
            type: "text/javascript; charset=utf-8",
            PackageResources.push_js
        )
        driveScript = Asset(
            "drive.js",
            type: "text/javascript; charset=utf-8",
            PackageResources.drive_js
        )
        placeScript = Asset(
            "place.js",
            type: "text/javascript; charset=utf-8",
            PackageResources.place_js
        )
        let all =
            [
                style, script, icon, mapStyle, mapScript, liveScript, pushScript, driveScript,
                placeScript,
            ]
            + pictures.map(\.asset)
        assets = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    /// The asset with a name.
    ///
    /// An outdated hash returns the current version.
    package func asset(named name: String) -> Asset? { assets[name] }

    /// The service worker's script, which contains the addresses of the assets.
    package var serviceWorker: [UInt8] {
        var text = String(decoding: PackageResources.service_worker_js, as: UTF8.self)
        let all = [style, script, icon, liveScript, driveScript].map(\.hash).joined()
        for (word, value) in [
            ("VERSION", all), ("STYLE", style.address.text), ("SCRIPT", script.address.text),
            ("ICON", icon.address.text), ("LIVE", liveScript.address.text),
            ("DRIVE", driveScript.address.text),
        ] {
            text = text.split(separator: word, omittingEmptySubsequences: false)
                .joined(separator: value)
        }
        return Array(text.utf8)
    }
}
