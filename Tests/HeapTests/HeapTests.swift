import Heap
import SeededRandom
import TestSupport
import Testing

/// Issue 29, "One of each": the heap is compared with sorting.
@Suite("Heap")
struct HeapTests {
    /// An element whose order ignores its payload.
    private struct Entry: Comparable {
        var key: Int
        var payload: [Int]

        static func < (left: Entry, right: Entry) -> Bool { left.key < right.key }
    }

    @Test("elements leave in ascending order", arguments: 0..<100)
    func sorts(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let elements = (0..<seed).map { _ in Int.random(in: 0..<50, using: &random) }
        var heap = Heap(elements)
        #expect(heap.count == seed && heap.unordered.sorted() == elements.sorted())
        var left: [Int] = []
        while let next = heap.first {
            #expect(heap.pop() == next)
            left.append(next)
        }
        #expect(left == elements.sorted() && heap.count == 0 && heap.pop() == nil)
    }

    @Test("pushing and popping in any order is what a sorted list does", arguments: 0..<100)
    func mixed(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var heap = Heap<Int>()
        var model: [Int] = []
        for _ in 0..<400 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                let element = Int.random(in: 0..<100, using: &random)
                heap.push(element)
                model.append(element)
                model.sort()
            } else {
                #expect(heap.pop() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(heap.first == model.first && heap.count == model.count)
        }
        heap.removeAll()
        #expect(heap.first == nil && heap.count == 0)
    }

    @Test("no element is lost or doubled, whatever it holds")
    func payloads() {
        var random = SeededRandom(seed: 1)
        var heap = Heap<Entry>()
        for number in 0..<1_000 {
            heap.push(Entry(key: Int.random(in: 0..<10, using: &random), payload: [number]))
        }
        var seen: [Int] = []
        var last = 0
        while let entry = heap.pop() {
            #expect(entry.key >= last)
            last = entry.key
            seen += entry.payload
        }
        #expect(seen.sorted() == Array(0..<1_000))
    }
}
