// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import GtkTestSupport
import TestSupport
import XCTest

@testable import GtkBridge

/// Tests of pictures that would occupy the machine: none takes much memory, here or in the process that decodes it.
final class PictureBombTests: GtkTestCase {
    func testEachFormatIsShownOrRefusedWithinBounds() throws {
        try onMainActor {
            let folder = try TemporaryFolders.make("touchtone-bombs")
            let tool = "\(Checkout.folder)/Tests/Tools/picture_bombs.py"
            _ = try output(of: ["/usr/bin/python3", tool, folder])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            XCTAssertGreaterThan(names.count, 40)
            for name in names {
                let path = "\(folder)/\(name)"
                let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                let isShown = name.hasPrefix("shown")
                resetPeak()
                let before = peak()
                for result in [PictureDecoder.Result.square, .jpeg, .codes] {
                    let bytes = PictureDecoder.decoded(file, as: result, side: 40) {
                        max($0, $1) <= 4096
                    }
                    XCTAssertEqual(bytes != nil, isShown, "\(name) as \(result)")
                }
                // The file is in memory a few times, reduced or not.
                XCTAssertLessThan(peak() - before, 24 << 10, "\(name) takes memory of the phone, in KiB")
                XCTAssertEqual(isShownInRow(path), isShown, name)
            }
        }
    }

    /// Even a whole file, which the phone would reduce, takes no more memory than the process may have.
    func testProcessIsBounded() throws {
        let folder = try TemporaryFolders.make("touchtone-bombs")
        let tool = "\(Checkout.folder)/Tests/Tools/picture_bombs.py"
        _ = try output(of: ["/usr/bin/python3", tool, folder])
        // A small process measures: what this one has would count as the memory of its children.
        let script = """
            import resource, subprocess, sys
            from pathlib import Path
            for file in sorted(Path(sys.argv[2]).glob("shown-png-c*")):
                with file.open("rb") as source:
                    subprocess.run([sys.argv[1], "png", "fit", "64", "64", "1", "64"], stdin=source,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        let program = "\(Checkout.folder)/.build/debug/touchtone-pictures"
        let peak = try output(of: ["/usr/bin/python3", "-c", script, program, folder])
        XCTAssertLessThan(Int(peak.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .max, 170 << 10)
    }

    func testBrokenDecoderIsEnded() {
        // An endless output, none, and a process that fails.
        XCTAssertNil(PictureProcess.run(["png", "fit", "1", "1", "1", "0"], input: [], maximum: 100))
        XCTAssertNil(PictureProcess.run([], input: [1, 2, 3], maximum: 100))
        XCTAssertNil(PictureProcess.run(["svg", "fit", "1", "1", "1", "1"], input: [], maximum: 100))
        let pixel: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0xff, 0, 0, 0, 0, 0xff]
            + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]
        let arguments = ["gif", "fit", "1", "1", "1", "1"]
        XCTAssertEqual(PictureProcess.run(arguments, input: pixel, maximum: 100)?.count, 12 + 4)
        XCTAssertNil(PictureProcess.run(arguments, input: pixel, maximum: 15), "more than was asked for")
        // A file that is larger than it was said to be.
        let large = Array("GIF89a".utf8) + [9, 0] + pixel[8...]
        XCTAssertNil(PictureProcess.run(arguments, input: large, maximum: 10_000))
    }

    func testProcessCanOpenNothing() throws {
        // The loader of a format that GdkPixbuf has not opened yet would be a file.
        let program = "\(Checkout.folder)/.build/debug/touchtone-pictures"
        let script = """
            \(program) gif fit 1 1 1 1 <> "$0" &
            until grep -q "^Max open files *0 " /proc/$!/limits; do kill -0 $! || exit 1; done
            cat /proc/$!/limits; kill $!
            """
        let limits = try output(of: ["/bin/sh", "-c", script, try pipe()])
        XCTAssertNotNil(limits.firstMatch(of: /Max open files +0 +0/), limits)
        XCTAssertNotNil(limits.firstMatch(of: /Max file size +0 +0/), limits)
        XCTAssertNotNil(limits.firstMatch(of: /Max cpu time +10 +10/), limits)
        XCTAssertNil(limits.firstMatch(of: /Max address space +unlimited/), limits)
    }
}

/// Returns a pipe in the file system, at which a reader waits.
private func pipe() throws -> String {
    let path = try TemporaryFolders.make("touchtone-pipe") + "/pipe"
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    return path
}

/// Makes the system measure this process's greatest use of memory anew.
private func resetPeak() {
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
}

/// Returns the greatest memory of this process, in KiB.
private func peak() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.firstMatch(of: /VmHWM:\s*(\d+) kB/).flatMap { Int($0.1) } ?? .max
}

/// Returns whether the picture of a message is shown.
@MainActor
private func isShownInRow(_ path: String) -> Bool {
    let end = Variable<Picture??>(nil)
    Task { @MainActor in
        end.value = .some(await PictureLoader.load(path: path, maximumSide: 100, scale: 1))
    }
    waitUntil("it is read") { end.value != nil }
    return end.value.flatMap { $0 } != nil
}
