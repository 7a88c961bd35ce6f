import CZip
import Glibc

/// Writes zip archives whose bytes depend on their members alone.
package struct ZipWriter: Sendable {
    private var members: [(name: String, content: [UInt8])] = []

    /// Why an archive could not be made.
    package enum Failure: Error, Equatable, Sendable {
        /// The library's error code, and the member concerned.
        case library(code: Int32, member: String)
        /// The finished archive could not be read back from memory.
        case incomplete
    }

    /// An archive without members.
    package init() {}

    /// Adds a member with its content.
    package mutating func add(_ name: String, _ content: [UInt8]) {
        members.append((name, content))
    }

    /// The archive's bytes, members in the order in which they were added, all dated 1980.
    package consuming func finish() throws(Failure) -> [UInt8] {
        guard let source = unsafe zip_source_buffer_create(nil, 0, 0, nil) else {
            throw .library(code: ZIP_ER_MEMORY, member: "")
        }
        defer { unsafe zip_source_free(source) }
        let archive = try unsafe Self.open(source)
        do throws(Failure) {
            for (name, content) in members { try unsafe Self.add(name, content, to: archive) }
        } catch {
            unsafe zip_discard(archive)
            throw error
        }
        members = []
        guard unsafe zip_close(archive) == 0 else {
            let code = unsafe zip_error_code_zip(zip_get_error(archive))
            unsafe zip_discard(archive)
            throw .library(code: code, member: "")
        }
        return try unsafe Self.content(of: source)
    }

    private static func open(_ source: OpaquePointer) throws(Failure) -> OpaquePointer {
        var error = unsafe zip_error_t()
        unsafe zip_source_keep(source)
        guard let archive = unsafe zip_open_from_source(source, ZIP_TRUNCATE, &error) else {
            unsafe zip_source_free(source)
            throw unsafe .library(code: zip_error_code_zip(&error), member: "")
        }
        return unsafe archive
    }

    private static func add(
        _ name: String,
        _ content: [UInt8],
        to archive: OpaquePointer
    ) throws(Failure) {
        // The library reads a member only when the archive is closed, so it gets a copy that it
        // frees.
        guard let copy = unsafe malloc(max(1, content.count)) else {
            throw .library(code: ZIP_ER_MEMORY, member: name)
        }
        unsafe content.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                unsafe copy.copyMemory(from: base, byteCount: bytes.count)
            }
        }
        let size = zip_uint64_t(content.count)
        guard let source = unsafe zip_source_buffer(archive, copy, size, 1) else {
            throw .library(code: ZIP_ER_MEMORY, member: name)
        }
        let index = unsafe zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            unsafe zip_source_free(source)
            throw unsafe .library(
                code: zip_error_code_zip(zip_get_error(archive)),
                member: name
            )
        }
        let number = zip_uint64_t(index)
        // Day 33 of the DOS calendar is 1980-01-01, the earliest date of the format.
        unsafe zip_file_set_dostime(archive, number, 0, 33, 0)
        unsafe zip_set_file_compression(archive, number, ZIP_CM_DEFLATE, 6)
    }

    private static func content(of source: OpaquePointer) throws(Failure) -> [UInt8] {
        guard unsafe zip_source_open(source) == 0 else { throw .incomplete }
        defer { unsafe zip_source_close(source) }
        guard unsafe zip_source_seek(source, 0, 2) == 0 else { throw .incomplete }
        let size = unsafe zip_source_tell(source)
        guard size >= 0, unsafe zip_source_seek(source, 0, 0) == 0 else { throw .incomplete }
        var read: zip_int64_t = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            read = unsafe zip_source_read(source, buffer.baseAddress, zip_uint64_t(size))
            count = max(0, Int(read))
        }
        guard read == size else { throw .incomplete }
        return bytes
    }
}
