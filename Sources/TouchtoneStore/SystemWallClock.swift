// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
public import TouchtoneCore

public final class SystemWallClock: WallClock {
    public init() {}

    public var now: ChatTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return ChatTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
