// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneFiles

@Suite struct AddressRuleTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1",
        "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255", "127.1", "0x7f.1", "0x7f000001", "2130706433",
        "017700000001", "0177.0.0.1", "0", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1",
        "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "fc00::1", "fd12:3456::1", "fe80::1",
        "febf::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1",
        "2002:c0a8:101::", "3fff:1::", "4000::1", "100::1", "5f00::1",
    ])
    func localAddressIsForbidden(_ host: String) throws {
        #expect(!AddressRule.isPublic(try #require(AddressRule.literal(host))))
        #expect(!AddressRule.mayAsk(for: host))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "16843009", "2606:4700::1111",
        "2a01::1", "2001:200::1", "2001:4860:4860::8888", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1",
        "2002:101:101::1", "3ffe::1",
    ])
    func publicAddressIsAllowed(_ host: String) throws {
        #expect(AddressRule.isPublic(try #require(AddressRule.literal(host))))
        #expect(AddressRule.mayAsk(for: host))
    }

    @Test func namesAreLookedUpExceptLocalhost() {
        for host in ["example.org", "localhost.example", "1.2.3.example", "0x7f.example"] {
            #expect(AddressRule.literal(host) == nil)
            #expect(AddressRule.mayAsk(for: host))
        }
        for host in ["localhost", "a.localhost"] { #expect(!AddressRule.mayAsk(for: host)) }
    }

    /// An IPv4 address is judged alike in each of its forms.
    @Test func formsOfAddressAgree() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<1000 {
            // Half of them near the borders of the forbidden ranges.
            let first = UInt8.random(in: 0...255, using: &random)
            let bytes =
                [
                    Bool.random(using: &random)
                        ? first : [10, 100, 127, 169, 172, 192, 198].randomElement(using: &random) ?? 10
                ]
                + (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
            let isPublic = AddressRule.isPublic(bytes)
            let number = bytes.reduce(0) { $0 << 8 | UInt32($1) }
            let dotted = bytes.map { String($0) }.joined(separator: ".")
            let forms = [
                dotted, "\(number)", "0x\(String(number, radix: 16))", "0\(String(number, radix: 8))",
                bytes.map { "0x\(String($0, radix: 16))" }.joined(separator: "."),
                "\(bytes[0]).\(number & 0xffffff)", "::ffff:\(dotted)", "64:ff9b::\(dotted)",
            ]
            #expect(forms.filter { AddressRule.mayAsk(for: $0) != isPublic } == [])
        }
    }

    @Test func otherLengthsAreForbidden() {
        for count in [0, 1, 3, 5, 15, 17] {
            #expect(!AddressRule.isPublic(Array(repeating: 1, count: count)))
        }
    }
}
