import Crypto
import Encoding
import Foundation
package import Markup
package import WebCore

/// The map library, loaded from the folder of Debian's libjs-leaflet package.
///
/// The few files that pages need are read at start and kept in memory, so a request never names a
/// file on disk.
package struct Leaflet: Sendable {
    /// The hash of the files, which is part of their addresses.
    package let hash: String
    private let script: Asset
    private let style: Asset
    private let images: [String: Asset]

    /// The images to which the style sheet refers.
    private static let imageNames = [
        "layers.png", "layers-2x.png", "marker-icon.png", "marker-icon-2x.png",
        "marker-shadow.png",
    ]
    /// A comment that asks Chromium's engine to compile all functions while the script arrives.
    ///
    /// It does so beside the main thread, which otherwise compiles most of them when the script
    /// runs: a third of the time for which a slow telephone does not respond then. Other engines
    /// ignore the comment.
    private static let compileHint = Array("//# allFunctionsCalledOnLoad\n".utf8)
    /// The maximum size of a file, in bytes.
    ///
    /// None of the library's files is as large.
    private static let fileLimit = 1 << 20

    /// Reads the library; nil if the script or style sheet is missing.
    ///
    /// - Parameter folder: the folder of the library.
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
        func text(_ name: String, _ type: String, _ bytes: [UInt8]) -> Asset {
            Asset(name, type: "text/\(type); charset=utf-8", bytes, keepsComments: true)
        }
        script = text("leaflet.js", "javascript", Self.compileHint + code)
        style = text("leaflet.css", "css", sheet)
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

    /// The address of the library's script.
    package var scriptAddress: Address { Address("/assets/leaflet", hash, script.name) }
    /// The address of the style sheet.
    ///
    /// The images are in the same folder.
    package var styleAddress: Address { Address("/assets/leaflet", hash, style.name) }

    /// The script or style sheet with a name; nil for any other name.
    package func file(named name: String) -> Asset? {
        [script, style].first { $0.name == name }
    }

    /// The image with a name; nil for any other name.
    package func image(named name: String) -> Asset? {
        images[name]
    }
}
