import Crypto
import Encoding
import HTTPTypes
package import Markup

/// A static file whose address changes with its content, so that browsers can cache it indefinitely
/// without showing an outdated version.
package struct Asset: Sendable {
    /// The name of the file.
    package let name: String
    /// The media type of the file.
    package let type: String
    /// The content of the file.
    package let bytes: [UInt8]
    /// The content compressed with gzip; nil if compression does not make it smaller.
    package let compressed: [UInt8]?
    /// The part of the address that depends on the content: a prefix of its SHA-256 digest.
    package let hash: String

    /// Creates an asset and compresses it.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - type: the media type of the file.
    ///   - bytes: the content of the file.
    ///   - keepsComments: whether comments remain in a script or style sheet: those of others
    ///     contain their copyright notices.
    package init(_ name: String, type: String, _ bytes: [UInt8], keepsComments: Bool = false) {
        let bytes =
            keepsComments
            ? bytes
            : type.hasPrefix("text/javascript")
                ? Self.script(bytes) : type.hasPrefix("text/css") ? Self.style(bytes) : bytes
        self.name = name
        self.type = type
        self.bytes = bytes
        compressed = Gzip.compressed(bytes, level: 9)
        hash = SHA256.hash(data: bytes).prefix(8).hex
    }

    /// A script without the lines that are comments, and without the blanks before the others: a
    /// third of what browsers would load.
    private static func script(_ bytes: [UInt8]) -> [UInt8] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
            .map { line in line.drop { $0 == UInt8(ascii: " ") } }
            .filter { !$0.starts(with: "//".utf8) }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// A style sheet without comments and needless blanks.
    private static func style(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        while let start = rest.firstIndex(of: UInt8(ascii: "/")) {
            guard rest[start...].starts(with: "/*".utf8) else {
                kept += rest[...start]
                rest = rest[(start + 1)...]
                continue
            }
            kept += rest[..<start]
            rest = rest[(start + 2)...]
            while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
            rest = rest.dropFirst(2)
        }
        kept += rest
        let lines = kept.split(separator: UInt8(ascii: "\n")).map { line in
            line.drop { $0 == UInt8(ascii: " ") }
        }
        return packed(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// A style sheet without the blanks beside braces, semicolons and commas and after colons,
    /// which say nothing there; no text in our style sheets contains such a mark and a blank.
    private static func packed(_ style: some Sequence<UInt8>) -> [UInt8] {
        var packed: [UInt8] = []
        for byte in style {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}"), isBlank(packed.last) {
                packed.removeLast()
            }
            guard isBlank(byte), packed.last.map(marks.contains) ?? true else {
                packed.append(byte)
                continue
            }
        }
        return packed
    }

    private static let marks = Array("{};,:".utf8)

    private static func isBlank(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
    }

    /// The path at which the asset is served.
    package var address: Address { Address("/assets", hash, name) }
}

/// The assets that the layout of every page refers to.
package struct FrameAssets: Sendable {
    /// The style sheet of all pages.
    package let style: Asset
    /// The font of all pages.
    package let font: Asset
    /// The script of all pages.
    package let script: Asset
    /// The icon of the site.
    package let icon: Asset

    /// Creates the set of layout assets.
    package init(style: Asset, font: Asset, script: Asset, icon: Asset) {
        self.style = style
        self.font = font
        self.script = script
        self.icon = icon
    }
}

extension Response {
    /// Creates the response for an asset; only its current address may be cached indefinitely.
    package init(_ asset: Asset, isCurrent: Bool, for context: RequestContext) {
        self.init(type: asset.type, bytes: asset.bytes)
        headers[.cacheControl] = isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        headers[.eTag] = "\"\(asset.hash)\""
        headers[.vary] = "Accept-Encoding"
        if let compressed = asset.compressed, context.takesGzip {
            headers[.contentEncoding] = "gzip"
            body = .bytes(compressed)
        }
    }
}
