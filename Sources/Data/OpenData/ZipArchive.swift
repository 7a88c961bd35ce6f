import CZip

/// A zip archive, read by member name; nothing is ever extracted to disk.
///
/// Holds libzip's handle, so it stays on one thread and closes when it is let go.
@safe
package struct ZipArchive: ~Copyable {
    /// No member may be larger than this when unpacked: enough for the stop times of a whole
    /// country, far below the memory of a small server under attack.
    package static let memberSizeLimit = 2_000_000_000
    /// No member may unpack to more than this many times its packed size, beyond a size that does
    /// no harm: timetables reach 20, bombs 1,000.
    package static let ratioLimit = 200
    /// Up to this size a member does no harm, however far it unpacks.
    package static let harmlessSize: UInt64 = 10_000_000
    /// More members than this are refused.
    package static let memberCountLimit = 100_000

    private let handle: OpaquePointer
    /// The path it was opened from.
    package let path: String

    /// Why an archive could not be read.
    package enum Failure: Error, Equatable, Sendable {
        /// The file does not exist or is not readable.
        case unreadable(path: String)
        /// It is not a zip archive, or its directory is damaged.
        case notAnArchive(path: String)
        /// A member is larger than the limit, or unpacks suspiciously far.
        case tooLarge(path: String, member: String)
        /// It holds more members than the limit.
        case tooManyMembers(path: String)
        /// A member's bytes are damaged or packed in an unknown way.
        case damagedMember(path: String, member: String)
    }

    /// Opens an archive for reading.
    package init(path: String) throws(Failure) {
        var code: Int32 = 0
        guard let handle = unsafe zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &code) else {
            throw code == ZIP_ER_NOENT || code == ZIP_ER_OPEN || code == ZIP_ER_READ
                ? .unreadable(path: path) : .notAnArchive(path: path)
        }
        guard unsafe zip_get_num_entries(handle, 0) <= Int64(Self.memberCountLimit) else {
            unsafe zip_discard(handle)
            throw .tooManyMembers(path: path)
        }
        unsafe self.handle = unsafe handle
        self.path = path
    }

    deinit {
        unsafe zip_discard(handle)
    }

    /// The names of all members, in the archive's order; names that are not text are left out.
    package func members() -> [String] {
        (0..<UInt64(max(0, unsafe zip_get_num_entries(handle, 0)))).compactMap { index in
            guard let name = unsafe zip_get_name(handle, index, 0) else { return nil }
            return unsafe String(validatingCString: name)
        }
    }

    /// The unpacked bytes of a member; nil if there is no member of that name.
    package func bytes(of member: String) throws(Failure) -> [UInt8]? {
        var status = unsafe zip_stat_t()
        guard unsafe zip_stat(handle, member, 0, &status) == 0 else { return nil }
        let size = unsafe status.size
        let packed = unsafe status.comp_size
        guard size <= UInt64(Self.memberSizeLimit),
            size <= Self.harmlessSize || size / UInt64(Self.ratioLimit) <= packed
        else { throw .tooLarge(path: path, member: member) }
        guard let file = unsafe zip_fopen_index(handle, status.index, 0) else {
            throw .damagedMember(path: path, member: member)
        }
        defer { unsafe zip_fclose(file) }
        var complete = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            var filled = 0
            while filled < Int(size) {
                let got = unsafe zip_fread(
                    file,
                    buffer.baseAddress.map { unsafe $0 + filled },
                    size - UInt64(filled)
                )
                if got <= 0 { break }
                filled += Int(got)
            }
            // One more read makes libzip compare the member's checksum.
            var surplus: UInt8 = 0
            complete = unsafe filled == Int(size) && zip_fread(file, &surplus, 1) == 0
            count = filled
        }
        guard complete else { throw .damagedMember(path: path, member: member) }
        return bytes
    }
}
