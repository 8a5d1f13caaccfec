// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneNumbers

@Suite struct PhoneNumberLibraryTests {
    @Test func versionIsTold() throws {
        let version = try #require(PhoneNumberLibrary(folders: [InstalledProgram.folder ?? ""]).version)
        #expect(version.hasPrefix("8.") && version.allSatisfy { $0.isNumber || $0 == "." })
        #expect(PhoneNumberLibrary(folders: ["/nowhere"]).version == nil)
    }

    /// The library of this build, which is beside the test bundle, the executable.
    private let library = PhoneNumberLibrary(folders: [InstalledProgram.folder ?? ""])

    @Test(arguments: [
        ("+442079460958", "ZZ", "+44 20 7946 0958"), ("+15558675309", "DE", "+1 555-867-5309"),
        ("2025550123", "US", "(202) 555-0123"), ("03012345678", "DE", "030 12345678"),
        ("0123456789", "FR", "01 23 45 67 89"), ("", "US", ""), ("+", "US", "+"),
    ])
    func formatsLikeLibphonenumber(_ number: String, region: String, shown: String) {
        #expect(library.format(number, region: region) == shown)
        #expect(library.failure == nil)
    }

    @Test(arguments: [
        ("5 5", "US"), ("5+", "US"), ("*69", "US"), ("55a", "US"), ("٣", "US"), ("5\u{0}x", "U"), ("5", "us"),
        ("5", ""),
        ("5", "USA"), ("5", "U\u{E9}"), (String(repeating: "5", count: 41), "US"),
    ])
    func refusesInvalidNumberOrRegion(_ number: String, region: String) {
        #expect(library.format(number, region: region) == nil)
        #expect(library.failure == nil)
    }

    // A parameter of this size would be written to the log.
    @Test func refusesTenMegabytes() {
        refusesInvalidNumberOrRegion(String(repeating: "5", count: 10_000_000), region: "US")
        refusesInvalidNumberOrRegion("5", region: String(repeating: "U", count: 10_000_000))
    }

    @Test(arguments: [
        ("de_DE.UTF-8", "Deutschland", "Vereinigtes Königreich"), ("ja", "ドイツ", "イギリス"),
        ("C", "Germany", "United Kingdom"), ("en_GB.UTF-8", "Germany", "United Kingdom"),
        ("", "Germany", "United Kingdom"),
    ])
    func namesRegionsInLanguage(_ language: String, germany: String, kingdom: String) {
        let regions = library.regions(language: language)
        let (german, british) = (regions.first { $0.code == "DE" }, regions.first { $0.code == "GB" })
        #expect(german == ListedRegion(code: "DE", callingCode: "49", name: germany))
        #expect(british == ListedRegion(code: "GB", callingCode: "44", name: kingdom))
        #expect(regions.count > 200)
        #expect(regions.allSatisfy { Region.checked($0.code) == $0.code && !$0.name.isEmpty })
        #expect(Set(regions.map(\.code)).count == regions.count)
    }

    @Test func sortsRegionsByLanguage() {
        let (german, swedish) = (library.regions(language: "de"), library.regions(language: "sv"))
        // Å is sorted as A in German, and after Z in Swedish.
        #expect(german.prefix(10).contains { $0.code == "AX" })
        #expect(swedish.suffix(10).contains { $0.code == "AX" })
    }

    @Test func refusesEndlessLanguage() {
        #expect(library.regions(language: String(repeating: "d", count: 10_000_000)).isEmpty)
    }

    @Test func unknownRegionIsNotError() {
        #expect(library.format("5551234", region: "QQ") != nil)
    }

    @Test(arguments: [
        "US", "GB", "DE", "FR", "JP", "AR", "MX", "BR", "IT", "RU", "CN", "KR", "AU", "CI", "QQ",
    ])
    func neverLosesAddsOrReordersDigits(region: String) {
        for seed in Seeds.all {
            var random = SplitMix64(seed: seed)
            let formatter = NumberFormatter(format: .regional(region: region), library: library)
            for prefix in ["", "+", "0", "00", "011"] {
                var number = DialledNumber(prefix) ?? DialledNumber()
                while !number.isFull {
                    number.append(Character(String(Int.random(in: 0...9, using: &random))))
                    let shown = formatter.string(for: number)
                    #expect(shown.filter { $0.isNumber || $0 == "+" } == number.text, "seed \(seed)")
                    #expect(shown.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "seed \(seed)")
                }
            }
        }
    }

    @Test func classicFormatFormatsInternationalNumbers() {
        let formatter = NumberFormatter(library: library)
        #expect(DialledNumber("+442079460958").map(formatter.string) == "+44 20 7946 0958")
        #expect(DialledNumber("5558675309").map(formatter.string) == "(555) 867-5309")
    }

    @Test func concurrentCallsDoNotInterfere() async {
        await withTaskGroup { group in
            for (number, region, shown) in [
                ("2025550123", "US", "(202) 555-0123"), ("03012345678", "DE", "030 12345678"),
                ("0123456789", "FR", "01 23 45 67 89"),
            ] {
                group.addTask {
                    let library = PhoneNumberLibrary(folders: [InstalledProgram.folder ?? ""])
                    for _ in 0..<300 { #expect(library.format(number, region: region) == shown) }
                }
            }
        }
    }

    // MARK: Without the library

    @Test func missingLibraryIsRememberedAndNumbersStayAsTyped() {
        let library = PhoneNumberLibrary(folders: ["/nonexistent", "/dev"])
        #expect(library.failure == nil)
        #expect(library.format("5", region: "US") == nil)
        let reason = "\(PhoneNumberLibrary.fileName) is not installed (it is part of Touchtone)"
        #expect(library.failure == SharedLibrary.Failure(reason: reason))
        let formatter = NumberFormatter(library: library)
        #expect(DialledNumber("+4420").map(formatter.string) == "+4420")
    }

    @Test func invalidLibraryFileIsRemembered() throws {
        try withFolder { folder in
            let path = "\(folder)/\(PhoneNumberLibrary.fileName)"
            let file = try #require(fopen(path, "w"))
            fputs("not a library", file)
            fclose(file)
            let library = PhoneNumberLibrary(folders: [folder])
            #expect(library.format("5", region: "US") == nil)
            #expect(library.failure?.reason.hasPrefix("\(path): ") == true)
            unlink(path)
        }
    }

    @Test func foreignLibraryIsRemembered() throws {
        try withFolder { folder in
            let path = "\(folder)/\(PhoneNumberLibrary.fileName)"
            let other = try #require(systemLibrary)
            #expect(symlink(other, path) == 0)
            let library = PhoneNumberLibrary(folders: [folder])
            #expect(library.format("5", region: "US") == nil)
            let reason = "\(path) lacks cphonenumbers_format; it may be the wrong version"
            #expect(library.failure == SharedLibrary.Failure(reason: reason))
            unlink(path)
        }
    }

    /// Runs `body` with a folder, which must be empty again and is then removed.
    private func withFolder(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/touchtone-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        try body(folder)
        #expect(rmdir(folder) == 0)
    }

    /// The path of a shared library that this process has open.
    private var systemLibrary: String? {
        guard let maps = fopen("/proc/self/maps", "r") else { return nil }
        defer { fclose(maps) }
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.contains("/libc.so.6"), let path = text.split(separator: " ").last {
                return String(path.dropLast())
            }
        }
        return nil
    }
}
