// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What the SDK uses of Apple's Foundation, as declarations: test_sdk_availability.py takes them for the real ones when
// it type-checks the SDK for the oldest systems. What needs newer ones than macOS 10.15 and iOS 13 carries Apple's own
// availability. What the SDK begins to use has to be added here, with the availability of Apple's documentation.

public typealias TimeInterval = Double

// MARK: Values

public typealias CGFloat = Double

public struct URL: Sendable, Hashable {
    public init?(string: String) { nil }
    public init(fileURLWithPath path: String) { fatalError() }
    public var absoluteString: String { fatalError() }
    public var scheme: String? { nil }
    public var host: String? { nil }
    public var path: String { "" }
    public var query: String? { nil }
    public var fragment: String? { nil }
    public var pathExtension: String { "" }
    public var lastPathComponent: String { "" }
    public func appendingPathComponent(_ component: String) -> URL { self }
}

public struct Data: Sendable, Hashable, RandomAccessCollection {
    public init() {}
    public init(_ bytes: some Sequence<UInt8>) {}
    public init(contentsOf url: URL) throws {}
    public init?(base64Encoded: Data) {}
    public mutating func append(_ other: Data) {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 { 0 }
    public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
        nil
    }
}

public struct Date: Sendable, Hashable, Comparable {
    public init() {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public var timeIntervalSince1970: TimeInterval { 0 }
    public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
    public static func < (left: Date, right: Date) -> Bool { false }
}

public struct UUID: Sendable, Hashable {
    public init() {}
    public var uuidString: String { "" }
}

public struct Locale: Sendable {
    public static var preferredLanguages: [String] { [] }
}

public struct CharacterSet: Sendable {
    public static var whitespacesAndNewlines: CharacterSet { CharacterSet() }
}

extension StringProtocol {
    public func trimmingCharacters(in set: CharacterSet) -> String { "" }
}

// MARK: Objects

public protocol NSObjectProtocol: AnyObject {}

open class NSObject: NSObjectProtocol {
    public init() {}
}

extension NSObject: Hashable {
    public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) {}
}

public final class NSNull: NSObject {}

open class NSCoder: NSObject {}

public final class NSLock: NSObject, @unchecked Sendable {
    public func lock() {}
    public func unlock() {}
}

public final class Bundle: NSObject, @unchecked Sendable {
    public static var main: Bundle { fatalError() }
    public var bundleIdentifier: String? { nil }
    public func url(forResource name: String?, withExtension: String?) -> URL? { nil }
    public func object(forInfoDictionaryKey key: String) -> Any? { nil }
    public var preferredLocalizations: [String] { [] }
}

public final class ProcessInfo: NSObject, @unchecked Sendable {
    public static var processInfo: ProcessInfo { fatalError() }
    public var processName: String { "" }
}

public struct Notification: Sendable {
    public struct Name: Sendable {
        public init(_ name: String) {}
    }
}

public final class NotificationCenter: NSObject, @unchecked Sendable {
    public static var `default`: NotificationCenter { fatalError() }
    @discardableResult
    public func addObserver(
        forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol { fatalError() }
    public func removeObserver(_ observer: Any) {}
    public func post(name: Notification.Name, object: Any?) {}
}

// MARK: Files

public final class FileManager: NSObject, @unchecked Sendable {
    public enum SearchPathDirectory { case applicationSupportDirectory }
    public struct SearchPathDomainMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
    }
    public static var `default`: FileManager { fatalError() }
    public var temporaryDirectory: URL { fatalError() }
    public func urls(for directory: SearchPathDirectory, in mask: SearchPathDomainMask) -> [URL] { [] }
    public func containerURL(forSecurityApplicationGroupIdentifier identifier: String) -> URL? { nil }
    public func fileExists(atPath path: String) -> Bool { false }
    public func createDirectory(
        at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    public func removeItem(atPath path: String) throws {}
    public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
}

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let posixPermissions = FileAttributeKey(rawValue: "")
}

public final class FileHandle: NSObject {
    public init(fileDescriptor: Int32, closeOnDealloc: Bool) {}
    public func write(contentsOf data: Data) throws {}
    public func readToEnd() throws -> Data? { nil }
    public func synchronize() throws {}
    public func close() throws {}
}

