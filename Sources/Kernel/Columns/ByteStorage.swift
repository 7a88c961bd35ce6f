/// Immutable bytes that live as long as this object is referenced: a mapped file
/// or allocated memory.
///
/// Columns point into these bytes without retaining them, because counting references in the inner
/// loops would cost more than the work. Code that keeps columns must keep their storage too.
@safe
public final class ByteStorage: @unchecked Sendable {
    // Unchecked, but proved: the bytes are never written after initialisation and the pointer
    // never changes, so any number of threads may read them at once.

    /// The first byte, aligned to at least 64 bytes.
    public let base: UnsafeRawPointer
    /// The number of bytes.
    public let count: Int
    private let release: () -> Void

    /// Takes ownership of bytes that the caller allocated or mapped.
    ///
    /// - Parameters:
    ///   - base: the first byte, aligned to at least 64 bytes.
    ///   - count: how many bytes may be read.
    ///   - release: called once, when the last reference is dropped.
    public init(base: UnsafeRawPointer, count: Int, release: @escaping () -> Void) {
        unsafe self.base = unsafe base
        self.count = count
        self.release = release
    }

    /// Copies bytes into newly allocated, aligned memory.
    public convenience init(copying bytes: [UInt8]) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(bytes.count, 1),
            alignment: SectionFile.alignment
        )
        unsafe bytes.withUnsafeBytes { source in
            if let start = source.baseAddress {
                unsafe memory.copyMemory(from: start, byteCount: source.count)
            }
        }
        unsafe self.init(base: UnsafeRawPointer(memory), count: bytes.count) {
            unsafe memory.deallocate()
        }
    }

    deinit {
        release()
    }
}
