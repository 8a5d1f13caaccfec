// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@Suite struct ImportTests {
    @Test func modulesImportOnlyAllowedLayers() throws {
        let files = try Repository.files(in: "Sources", extensions: ["swift"])
        #expect(Set(files.map(\.module)) == ImportRules.modules.union(ImportRules.executables))
        for file in files {
            for violation in ImportRules.violations(in: file.text, of: file.module) {
                Issue.record(
                    "\(file.path):\(violation.line): \(file.module) must not import \(violation.module)")
            }
        }
    }

    @Test(arguments: [
        "import Foundation", "  import Foundation // x", "public import Foundation",
        "@preconcurrency import Foundation",
        "@testable import Foundation", "@_exported public import Foundation", "import struct Foundation.Data",
        "@preconcurrency\timport\tFoundation", "import Foundation.NSString",
        "import Synchronization; import Foundation",
        "@_spi(Private) import Foundation\r", "internal import func Foundation.exit",
    ])
    func forbiddenImportIsDetected(_ line: String) {
        let text = "// import CGtk\n\(line)\nlet important = 1\n"
        #expect(
            ImportRules.violations(in: text, of: "TouchtoneCore") == [.init(line: 2, module: "Foundation")])
    }

    @Test func allowedImportsAndOtherTextAreAccepted() {
        for line in ["import Synchronization", "// import CGtk", "let x = \"import CGtk\"", "importer.run()"]
        {
            #expect(ImportRules.violations(in: line, of: "TouchtoneCore") == [])
        }
        #expect(ImportRules.violations(in: "import CGtk", of: "GtkBridge") == [])
    }

    @Test func windowDoesNotImportEngine() {
        for module in [
            "TouchtoneAudio", "TouchtoneBooks", "TouchtoneFiles", "TouchtoneMobile", "TouchtoneNumbers",
            "TouchtoneOMEMO", "TouchtoneSIP", "TouchtoneStore", "TouchtoneTel", "CGtk", "Glibc",
        ] {
            #expect(ImportRules.violations(in: "import \(module)", of: "TouchtoneUI").count == 1)
        }
    }

    @Test func bridgeToGLibImportsNoWidgetsOrParts() {
        for module in ["CGtk", "CGtkShims", "CHandy", "GtkBridge", "TouchtoneCore"] {
            #expect(ImportRules.violations(in: "import \(module)", of: "GLibBridge").count == 1)
        }
    }

    @Test func adaptersImportNeitherWidgetsNorEachOther() {
        let adapters = [
            "TouchtoneAudio", "TouchtoneBooks", "TouchtoneFiles", "TouchtoneHeadset", "TouchtoneMobile",
            "TouchtoneSIP",
            "TouchtoneStore", "TouchtoneTel", "TouchtoneXMPP",
        ]
        for adapter in adapters {
            #expect(ImportRules.violations(in: "import GLibBridge", of: adapter).isEmpty)
            for module in ["CGtk", "GtkBridge", "TouchtoneUI"] + adapters where module != adapter {
                #expect(ImportRules.violations(in: "import \(module)", of: adapter).count == 1)
            }
        }
    }

    @Test func unknownModuleMayImportNothing() {
        #expect(ImportRules.violations(in: "import Glibc", of: "New").count == 1)
    }
}
