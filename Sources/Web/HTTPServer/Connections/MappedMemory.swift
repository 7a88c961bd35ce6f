import Glibc
@_spi(CustomByteBufferAllocator) import NIOCore

/// Memory for connections that stay open: each large block is mapped separately, so that pages to
/// which nothing is written take no memory.
///
/// TLS allocates 48 KB for each connection and mostly writes to fewer than eight of them. On the
/// heap the blocks would reuse pages that have been written before, and so take their full size:
/// 400 MB for ten thousand connections.
enum MappedMemory {
    /// The allocator that maps memory for large buffers.
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

    /// Smaller blocks come from the heap.
    private static let smallest = 16_384
    private static let page = 4_096
    /// The size of the header before each block, which preserves the block's alignment.
    ///
    /// It holds the number of bytes that were mapped for the block; 0 for a block of the heap.
    private static let head = 16

    private static func block(of size: Int) -> UnsafeMutableRawPointer? {
        if size >= smallest, let block = unsafe mapped(size) { return unsafe block }
        guard let block = unsafe malloc(size + head) else { return nil }
        unsafe block.storeBytes(of: 0, as: Int.self)
        return unsafe block + head
    }

    /// Maps a block; nil if the system refuses.
    private static func mapped(_ size: Int) -> UnsafeMutableRawPointer? {
        let length = (size + head + page - 1) / page * page
        let access = PROT_READ | PROT_WRITE
        let block = unsafe mmap(nil, length, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let block = unsafe block, unsafe block != MAP_FAILED else { return nil }
        // A huge page would take memory as a whole.
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
