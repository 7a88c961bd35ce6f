import Testing

@testable import HTTPClient

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test(
        "addresses are told apart (RFC 6890)",
        arguments: [
            ([8, 8, 8, 8], true), ([127, 0, 0, 1], false), ([10, 1, 2, 3], false),
            ([172, 15, 0, 1], true), ([172, 16, 0, 1], false), ([172, 31, 9, 9], false),
            ([172, 32, 0, 1], true), ([192, 168, 0, 1], false), ([169, 254, 169, 254], false),
            ([100, 64, 0, 1], false), ([100, 128, 0, 1], true), ([0, 0, 0, 0], false),
            ([224, 0, 0, 1], false), ([255, 255, 255, 255], false), ([198, 19, 0, 1], false),
            ([198, 20, 0, 1], true), ([203, 0, 113, 5], false), ([192, 0, 0, 8], false),
        ] as [([UInt8], Bool)]
    )
    func addresses(bytes: [UInt8], isPublic: Bool) throws {
        let address = try #require(NetworkAddress(bytes: bytes))
        #expect(address.isPublic == isPublic)
        let zeros = [UInt8](repeating: 0, count: 10)
        let inside: [[UInt8]] = [
            zeros + [255, 255] + bytes, [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + bytes,
            [0x20, 0x02] + bytes + zeros,
        ]
        for outer in inside {
            #expect(try #require(NetworkAddress(bytes: outer)).isPublic == isPublic)
        }
    }

    @Test(
        "so are those of version 6",
        arguments: [
            ([0x26, 0x06, 0x47], true), ([0x2A, 0x00, 0x14], true), ([], false),
            ([0xFE, 0x80], false), ([0xFC], false), ([0xFD, 0x12], false), ([0xFF, 0x02], false),
            ([0x20, 0x01, 0x0D, 0xB8], false), ([0x20, 0x01, 0x00, 0x00], false),
            ([0x20, 0x01, 0x48, 0x60], true), ([0x3F, 0xFF, 0x01], false), ([0x40], false),
            ([0xFE, 0xC0], false),
        ] as [([UInt8], Bool)]
    )
    func addresses6(start: [UInt8], isPublic: Bool) throws {
        for last: UInt8 in [0, 1] {
            let bytes = start + [UInt8](repeating: 0, count: 15 - start.count) + [last]
            let address = try #require(NetworkAddress(bytes: bytes))
            #expect(address.isPublic == isPublic)
            #expect(address.isLoopback == (start.isEmpty && last == 1))
        }
        #expect(NetworkAddress(bytes: start.prefix(3) + [1, 2, 3, 4, 5]) == nil)
    }
}
