/// A binary heap that returns its least element first.
struct PriorityQueue<Element: Comparable> {
    private var elements: [Element] = []

    /// Adds an element to the heap.
    ///
    /// - Complexity: logarithmic.
    mutating func push(_ element: Element) {
        elements.append(element)
        var place = elements.count - 1
        while place > 0, elements[place] < elements[(place - 1) / 2] {
            elements.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes the least element; nil where there is none.
    ///
    /// - Complexity: logarithmic.
    mutating func pop() -> Element? {
        guard elements.count > 1 else { return elements.popLast() }
        elements.swapAt(0, elements.count - 1)
        let least = elements.removeLast()
        var place = 0
        while 2 * place + 1 < elements.count {
            var child = 2 * place + 1
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < elements[place] else { break }
            elements.swapAt(child, place)
            place = child
        }
        return least
    }
}
