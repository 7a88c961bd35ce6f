import CArgon2
import Glibc

/// The memory in which one thread computes Argon2id tags one after another (RFC 9106).
///
/// It is mapped once. If a low-priority thread mapped memory for each tag, other threads that
/// allocate would wait for it (decision 0026). Only the pages in use take physical memory. It does
/// not come from `malloc`, which would keep as much for the process after the first release.
@safe
final class HashMemory {
    /// The size in KiB: RFC 9106's recommendation for constrained memory, more than
    /// ``PasswordHash`` uses.
    static let kibibytes: UInt32 = 65_536
    /// The length of a tag.
    static let tagBytes = 32

    private static let byteCount = Int(kibibytes) * 1_024

    /// The first byte; the memory is zero except during a computation.
    let base: UnsafeMutableRawPointer

    /// Maps new memory; nil if the system refuses.
    init?() {
        let access = PROT_READ | PROT_WRITE
        let kind = MAP_PRIVATE | MAP_ANONYMOUS
        guard
            let base = unsafe mmap(nil, Self.byteCount, access, kind, -1, 0),
            unsafe base != MAP_FAILED
        else { return nil }
        unsafe self.base = base
    }

    deinit {
        unsafe munmap(base, Self.byteCount)
    }

    /// Computes the tag of a password and wipes the memory; nil if Argon2 rejects the parameters or
    /// the salt, or needs more memory.
    func tag(
        of password: [UInt8],
        salt: [UInt8],
        _ parameters: PasswordHash.Parameters
    ) -> [UInt8]? {
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        let code = unsafe viavai_argon2id(
            &tag,
            UInt32(Self.tagBytes),
            password,
            UInt32(password.count),
            salt,
            UInt32(salt.count),
            parameters.passes,
            parameters.kibibytes,
            base,
            Self.byteCount
        )
        return code == 0 ? tag : nil
    }
}
