// SPDX-License-Identifier: GPL-3.0-or-later

extension Result {
    @MainActor
    static func of(_ operation: @MainActor () async throws(Failure) -> Success) async -> Self {
        do throws(Failure) {
            return .success(try await operation())
        } catch {
            return .failure(error)
        }
    }
}
