/// Sine, cosine and arc tangent from basic arithmetic, which IEEE 754 makes the
/// same on every machine.
///
/// The system's mathematical library differs between machines, and the browser's module has none.
///
/// Taylor series after range reduction to an eighth of a turn; absolute error below 1e-15.
public enum Trigonometry {
    /// The ratio of a circle's circumference to its diameter.
    public static let pi = 3.141592653589793

    /// The sine of an angle in radians; not a number beyond ±1e6 radians.
    public static func sine(_ angle: Double) -> Double {
        sine(angle, quartersAhead: 0)
    }

    /// The cosine of an angle in radians; not a number beyond ±1e6 radians.
    public static func cosine(_ angle: Double) -> Double {
        sine(angle, quartersAhead: 1)
    }

    private static func sine(_ angle: Double, quartersAhead: Int32) -> Double {
        guard angle.magnitude <= 1e6 else { return .nan }
        let quarter = (angle / (pi / 2)).rounded(.toNearestOrEven)
        // A quarter turn in two parts: the first has so few bits that its multiples are exact.
        let rest = angle - quarter * 1.57079632673412561417 - quarter * 6.07710050650619224932e-11
        switch (Int32(quarter) &+ quartersAhead) & 3 {
        case 0: return sineNearZero(rest)
        case 1: return cosineNearZero(rest)
        case 2: return -sineNearZero(rest)
        default: return -cosineNearZero(rest)
        }
    }

    /// The angle of the vector (x, y) from the x axis, −π to π; 0 for the zero vector.
    public static func angle(y: Double, x: Double) -> Double {
        guard x != 0 || y != 0 else { return 0 }
        if x.magnitude >= y.magnitude {
            let base = arcTangent(y / x)
            if x > 0 { return base }
            return y < 0 ? base - pi : base + pi
        }
        let base = arcTangent(x / y)
        return y > 0 ? pi / 2 - base : -pi / 2 - base
    }

    /// The arc tangent for |slope| ≤ 1.
    private static func arcTangent(_ slope: Double) -> Double {
        // Two halvings, atan x = 2 atan (x / (1 + √(1 + x²))), bring |x| below 0.2.
        let half = slope / (1 + (1 + slope * slope).squareRoot())
        let quarter = half / (1 + (1 + half * half).squareRoot())
        let square = quarter * quarter
        var sum = 0.0
        var denominator = 25.0
        while denominator >= 1 {
            sum = 1 / denominator - square * sum
            denominator -= 2
        }
        return 4 * quarter * sum
    }

    private static func sineNearZero(_ angle: Double) -> Double {
        let square = angle * angle
        var sum = 1.0
        var factor = 17.0
        while factor >= 3 {
            sum = 1 - square / (factor * (factor - 1)) * sum
            factor -= 2
        }
        return angle * sum
    }

    private static func cosineNearZero(_ angle: Double) -> Double {
        let square = angle * angle
        var sum = 1.0
        var factor = 18.0
        while factor >= 2 {
            sum = 1 - square / (factor * (factor - 1)) * sum
            factor -= 2
        }
        return sum
    }
}
