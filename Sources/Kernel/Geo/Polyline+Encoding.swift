extension Polyline {
    /// The precision of an encoded polyline.
    public enum Precision: Int64, CaseIterable, Sendable {
        /// 1e-5 degrees, about a metre; the original format.
        case five = 100
        /// 1e-6 degrees, about a decimetre; as OSRM and Valhalla write it.
        case six = 10

        /// How many 1e-7 degrees one unit of the encoding is.
        var units: Int64 { rawValue }
    }

    /// Why a text is not an encoded polyline.
    public enum DecodingFailure: Error, Hashable, Sendable {
        /// A byte that the format does not use, at a position in the text.
        case unexpectedByte(UInt8, position: Int)
        /// A number that is longer than any coordinate, begun at a position in the text.
        case numberTooLong(position: Int)
        /// The text ends within a number or between a latitude and its longitude.
        case truncated
        /// A point, numbered from 0, that is not on the earth.
        case offEarth(point: Int)
    }

    /// The encoded polyline of a line.
    ///
    /// Source: Google Maps Platform, "Encoded Polyline Algorithm Format".
    public static func encoded(_ line: [Coordinate], precision: Precision) -> String {
        var bytes: [UInt8] = []
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        for place in line {
            let nextLatitude = rounded(place.latitude, precision)
            let nextLongitude = rounded(place.longitude, precision)
            append(nextLatitude - latitude, to: &bytes)
            append(nextLongitude - longitude, to: &bytes)
            latitude = nextLatitude
            longitude = nextLongitude
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes an encoded polyline.
    public static func decoded(
        _ text: String,
        precision: Precision
    ) throws(DecodingFailure) -> [Coordinate] {
        let bytes = Array(text.utf8)
        var line: [Coordinate] = []
        var position = 0
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        let latitudeLimit = Int64(Coordinate.latitudeLimit) / precision.units
        let longitudeLimit = Int64(Coordinate.longitudeLimit) / precision.units
        while position < bytes.count {
            latitude += try number(in: bytes, at: &position)
            longitude += try number(in: bytes, at: &position)
            guard abs(latitude) <= latitudeLimit, abs(longitude) <= longitudeLimit else {
                throw .offEarth(point: line.count)
            }
            line.append(
                Coordinate(
                    latitude: Int32(latitude * precision.units),
                    longitude: Int32(longitude * precision.units)
                )
            )
        }
        return line
    }

    /// The number of units, halves rounded away from zero.
    private static func rounded(_ value: Int32, _ precision: Precision) -> Int64 {
        let half = precision.units / 2
        return (Int64(value) + (value < 0 ? -half : half)) / precision.units
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: number < 0 ? ~(number << 1) : number << 1)
        while rest >= 0x20 {
            bytes.append(UInt8(truncatingIfNeeded: rest & 0x1F | 0x20) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(truncatingIfNeeded: rest) + 63)
    }

    private static func number(
        in bytes: [UInt8],
        at position: inout Int
    ) throws(DecodingFailure) -> Int64 {
        let start = position
        var bits: Int64 = 0
        var shift: Int64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            guard (63...126).contains(byte) else {
                throw .unexpectedByte(byte, position: position)
            }
            // Seven groups of five bits hold any difference of two longitudes.
            guard shift < 35 else { throw .numberTooLong(position: start) }
            position += 1
            bits |= Int64((byte - 63) & 0x1F) << shift
            shift += 5
            if byte - 63 < 0x20 { return bits & 1 == 1 ? ~(bits >> 1) : bits >> 1 }
        }
        throw .truncated
    }
}
