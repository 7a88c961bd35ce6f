import Crypto
import Encoding
import Foundation
package import Markup
package import WebCore

/// The map library, from the folder of Debian's libjs-leaflet.
///
/// The few files that pages need are read at start and kept, so no request ever names a file of
/// this machine.
package struct Leaflet: Sendable {
    /// What stands in the addresses: it changes with the files.
    package let hash: String
    private let script: Asset
    private let style: Asset
    private let images: [String: Asset]

    /// The pictures that its style sheet names.
    private static let imageNames = [
        "layers.png", "layers-2x.png", "marker-icon.png", "marker-icon-2x.png",
        "marker-shadow.png",
    ]
    /// No file of it is as large.
    private static let fileLimit = 1 << 20

    /// Reads the library; nil where its script or style sheet is not there.
    ///
    /// - Parameter folder: where it is.
    package init?(folder: String) {
        func read(_ names: String...) -> [UInt8]? {
            for name in names {
                guard let file = FileHandle(forReadingAtPath: folder + "/" + name) else { continue }
                defer { try? file.close() }
                guard let data = try? file.read(upToCount: Self.fileLimit + 1),
                    data.count <= Self.fileLimit
                else { continue }
                return Array(data)
            }
            return nil
        }
        guard let code = read("leaflet.min.js", "leaflet.js"), let sheet = read("leaflet.css")
        else { return nil }
        script = Asset("leaflet.js", type: "text/javascript; charset=utf-8", code)
        style = Asset("leaflet.css", type: "text/css; charset=utf-8", sheet)
        var images: [String: Asset] = [:]
        for name in Self.imageNames {
            images[name] = read("images/" + name).map {
                Asset(name, type: "image/png", $0)
            }
        }
        self.images = images
        let all = [script, style] + Self.imageNames.compactMap { images[$0] }
        let hashes = Array(all.map(\.hash).joined().utf8)
        hash = SHA256.hash(data: hashes).prefix(8).hex
    }

    /// Where its script is.
    package var scriptAddress: Address { Address("/assets/leaflet", hash, script.name) }
    /// Where its style sheet is; pictures are beside it.
    package var styleAddress: Address { Address("/assets/leaflet", hash, style.name) }

    /// One of its files but the pictures; nil for any other name.
    package func file(named name: String) -> Asset? {
        [script, style].first { $0.name == name }
    }

    /// One of its pictures; nil for any other name.
    package func image(named name: String) -> Asset? {
        images[name]
    }
}
