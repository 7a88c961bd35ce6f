import CArgon2
import Glibc

/// The memory in which a thread computes one Argon2id tag after the other (RFC 9106).
///
/// It is mapped once. Were it mapped for each tag, by a thread that gives way to all others, these
/// would wait for that thread whenever they want memory themselves (decision 0026). Only as much
/// of it as was used takes room. It does not come from `malloc`, which, once it has freed so
/// much, would keep as much for the process.
@safe
final class HashMemory {
    /// How much there is, in KiB: RFC 9106's choice where memory is scarce, more than we use.
    static let kibibytes: UInt32 = 65_536
    /// The length of a tag.
    static let tagBytes = 32

    private static let byteCount = Int(kibibytes) * 1_024

    /// The first byte; all are zero but while a tag is computed.
    let base: UnsafeMutableRawPointer

    /// New memory; nil where there is none.
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

    /// The tag of a password, and the memory is wiped; nil where Argon2 does not allow such work
    /// or salt, or this memory is too little for it.
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
