import Crypto
import Encoding
import HTTPTypes
package import Markup

/// A file that pages need, under an address that changes with its content, so that browsers keep it
/// for ever and never show an old one.
package struct Asset: Sendable {
    /// The file's name.
    package let name: String
    /// Its media type.
    package let type: String
    /// Its content.
    package let bytes: [UInt8]
    /// The content compressed by gzip; nil where that is not smaller.
    package let compressed: [UInt8]?
    /// The part of its address that changes with the content: the beginning of its SHA-256.
    package let hash: String

    /// An asset.
    package init(_ name: String, type: String, _ bytes: [UInt8]) {
        self.name = name
        self.type = type
        self.bytes = bytes
        compressed = Gzip.compressed(bytes, level: 9)
        hash = SHA256.hash(data: bytes).prefix(8).hex
    }

    /// The path under which it is served.
    package var address: Address { Address("/assets", hash, name) }
}

/// The assets that the frame of every page names.
package struct FrameAssets: Sendable {
    /// The style sheet of all pages.
    package let style: Asset
    /// The script of all pages.
    package let script: Asset
    /// The icon of the site.
    package let icon: Asset

    /// The assets of a frame.
    package init(style: Asset, script: Asset, icon: Asset) {
        self.style = style
        self.script = script
        self.icon = icon
    }
}

extension Reply {
    /// The response for an asset: kept for ever under its present address, and only there.
    package init(_ asset: Asset, isCurrent: Bool, for visit: Visit) {
        self.init(type: asset.type, bytes: asset.bytes)
        headers[.cacheControl] = isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        headers[.eTag] = "\"\(asset.hash)\""
        headers[.vary] = "Accept-Encoding"
        if let compressed = asset.compressed, visit.takesGzip {
            headers[.contentEncoding] = "gzip"
            body = .bytes(compressed)
        }
    }
}
