// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Testing
import TouchtoneCore

@testable import TouchtoneNumbers

/// Tests of the forms of numbers on a line, with libphonenumber.
@Suite struct OutgoingNumberTests {
    /// A dialled number with both of its forms; nil if it stays unchanged.
    struct Case: Sendable, CustomTestStringConvertible {
        let region, dialled: String
        let national, international: String?

        init(_ region: String, _ dialled: String, _ national: String?, _ international: String?) {
            (self.region, self.dialled) = (region, dialled)
            (self.national, self.international) = (national, international)
        }

        var testDescription: String { "\(dialled) in \(region)" }
    }

    private let library = PhoneNumberLibrary(folders: [InstalledProgram.folder ?? ""])

    @Test(arguments: [
        Case("AR", "1123456789", "01123456789", "+541123456789"),
        Case("AR", "01123456789", "01123456789", "+541123456789"),
        // A mobile number has 15 after the area code within the country, and 9 before it from abroad.
        Case("AR", "0111523456789", "0111523456789", "+5491123456789"),
        Case("AR", "+5491123456789", "0111523456789", "+5491123456789"),
        Case("AR", "91123456789", "0111523456789", "+5491123456789"),
        // Within Buenos Aires.
        Case("AR", "23456789", nil, nil), Case("AR", "1523456789", nil, nil),
        Case("AR", "011152345678", nil, nil),
        Case("AR", "+12015550123", "0012015550123", "+12015550123"), Case("AR", "911", nil, nil),
    ])
    func dialsFromArgentina(_ expected: Case) { check(expected) }

    @Test(arguments: [
        // Between towns a carrier code is dialled, and there is no national form without one.
        Case("BR", "01511961234567", "01511961234567", "+5511961234567"),
        Case("BR", "011961234567", nil, "+5511961234567"), Case("BR", "11961234567", nil, "+5511961234567"),
        Case("BR", "+5511961234567", nil, "+5511961234567"), Case("BR", "961234567", nil, nil),
        // The international prefix depends on the carrier, too.
        Case("BR", "+442079460958", "+442079460958", "+442079460958"),
        Case("BR", "0014442079460958", "+442079460958", "+442079460958"),
        // These numbers cannot be reached from abroad.
        Case("BR", "08001234567", "08001234567", nil), Case("BR", "190", nil, nil),
    ])
    func dialsFromBrazil(_ expected: Case) { check(expected) }

    @Test(arguments: [
        Case("DE", "03086753090", "03086753090", "+493086753090"),
        Case("DE", "+4915112345678", "015112345678", "+4915112345678"),
        Case("DE", "00442079460958", "00442079460958", "+442079460958"),
        // These are local numbers, although they would be valid after a zero.
        Case("DE", "8675309", nil, nil), Case("DE", "86753091", nil, nil),
        Case("DE", "110", nil, nil), Case("DE", "115", nil, nil), Case("DE", "11833", nil, nil),
    ])
    func dialsFromGermany(_ expected: Case) { check(expected) }

    @Test(arguments: [
        Case("GB", "02079460958", "02079460958", "+442079460958"),
        Case("GB", "2079460958", "02079460958", "+442079460958"),
        Case("GB", "+442079460958", "02079460958", "+442079460958"),
        Case("GB", "0033140205050", "0033140205050", "+33140205050"),
        Case("GB", "08001111", "08001111", "+448001111"),
        Case("GB", "79460958", nil, nil), Case("GB", "999", nil, nil), Case("GB", "101", nil, nil),
        Case("GB", "00", nil, nil), Case("GB", "+44", nil, nil),
    ])
    func dialsFromBritain(_ expected: Case) { check(expected) }

    @Test(arguments: [
        // The zero belongs to the number; mobile numbers have none.
        Case("IT", "0212345678", "0212345678", "+390212345678"),
        Case("IT", "+390212345678", "0212345678", "+390212345678"),
        Case("IT", "3123456789", "3123456789", "+393123456789"),
        Case("IT", "0649911", "0649911", "+390649911"),
        Case("IT", "892424", nil, nil), Case("IT", "112", nil, nil),
        Case("IT", "00442079460958", "00442079460958", "+442079460958"),
    ])
    func dialsFromItaly(_ expected: Case) { check(expected) }

    @Test(arguments: [
        Case("MX", "5512345678", "5512345678", "+525512345678"),
        Case("MX", "12345678", nil, nil), Case("MX", "+12015550123", "0012015550123", "+12015550123"),
    ])
    func dialsFromMexico(_ expected: Case) { check(expected) }

    /// Until 2020 mobile numbers had a 1 from abroad, and 044, 045 or 01 within the country; newer versions of libphonenumber
    /// do not know these any more, so that they are dialled as they are.
    @Test(arguments: ["+5215512345678", "0445512345678", "015512345678"])
    func formerNumberFromMexicoIsReadOrUnchanged(_ dialled: String) {
        let national = library.outgoing(dialled, form: .national, region: "MX")
        let international = library.outgoing(dialled, form: .international, region: "MX")
        #expect(national == nil || national == "5512345678")
        #expect(international == (national == nil ? nil : "+525512345678"))
    }

    @Test(arguments: [
        Case("US", "5558675309", "15558675309", "+15558675309"),
        Case("US", "15558675309", "15558675309", "+15558675309"),
        // Canada belongs to the same numbering plan.
        Case("US", "+14165550123", "14165550123", "+14165550123"),
        Case("US", "011442079460958", "011442079460958", "+442079460958"),
        Case("US", "+442079460958", "011442079460958", "+442079460958"),
        Case("US", "8675309", nil, nil), Case("US", "911", nil, nil), Case("US", "411", nil, nil),
    ])
    func dialsFromUnitedStates(_ expected: Case) { check(expected) }

    @Test(arguments: [
        Case("AU", "131234", nil, nil), Case("AU", "000", nil, nil),
        Case("RU", "+442079460958", "810442079460958", "+442079460958"),
        Case("NO", "21234567", "21234567", "+4721234567"), Case("NO", "02345", nil, nil),
        Case("JP", "0312345678", "0312345678", "+81312345678"),
    ])
    func dialsFromOtherRegions(_ expected: Case) { check(expected) }

    @Test(arguments: [
        ("5551234567", "QQ"), ("5551234567", "us"), ("5551234567", ""), ("5551234567", "U\u{E9}"), ("", "US"),
        ("+", "US"),
        ("*69", "US"), ("555 1234567", "US"), (String(repeating: "5", count: 41), "US"),
        (String(repeating: "5", count: 10_000_000), "US"),
    ])
    func invalidNumberOrRegionHasNoForm(_ number: String, region: String) {
        for form in DialRules.Form.allCases {
            #expect(library.outgoing(number, form: form, region: region) == nil)
        }
        #expect(library.failure == nil)
    }

    @Test func numbersStayUnchangedWithoutLibrary() {
        let library = PhoneNumberLibrary(folders: ["/nonexistent"])
        #expect(library.outgoing("5558675309", form: .international, region: "US") == nil)
        #expect(library.failure?.reason.contains(PhoneNumberLibrary.fileName) == true)
    }

    private func check(_ expected: Case) {
        func form(_ form: DialRules.Form) -> String? {
            library.outgoing(expected.dialled, form: form, region: expected.region)
        }
        #expect(form(.national) == expected.national)
        #expect(form(.international) == expected.international)
        #expect(form(.asDialled) == nil && library.failure == nil)
    }
}
