import Glibc
@_spi(CustomByteBufferAllocator) import NIOCore

/// Memory of connections that stay open: large blocks are mapped each by itself, so that what is
/// never written of them takes none.
///
/// TLS keeps 48 KB at each connection and mostly writes less than eight of them. In the heap they
/// would be where something else has been written before, and so take all of it: ten thousand
/// connections, 400 MB.
enum MappedMemory {
    /// Allocates so.
    static let allocator = unsafe ByteBufferAllocator { size in
        unsafe MappedMemory.block(of: size)
    } reallocate: { old, oldSize, size in
        let new = unsafe MappedMemory.block(of: size)
        if let new = unsafe new, let old = unsafe old {
            unsafe new.copyMemory(from: old, byteCount: min(oldSize, size))
            unsafe MappedMemory.free(old)
        }
        return unsafe new
    } deallocate: { block in
        unsafe MappedMemory.free(block)
    } copy: { place, bytes, count in
        unsafe place.copyMemory(from: bytes, byteCount: count)
    }

    /// What is smaller comes from the heap.
    private static let smallest = 16_384
    private static let page = 4_096
    /// How many bytes stand before each block, so that it begins where anything may stand.
    ///
    /// They say how many were mapped for it; nothing for one of the heap.
    private static let head = 16

    private static func block(of size: Int) -> UnsafeMutableRawPointer? {
        if size >= smallest, let block = unsafe mapped(size) { return unsafe block }
        guard let block = unsafe malloc(size + head) else { return nil }
        unsafe block.storeBytes(of: 0, as: Int.self)
        return unsafe block + head
    }

    /// A block that is mapped; nil where the system maps no more.
    private static func mapped(_ size: Int) -> UnsafeMutableRawPointer? {
        let length = (size + head + page - 1) / page * page
        let access = PROT_READ | PROT_WRITE
        let block = unsafe mmap(nil, length, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let block = unsafe block, unsafe block != MAP_FAILED else { return nil }
        // A large page would be taken as a whole.
        _ = unsafe madvise(block, length, MADV_NOHUGEPAGE)
        unsafe block.storeBytes(of: length, as: Int.self)
        return unsafe block + head
    }

    private static func free(_ block: UnsafeMutableRawPointer) {
        let start = unsafe block - head
        let length = unsafe start.load(as: Int.self)
        if length > 0 { unsafe munmap(start, length) } else { unsafe Glibc.free(start) }
    }
}
