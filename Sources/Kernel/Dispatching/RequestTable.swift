/// The requests that have not ended, found by number.
struct RequestTable: Sendable {
    private var slots: [Request?] = []
    private var free: [Int] = []
    private var places: [RequestNumber: Int] = [:]

    var count: Int { places.count }

    subscript(number: RequestNumber) -> Request? {
        guard let place = places[number] else { return nil }
        return slots[place]
    }

    mutating func insert(_ request: Request) {
        precondition(places[request.number] == nil, "A request's number was used twice.")
        if let place = free.popLast() {
            places[request.number] = place
            slots[place] = request
        } else {
            places[request.number] = slots.count
            slots.append(request)
        }
    }

    mutating func remove(_ number: RequestNumber) {
        guard let place = places.removeValue(forKey: number) else {
            preconditionFailure("A request was removed that does not exist.")
        }
        slots[place] = nil
        free.append(place)
    }

    /// Changes a request in place; does nothing if the number does not exist.
    @inline(__always)
    mutating func update(_ number: RequestNumber, _ change: (inout Request) -> Void) {
        guard let place = places[number], var request = slots[place].take() else { return }
        change(&request)
        slots[place] = request
    }

    /// All requests in the order of their numbers, never in hash order.
    var sorted: [Request] {
        slots.compactMap { $0 }.sorted { $0.number < $1.number }
    }
}
