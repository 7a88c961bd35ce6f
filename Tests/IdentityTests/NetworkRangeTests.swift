import Testing

@testable import Identity

/// Issue 29, fault 12: networks of trusted proxies.
@Suite("Networks of addresses")
struct NetworkRangeTests {
    @Test(
        "a range has the addresses that begin with its bits (RFC 4632, RFC 4291)",
        arguments: [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("192.168.4.0/22", "192.168.7.255", true), ("192.168.4.0/22", "192.168.8.0", false),
            ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.8", false),
            ("10.0.0.7/32", "10.0.0.7", true), ("128.0.0.0/1", "255.0.0.1", true),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.0.0.7", "10.0.0.7", true),
            ("fd00::/8", "fd12::1", true), ("fd00::/8", "fc00::1", false),
            ("2001:db8:0:4::/62", "2001:db8:0:7::9", true),
            ("2001:db8:0:4::/62", "2001:db8:0:8::9", false), ("::1", "0:0:0:0:0:0:0:1", true),
            ("fe80::/10", "fe80::1%eth0", true), ("fd00::/8", "10.0.0.1", false),
            ("10.0.0.0/8", "unknown", false), ("10.0.0.0/8", "", false),
        ]
    )
    func contains(range: String, address: String, expected: Bool) throws {
        #expect(try NetworkRange(range).contains(address) == expected)
    }

    @Test("what is no range is refused, and what means everybody")
    func refused() {
        for text in ["", "a", "10.0.0.1/8", "10.0.0.0/33", "::1/129", "1.2.3.4/+8", "1.2.3.4/ 8"] {
            #expect(throws: NetworkRange.Flaw.notARange, "\(text)") { try NetworkRange(text) }
        }
        for text in ["0.0.0.0/0", "::/0", "10.0.0.0/0"] {
            #expect(throws: NetworkRange.Flaw.everything, "\(text)") { try NetworkRange(text) }
        }
    }

    @Test(
        "addresses count singly, IPv6 by networks of 64 bits, and all by the provider's network",
        arguments: [
            ("192.0.2.9", "192.0.2.9", "192.0.2.0/24"),
            ("::ffff:192.0.2.9", "192.0.2.9", "192.0.2.0/24"),
            ("2001:db8:1:2:3::4", "20010db800010002::/64", "20010db80001::/48"),
            ("unknown", "unknown", "unknown"),
        ]
    )
    func groups(text: String, group: String, network: String) {
        #expect(ClientAddress(text).group == group)
        #expect(ClientAddress(text).network == network)
    }
}
