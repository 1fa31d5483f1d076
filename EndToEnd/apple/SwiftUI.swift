// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Samples/Newsletter/Xcode uses of SwiftUI and Combine, as declarations with Apple's isolation, for a type check
// without an Apple machine. What the sample begins to use has to be added here. Every modifier answers a `Stand`.

@_exported import UIKit

// MARK: Combine

public protocol ObservableObject: AnyObject {}

@propertyWrapper public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

// MARK: Views and scenes

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

extension View where Body == Never {
    public var body: Never { return fatalError() }
}

public struct Stand: View {
    public typealias Body = Never
    public nonisolated init() {}
}

@resultBuilder public struct ViewBuilder {
    public static func buildExpression<V: View>(_ view: V) -> V { view }
    public static func buildBlock<each V: View>(_ views: repeat each V) -> Stand { Stand() }
    public static func buildOptional(_ view: Stand?) -> Stand { Stand() }
    public static func buildEither(first: Stand) -> Stand { first }
    public static func buildEither(second: Stand) -> Stand { second }
}

@MainActor @preconcurrency public protocol Scene {}

@resultBuilder public struct SceneBuilder {
    public static func buildBlock<S: Scene>(_ scene: S) -> S { scene }
}

public struct WindowGroup<Content: View>: Scene {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
}

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

// MARK: State

@MainActor @propertyWrapper public struct StateObject<Object: ObservableObject> {
    public nonisolated init(wrappedValue: @autoclosure @escaping () -> Object) {}
    public var wrappedValue: Object { fatalError() }
}

@MainActor @propertyWrapper public struct EnvironmentObject<Object: ObservableObject> {
    @dynamicMemberLookup public struct Wrapper {
        public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value> {
            fatalError()
        }
    }
    public nonisolated init() {}
    public var wrappedValue: Object { fatalError() }
    public var projectedValue: Wrapper { fatalError() }
}

@propertyWrapper public struct Binding<Value> {
    public init(projectedValue: Binding<Value>) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() {}
}

@propertyWrapper public struct AppStorage {
    public init(wrappedValue: String, _ key: String) {}
    public var wrappedValue: String {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<String> { fatalError() }
}

@propertyWrapper public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

public enum ScenePhase: Comparable { case background, inactive, active }

@MainActor public struct DismissAction {
    public func callAsFunction() {}
}

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
    @MainActor public var dismiss: DismissAction { DismissAction() }
}

// MARK: Controls

public enum HorizontalAlignment { case leading, center }
public enum UnitPoint { case top }
public enum Font { case title, headline }
public enum Color { case secondary }
public struct ButtonRole: Sendable { public static let cancel = ButtonRole() }

public struct VStack<Content: View>: View {
    public typealias Body = Never
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
}

public struct Form<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) {}
}

public struct List<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Content: View>: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {}
}

public struct TabView<Selection: Hashable, Content: View>: View {
    public typealias Body = Never
    public init(selection: Binding<Selection>?, @ViewBuilder content: () -> Content) {}
}

public struct Picker<Selection: Hashable, Content: View>: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Elements: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public typealias Body = Never
    public init(
        _ elements: Elements, id: KeyPath<Elements.Element, ID>,
        @ViewBuilder content: @escaping (Elements.Element) -> Content
    ) {}
}

public struct ScrollViewProxy {
    public func scrollTo(_ id: some Hashable, anchor: UnitPoint? = nil) {}
}

public struct ScrollViewReader<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {}
}

public struct Label: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, systemImage: String) {}
}

public struct Text: View {
    public typealias Body = Never
    public init(_ text: some StringProtocol) {}
    public func font(_ font: Font?) -> Text { self }
    public func foregroundColor(_ color: Color?) -> Text { self }
}

public struct TextField: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct SecureField: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct Button: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {}
}

// MARK: Modifiers

extension View {
    public func environmentObject(_ object: some ObservableObject) -> Stand { Stand() }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> Stand { Stand() }
    public func onContinueUserActivity(_ type: String, perform action: @escaping (NSUserActivity) -> Void) -> Stand {
        Stand()
    }
    public func tabItem(@ViewBuilder _ label: () -> some View) -> Stand { Stand() }
    public func tag(_ tag: some Hashable) -> Stand { Stand() }
    public func id(_ id: some Hashable) -> Stand { Stand() }
    public func padding() -> Stand { Stand() }
    public func sheet<Item: Identifiable>(
        item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> some View
    ) -> Stand { Stand() }
    public func onChange<Value: Equatable>(of value: Value, perform action: @escaping (Value) -> Void) -> Stand {
        Stand()
    }
    public func onAppear(perform action: (() -> Void)? = nil) -> Stand { Stand() }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> Stand { Stand() }
    public func task(id: some Equatable, _ action: @escaping @MainActor @Sendable () async -> Void) -> Stand { Stand() }
    public func disabled(_ isDisabled: Bool) -> Stand { Stand() }
    public func disableAutocorrection(_ isDisabled: Bool?) -> Stand { Stand() }
}

open class UIHostingController<Content: View>: UIViewController {
    public init(rootView: Content) {}
}
