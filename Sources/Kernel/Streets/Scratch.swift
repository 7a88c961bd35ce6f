/// Memory of fixed length that a search writes to again and again: an array without reference
/// counting, copying on write or growth.
///
/// Setting is `nonmutating`, so that a workspace can hand parts of itself to several functions.
@safe
struct Scratch<Element: BitwiseCopyable>: ~Copyable {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Memory for `count` elements (at least one), all the same at first.
    init(repeating element: Element, count: Int) {
        self.count = max(1, count)
        unsafe base = UnsafeMutablePointer.allocate(capacity: self.count)
        unsafe base.initialize(repeating: element, count: self.count)
    }

    deinit {
        unsafe base.deallocate()
    }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe base[index]
        }
        @inline(__always) nonmutating set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            unsafe base[index] = newValue
        }
    }

    /// Makes all elements the same.
    func fill(_ element: Element) {
        unsafe base.update(repeating: element, count: count)
    }
}
