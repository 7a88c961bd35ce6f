/// Length, simplification and text encoding of lines of coordinates.
public enum Polyline {
    /// The length of a line, in metres on the sphere.
    public static func metres(_ line: [Coordinate]) -> Double {
        var sum = 0.0
        for index in line.indices.dropFirst() {
            sum += line[index - 1].distanceMetres(to: line[index])
        }
        return sum
    }

    /// The line with fewer places, none of the dropped ones farther from it than the tolerance.
    ///
    /// The first and last place stay. Both the place and its distance are taken on a plane at the
    /// line's middle latitude. Of equally far places the first is kept.
    /// Source: Douglas and Peucker, doi:10.3138/FM57-6770-U75U-7727; with a stack instead of
    /// recursion, so that no line is too long.
    /// - Complexity: O(n²) at worst, O(n log n) usually.
    public static func simplified(
        _ line: [Coordinate],
        toleranceMetres: Double
    ) -> [Coordinate] {
        guard line.count > 2, let box = BoundingBox(around: line) else { return line }
        let plane = LocalPlane(at: box.centre)
        var isKept = [Bool](repeating: false, count: line.count)
        isKept[0] = true
        isKept[line.count - 1] = true
        var open = [(first: 0, last: line.count - 1)]
        while let (first, last) = open.popLast() {
            var farthest = (index: first, metres: toleranceMetres)
            for index in (first + 1)..<max(last, first + 1) {
                let metres = plane.distance(of: line[index], from: line[first], to: line[last])
                    .metres
                if metres > farthest.metres { farthest = (index, metres) }
            }
            guard farthest.index > first else { continue }
            isKept[farthest.index] = true
            open.append((first, farthest.index))
            open.append((farthest.index, last))
        }
        return line.indices.filter { isKept[$0] }.map { line[$0] }
    }
}
