/// Many short UTF-8 texts, one after the other, found by number.
///
/// By convention number 0 is the empty text, so that a damaged or absent number reads as "".
public struct Texts: Sendable {
    /// Where each text begins in `bytes`; one more than there are texts.
    private let offsets: Column<UInt32>
    private let bytes: Column<UInt8>

    /// Creates an empty list of texts.
    public init() {
        offsets = Column()
        bytes = Column()
    }

    /// The texts stored under `name` by ``SectionWriter/add(_:texts:)``.
    public init(_ name: String, in file: SectionFile) {
        offsets = file.column(name + ".offsets")
        bytes = file.column(name + ".bytes")
    }

    /// The number of texts.
    public var count: Int { max(0, offsets.count - 1) }

    /// The text with a number, or "" if there is none; damaged UTF-8 is repaired.
    public subscript(number: Int) -> String {
        let range = offsets.range(number, limit: bytes.count)
        return String(decoding: range.lazy.map { bytes[$0] }, as: UTF8.self)
    }

    /// The UTF-8 bytes of the text with a number.
    public func utf8(_ number: Int) -> [UInt8] {
        offsets.range(number, limit: bytes.count).map { bytes[$0] }
    }
}
