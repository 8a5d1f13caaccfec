// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import PackageDescription

// The layout, and what each module may import, is in CONTRIBUTING.md; PackageTests holds the sources to it.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // GLib marks its flags with this attribute from 2.88 on. Swift would import them under other names, and no zeros.
    .unsafeFlags(["-Xcc", "-Dflag_enum=unknown_attribute"]),
    // SwiftPM finds the tests by an index of their sources. Indexing GTK too would lengthen the build by a tenth.
    .unsafeFlags(["-index-ignore-system-modules"], .when(configuration: .debug)),
]
let strictC: [CSetting] = [.treatAllWarnings(as: .error)]
let strictCXX: [CXXSetting] = [.treatAllWarnings(as: .error)]

let systemLibraries: [Target] = [
    .systemLibrary(name: "CGtk", pkgConfig: "gtk+-3.0", providers: [.apt(["libgtk-3-dev"])]),
    .systemLibrary(
        name: "CPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
    .systemLibrary(name: "CHandy", pkgConfig: "libhandy-1", providers: [.apt(["libhandy-1-dev"])]),
    .systemLibrary(name: "CGio", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    // Without pkg-config, it is not linked: SoundFileLibrary loads it.
    .systemLibrary(name: "CSndFile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CIDN", pkgConfig: "libidn", providers: [.apt(["libidn-dev"])]),
    .systemLibrary(name: "CGcrypt", pkgConfig: "libgcrypt", providers: [.apt(["libgcrypt20-dev"])]),
    .systemLibrary(name: "COMEMO", pkgConfig: "libomemo-c", providers: [.apt(["libomemo-c-dev"])]),
    .systemLibrary(name: "CEBook", pkgConfig: "libebook-1.2", providers: [.apt(["libebook1.2-dev"])]),
    .systemLibrary(name: "CSoup", pkgConfig: "libsoup-3.0", providers: [.apt(["libsoup-3.0-dev"])]),
]

// TOUCHTONE_SIP=0 builds without liblinphone, and then without calls over SIP.
let hasSIP = Context.environment["TOUCHTONE_SIP"] != "0"

/// The name of mediastreamer's library, which has changed with liblinphone 5.2; its pkg-config file is wrong in Debian 13.
let mediastreamer =
    ["x86_64-linux-gnu/", "aarch64-linux-gnu/", "../lib64/", "", "../local/lib/"]
        .contains { access("/usr/lib/\($0)libmediastreamer2.so", F_OK) == 0 }
    ? "mediastreamer2" : "mediastreamer"

let sip: [Target] = [
    .systemLibrary(name: "CLinphone"),
    .target(name: "CSIPShims", cSettings: strictC, linkerSettings: [.linkedLibrary("gnutls")]),
    .target(name: "DialogInfo", dependencies: ["CExpat"], swiftSettings: strict),
    .executableTarget(
        name: "touchtone-sip",
        dependencies: [
            "HelperSupport", "HelperMessages", "RecordedSound", "SIPMessages", "CLinphone", "CSIPShims",
            "DialogInfo",
        ],
        swiftSettings: strict,
        linkerSettings: [
            .linkedLibrary(mediastreamer),
            // The linker exports what libraries ask for by name alone, and not by name and version. See sound_server.c.
            .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=pa_context_new"]),
        ]),
    .testTarget(
        name: "SIPEngineTests",
        dependencies: [
            "CGio", "HelperMessages", "SIPMessages", "CHelperShims", "CSIPShims", "DialogInfo",
            "TestSupport", "touchtone-sip",
        ],
        swiftSettings: strict),
]

/// Returns settings that link a library of C or C++ without the Swift runtime.
///
/// SwiftPM would make it load the runtime from the toolchain's folder. Without the runtime, the linker would take the
/// library's name from the path of the build, so the name is set.
func withoutSwift(_ product: String) -> [LinkerSetting] {
    [
        .unsafeFlags([
            "-static-stdlib", "-nostartfiles", "-Xlinker", "-soname", "-Xlinker", "lib\(product).so",
        ])
    ]
}

let shims: [Target] = [
    .target(name: "CGtkShims", dependencies: ["CGtk", "CHandy"], cSettings: strictC),
    .target(name: "CGLibShims", dependencies: ["CGio"], cSettings: strictC),
    .target(name: "CHelperShims", cSettings: strictC),
    .target(name: "CAudioShims", dependencies: ["CALSA"], cSettings: strictC),
    // libebook's own headers have what GLib has deprecated.
    .target(
        name: "CBooks", dependencies: ["CEBook"],
        cSettings: strictC + [.define("GLIB_DISABLE_DEPRECATION_WARNINGS")],
        linkerSettings: withoutSwift("touchtone-books")),
    .target(
        name: "CWeb", dependencies: ["CSoup", "CGio"], cSettings: strictC,
        linkerSettings: withoutSwift("touchtone-web")),
    .target(
        name: "CPhoneNumbers", cxxSettings: strictCXX,
        linkerSettings: ["phonenumber", "icui18n", "icuuc"].map { .linkedLibrary($0) }
            + withoutSwift("touchtone-numbers")),
]

let modules: [Target] = [
    .target(name: "TouchtoneCore", swiftSettings: strict),
    .target(name: "GLibBridge", dependencies: ["CGio", "CGLibShims"], swiftSettings: strict),
    .target(name: "HelperMessages", dependencies: ["CHelperShims"], swiftSettings: strict),
    .target(name: "HelperSupport", dependencies: ["HelperMessages", "CHelperShims"], swiftSettings: strict),
    .target(
        name: "TouchtoneHelpers", dependencies: ["TouchtoneCore", "GLibBridge", "CGio", "HelperMessages"],
        swiftSettings: strict),
    .target(name: "SIPMessages", dependencies: ["HelperMessages"], swiftSettings: strict),
    .target(
        name: "TouchtoneEngine",
        dependencies: ["TouchtoneCore", "GLibBridge", "TouchtoneHelpers", "HelperMessages", "SIPMessages"],
        swiftSettings: strict),
    .target(name: "PictureFormats", swiftSettings: strict),
    .target(name: "DecoderSupport", dependencies: ["CHelperShims"], swiftSettings: strict),
    .executableTarget(
        name: "touchtone-pictures", dependencies: ["CPixbuf", "DecoderSupport"], swiftSettings: strict),
    .executableTarget(
        name: "touchtone-sounds", dependencies: ["RecordedSound", "DecoderSupport"], swiftSettings: strict),
    // Tests record calls in real time, on machines that are busy; without optimization, that takes a fifth of a processor.
    .target(
        name: "RecordedSound", dependencies: ["CSndFile"],
        swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .target(
        name: "TouchtoneAudio",
        dependencies: ["TouchtoneCore", "GLibBridge", "RecordedSound", "CALSA", "CAudioShims"],
        swiftSettings: strict),
    .target(
        name: "TouchtoneBooks", dependencies: ["TouchtoneCore", "GLibBridge", "CGio"], swiftSettings: strict),
    .target(
        name: "TouchtoneFiles",
        dependencies: ["TouchtoneCore", "GLibBridge", "TouchtoneOMEMO", "CGio", "PictureFormats"],
        swiftSettings: strict),
    .target(
        name: "TouchtoneOMEMO", dependencies: ["TouchtoneCore", "CGcrypt", "COMEMO"], swiftSettings: strict),
    .target(
        name: "TouchtoneNumbers", dependencies: ["TouchtoneCore", "GLibBridge"], swiftSettings: strict),
    .target(
        name: "TouchtoneHeadset", dependencies: ["TouchtoneCore", "GLibBridge"], swiftSettings: strict),
    .target(
        name: "TouchtoneTel", dependencies: ["TouchtoneCore", "GLibBridge", "CGio"], swiftSettings: strict),
    .target(name: "TouchtoneMobile", dependencies: ["TouchtoneCore", "GLibBridge"], swiftSettings: strict),
    .target(
        name: "TouchtoneSIP",
        dependencies: ["TouchtoneCore", "GLibBridge", "TouchtoneEngine", "SIPMessages"],
        swiftSettings: strict),
    .target(
        name: "TouchtoneStore",
        dependencies: [
            "TouchtoneCore", "GLibBridge", "TouchtoneOMEMO", "CGio", "CSecret", "CSodium", "CSQLite",
        ],
        swiftSettings: strict),
    .target(
        name: "TouchtoneXMPP",
        dependencies: [
            "TouchtoneCore", "GLibBridge", "TouchtoneEngine", "SIPMessages", "CGio", "CExpat", "CIDN",
            "CGcrypt",
            "CSodium",
        ],
        swiftSettings: strict),
    .target(
        name: "GtkBridge",
        dependencies: ["GLibBridge", "CGio", "CGtk", "CHandy", "CGtkShims", "PictureFormats"],
        swiftSettings: strict),
    .target(
        name: "TouchtoneUI", dependencies: ["TouchtoneCore", "GtkBridge"], swiftSettings: strict),
    .executableTarget(
        name: "touchtone",
        dependencies: [
            "TouchtoneCore", "TouchtoneAudio", "TouchtoneBooks", "TouchtoneFiles", "TouchtoneNumbers",
            "TouchtoneHelpers", "TouchtoneEngine", "TouchtoneHeadset", "TouchtoneMobile", "TouchtoneSIP",
            "TouchtoneStore", "TouchtoneTel", "TouchtoneXMPP", "GLibBridge", "GtkBridge", "TouchtoneUI",
        ], swiftSettings: strict,
        // The linker exports only what the libraries of its own list use. See accessibility.c.
        linkerSettings: [
            .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=atspi_dbus_connection_setup_with_g_main"])
        ]),
    .executableTarget(
        name: "tonegen", dependencies: ["TouchtoneCore", "TouchtoneAudio", "GLibBridge"],
        swiftSettings: strict),
]

let tests: [Target] = [
    .target(
        name: "TestSupport", dependencies: ["CGio"], path: "Tests/TestSupport", swiftSettings: strict),
    .target(
        name: "ChatTestSupport", dependencies: ["GLibBridge", "TouchtoneCore"], path: "Tests/ChatTestSupport",
        swiftSettings: strict),
    .target(
        name: "CXTest", path: "Tests/CXTest", cSettings: strictC,
        linkerSettings: [.linkedLibrary("Xtst"), .linkedLibrary("X11")]),
    .target(
        name: "GtkTestSupport", dependencies: ["GtkBridge", "TestSupport"], path: "Tests/GtkTestSupport",
        swiftSettings: strict),
    .testTarget(
        name: "TouchtoneCoreTests", dependencies: ["TouchtoneCore", "ChatTestSupport", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "TouchtoneAudioTests",
        dependencies: [
            "TouchtoneAudio", "TouchtoneCore", "RecordedSound", "ChatTestSupport", "TestSupport",
            "touchtone-sounds",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "RecordedSoundTests", dependencies: ["RecordedSound", "TestSupport", "soundwriter"],
        swiftSettings: strict),
    // Killed by the tests at any moment.
    .executableTarget(
        name: "soundwriter", dependencies: ["RecordedSound"], path: "Tests/SoundWriter", swiftSettings: strict
    ),
    .testTarget(
        name: "TouchtoneBooksTests",
        dependencies: [
            "TouchtoneBooks", "TouchtoneCore", "GLibBridge", "TestSupport", "bookreader",
        ],
        swiftSettings: strict),
    // On a bus of the tests' own, which a process has one of.
    .executableTarget(
        name: "bookreader",
        dependencies: ["TouchtoneBooks", "TouchtoneCore", "CGio", "GLibBridge"],
        path: "Tests/BookReader", swiftSettings: strict),
    .testTarget(
        name: "TouchtoneFilesTests",
        dependencies: [
            "TouchtoneFiles", "TouchtoneCore", "TouchtoneOMEMO", "GLibBridge", "PictureFormats",
            "ChatTestSupport", "TestSupport",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TouchtoneNumbersTests",
        dependencies: ["TouchtoneNumbers", "TouchtoneCore", "GLibBridge", "TestSupport"],
        swiftSettings: strict),
    .target(
        name: "OMEMOTestSupport", dependencies: ["TouchtoneOMEMO", "TouchtoneCore"],
        path: "Tests/OMEMOTestSupport", swiftSettings: strict),
    .testTarget(
        name: "TouchtoneHeadsetTests",
        dependencies: [
            "TouchtoneHeadset", "TouchtoneCore", "GLibBridge", "CGio", "ChatTestSupport", "TestSupport",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TouchtoneOMEMOTests",
        dependencies: ["TouchtoneOMEMO", "TouchtoneCore", "OMEMOTestSupport", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "TouchtoneHelpersTests",
        dependencies: [
            "TouchtoneHelpers", "HelperMessages", "TouchtoneCore", "GLibBridge", "CHelperShims",
            "ChatTestSupport", "TestHelperMessages", "TestSupport", "testhelper",
        ],
        swiftSettings: strict),
    .target(
        name: "TestHelperMessages", dependencies: ["HelperMessages"], path: "Tests/TestHelperMessages",
        swiftSettings: strict),
    // A helper of another kind than touchtone-sip.
    .executableTarget(
        name: "testhelper", dependencies: ["HelperMessages", "HelperSupport", "TestHelperMessages"],
        path: "Tests/TestHelper", swiftSettings: strict),
    .testTarget(
        name: "TouchtoneMobileTests",
        dependencies: ["TouchtoneMobile", "TouchtoneCore", "GLibBridge", "ChatTestSupport", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "TouchtoneSIPTests",
        dependencies: [
            "TouchtoneSIP", "TouchtoneEngine", "HelperMessages", "SIPMessages", "TouchtoneCore",
            "TouchtoneHelpers", "CGio",
            "GLibBridge", "ChatTestSupport", "TestSupport",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TouchtoneStoreTests",
        dependencies: [
            "TouchtoneStore", "TouchtoneCore", "CSQLite", "ChatTestSupport", "StoreTestSupport",
            "TestSupport", "storewriter",
        ],
        exclude: ["Fixtures"], swiftSettings: strict),
    // Killed by the tests at any moment.
    .executableTarget(
        name: "storewriter", dependencies: ["TouchtoneCore", "TouchtoneStore", "StoreTestSupport"],
        path: "Tests/StoreWriter", swiftSettings: strict),
    .target(
        name: "StoreTestSupport", dependencies: ["TouchtoneCore", "TouchtoneStore"],
        path: "Tests/StoreTestSupport", swiftSettings: strict),
    .testTarget(
        name: "TouchtoneXMPPTests",
        dependencies: [
            "TouchtoneXMPP", "TouchtoneEngine", "SIPMessages", "TouchtoneCore", "TouchtoneFiles",
            "TouchtoneStore", "CGio", "GLibBridge",
            "ChatTestSupport", "TestSupport",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "GLibBridgeTests", dependencies: ["GLibBridge", "CGio", "TestSupport"], swiftSettings: strict),
    .testTarget(
        name: "GtkBridgeTests",
        dependencies: ["GtkBridge", "GtkTestSupport", "PictureFormats", "TestSupport", "touchtone-pictures"],
        swiftSettings: strict),
    .testTarget(
        name: "TouchtoneUITests",
        dependencies: [
            "TouchtoneUI", "TouchtoneCore", "GtkBridge", "GtkTestSupport", "ChatTestSupport", "TestSupport",
            "CXTest",
        ],
        swiftSettings: strict),
    .testTarget(name: "ProgramTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .testTarget(name: "PackageTests", dependencies: ["TestSupport"], swiftSettings: strict),
]

let benches: [Target] = [
    .executableTarget(
        name: "panelbench",
        dependencies: ["TouchtoneUI", "TouchtoneStore", "TouchtoneCore", "GtkBridge", "ChatTestSupport"],
        path: "Tests/Bench/Panel", swiftSettings: strict)
]

let package = Package(
    name: "touchtone",
    products: (hasSIP ? [.executable(name: "touchtone-sip", targets: ["touchtone-sip"])] : []) + [
        .executable(name: "touchtone", targets: ["touchtone"]),
        .executable(name: "tonegen", targets: ["tonegen"]),
        .executable(name: "touchtone-pictures", targets: ["touchtone-pictures"]),
        .executable(name: "touchtone-sounds", targets: ["touchtone-sounds"]),
        // Opened with dlopen(3) when a number first needs it: it brings ICU, protobuf and Boost.
        .library(name: "touchtone-numbers", type: .dynamic, targets: ["CPhoneNumbers"]),
        // Opened when a vCard or the desktop's address books first need it: it brings sixty libraries.
        .library(name: "touchtone-books", type: .dynamic, targets: ["CBooks"]),
        // Opened for the first transfer of a file: it brings twenty libraries.
        .library(name: "touchtone-web", type: .dynamic, targets: ["CWeb"]),
    ],
    targets: systemLibraries + shims + modules + (hasSIP ? sip : []) + tests + benches,
    cLanguageStandard: .gnu11,
    cxxLanguageStandard: .gnucxx17
)
