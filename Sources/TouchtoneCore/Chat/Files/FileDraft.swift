// SPDX-License-Identifier: GPL-3.0-or-later

/// A file that the user is about to send.
public struct FileDraft: Sendable {
    public enum Source: Sendable {
        /// The absolute path of an ordinary file.
        case path(String)
        /// A content that is not on the disk, such as a picture from the clipboard.
        case content([UInt8])
    }

    public let source: Source
    public let name: String
    /// The size in bytes.
    public let size: Int64
    /// The media type, such as `image/png`; empty if it is not known.
    public let mediaType: String

    init(_ file: LocalFile) {
        (source, name, size, mediaType) = (.path(file.path), file.name, file.size, file.mediaType)
    }

    init(_ content: [UInt8], name: String, mediaType: String) {
        (source, size) = (.content(content), Int64(content.count))
        (self.name, self.mediaType) = (name, mediaType)
    }

    /// Whether the file is a picture of a kind that can be shown.
    public var isPicture: Bool { SharedFile(name: name, mediaType: mediaType).isPicture }
}

// MARK: - Actions of the user

extension FileUploads {
    /// Examines files at absolute paths, and returns those that can be sent, and the reasons why the others cannot.
    ///
    /// - Parameter count: The number of files that are to be sent with them.
    public func drafts(
        of paths: [String], besides count: Int = 0, to buddy: ChatAddress
    ) async -> (files: [FileDraft], problems: [String]) {
        if let obstacle = obstacle(to: buddy) { return ([], [obstacle]) }
        guard paths.count + count <= Self.maximumAttached else {
            return ([], [TransferText.tooMany(paths.count + count, limit: Self.maximumAttached)])
        }
        let turn = turn
        await learnLimit(of: buddy)
        var (drafts, problems): ([FileDraft], [String]) = ([], [])
        for path in paths {
            do throws(FileProblem) {
                let draft = FileDraft(try await files.storage.inspect(path))
                let problem = await problem(with: draft.size, of: draft.name, to: buddy)
                guard turn == self.turn else { return ([], problems) }
                if let problem { problems.append(problem) } else { drafts.append(draft) }
            } catch {
                problems.append(error.text(of: LocalFile.name(of: path)))
            }
        }
        return (drafts, problems)
    }

    /// Examines a content as `drafts` does files.
    public func draft(
        of content: [UInt8], name: String, mediaType: String, besides count: Int = 0, to buddy: ChatAddress
    ) async -> (files: [FileDraft], problems: [String]) {
        if let obstacle = obstacle(to: buddy) { return ([], [obstacle]) }
        guard count < Self.maximumAttached else {
            return ([], [TransferText.tooMany(count + 1, limit: Self.maximumAttached)])
        }
        await learnLimit(of: buddy)
        let problem = await problem(with: Int64(content.count), of: name, to: buddy)
        return problem.map { ([], [$0]) } ?? ([FileDraft(content, name: name, mediaType: mediaType)], [])
    }

    /// Sends files in order, each as a message, and returns the reasons why some could not be saved.
    ///
    /// - Parameters:
    ///   - text: The words about them, which go with the last file.
    ///   - original: The message that this text replies to; nil if it is no reply.
    public func send(
        _ drafts: [FileDraft], text: String = "", inReplyTo original: ChatMessage? = nil,
        to buddy: ChatAddress
    ) async -> [String] {
        let turn = turn
        var (files, problems): ([SharedFile], [String]) = ([], [])
        for draft in drafts {
            do throws(FileProblem) {
                let path = try await path(of: draft)
                files.append(
                    SharedFile(name: draft.name, size: draft.size, mediaType: draft.mediaType, path: path))
            } catch {
                problems.append(error.text(of: draft.name))
            }
        }
        guard turn == self.turn else { return problems }
        for file in files.dropLast() { chat?.send(file, to: buddy) }
        if let last = files.last { chat?.send(last, text: text, inReplyTo: original, to: buddy) }
        return problems
    }

    /// Sends files at absolute paths in order, and returns the reasons why some were not accepted, for the user.
    public func attach(_ paths: [String], to buddy: ChatAddress) async -> [String] {
        let (drafts, problems) = await drafts(of: paths, to: buddy)
        return problems + (await send(drafts, to: buddy))
    }

    /// Sends a file that is not on the disk, such as a voice message; returns why it was not accepted.
    public func attach(_ content: [UInt8], name: String, mediaType: String, to buddy: ChatAddress) async
        -> String?
    {
        let (drafts, problems) = await draft(of: content, name: name, mediaType: mediaType, to: buddy)
        return (problems + (await send(drafts, to: buddy))).first
    }

    private func path(of draft: FileDraft) async throws(FileProblem) -> String {
        switch draft.source {
        case .path(let path): path
        case .content(let content): try await files.storage.keep(content, name: draft.name)
        }
    }
}