public func open(_ path: String, _ flags: Int32) -> Int32 { 0 }
public func open(_ path: String, _ flags: Int32, _ mode: UInt16) -> Int32 { 0 }
public func close(_ file: Int32) -> Int32 { 0 }
public func flock(_ file: Int32, _ operation: Int32) -> Int32 { 0 }
public func unlink(_ path: String) -> Int32 { 0 }
public func rename(_ old: String, _ new: String) -> Int32 { 0 }
public func strerror(_ number: Int32) -> UnsafeMutablePointer<CChar> { fatalError() }
public var errno: Int32 { 0 }
public var EINTR: Int32 { 4 }
public var EPERM: Int32 { 1 }
public var ENOENT: Int32 { 2 }
public var O_RDONLY: Int32 { 0 }
public var O_NOFOLLOW: Int32 { 16 }
public var O_WRONLY: Int32 { 1 }
public var O_CREAT: Int32 { 2 }
public var O_EXCL: Int32 { 4 }
public var O_DIRECTORY: Int32 { 16 }
public var LOCK_EX: Int32 { 2 }
public var O_CLOEXEC: Int32 { 8 }

public final class PropertyListSerialization: NSObject {
    public struct ReadOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public enum PropertyListFormat { case xml }
    public static func propertyList(
        from data: Data, options: ReadOptions = [], format: UnsafeMutablePointer<PropertyListFormat>?
    ) throws -> Any { () }
}

// MARK: Errors

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

extension Error {
    public var localizedDescription: String { "" }
}

public let NSLocalizedDescriptionKey = ""
public let NSLocalizedFailureReasonErrorKey = ""
public let NSUnderlyingErrorKey = ""
public let NSFilePathErrorKey = ""
public let NSOSStatusErrorDomain = ""

public struct CocoaError: Error {
    public struct Code: Sendable {
        public static let fileNoSuchFile = Code()
        public static let fileWriteUnknown = Code()
    }
    public init(_ code: Code, userInfo: [String: Any] = [:]) {}
}

public struct URLError: Error {
    public struct Code: Sendable {
        public static let badServerResponse = Code()
        public static let dataLengthExceedsMaximum = Code()
    }
    public init(_ code: Code) {}
}

// MARK: Requests

public struct URLRequest: Sendable {
    public init(url: URL) {}
    public var httpMethod: String? {
        get { nil }
        set {}
    }
    public var httpBody: Data? {
        get { nil }
        set {}
    }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}

open class URLResponse: NSObject, @unchecked Sendable {}
public final class HTTPURLResponse: URLResponse, @unchecked Sendable { public var statusCode: Int { 0 } }
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class URLCache: NSObject, @unchecked Sendable {}
open class URLSessionTask: NSObject, @unchecked Sendable {
    public var taskIdentifier: Int { 0 }
    public var response: URLResponse? { nil }
    public func resume() {}
    public func cancel() {}
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class OperationQueue: NSObject, @unchecked Sendable {}

public final class URLSessionConfiguration: NSObject, @unchecked Sendable {
    public static var ephemeral: URLSessionConfiguration { fatalError() }
    public var timeoutIntervalForRequest: TimeInterval {
        get { 0 }
        set {}
    }
    public var timeoutIntervalForResource: TimeInterval {
        get { 0 }
        set {}
    }
    public var httpShouldSetCookies: Bool {
        get { false }
        set {}
    }
    public var httpCookieStorage: HTTPCookieStorage? {
        get { nil }
        set {}
    }
    public var urlCache: URLCache? {
        get { nil }
        set {}
    }
}

public protocol URLSessionDelegate: AnyObject, Sendable {}
public protocol URLSessionTaskDelegate: URLSessionDelegate {}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {}

public final class URLSession: NSObject, @unchecked Sendable {
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
    ) {}
    public func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
}

// MARK: For Objective-C

open class NSError: NSObject, Error, @unchecked Sendable {
    public init(domain: String, code: Int, userInfo: [String: Any]? = nil) {}
    public var domain: String { "" }
    public var code: Int { 0 }
    public var userInfo: [String: Any] { [:] }
    public var localizedDescription: String { "" }
    public var localizedFailureReason: String? { nil }
}

public protocol _ObjectiveCBridgeableError: Error {
    init?(_bridgedNSError error: __shared NSError)
}

public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func strdup(_ text: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? { nil }
