// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What HomingAuthUI and Samples/Newsletter/Xcode use of SwiftUI and Combine, as declarations with Apple's isolation, for
// a type check without an Apple machine. What they begin to use has to be added here, if iOS 15 and macOS 12 have it.
// Every modifier answers a `Stand`.

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

@MainActor @propertyWrapper public struct ObservedObject<Object: ObservableObject> {
    public nonisolated init(wrappedValue: Object) {}
    public var wrappedValue: Object { fatalError() }
    public var projectedValue: EnvironmentObject<Object>.Wrapper { fatalError() }
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

@dynamicMemberLookup @propertyWrapper public struct Binding<Value> {
    public init(projectedValue: Binding<Value>) {}
    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> { fatalError() }
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

@MainActor public struct OpenURLAction: Sendable {
    public func callAsFunction(_ url: URL) {}
    public func callAsFunction(_ url: URL, completion: @escaping (_ accepted: Bool) -> Void) {}
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public enum LayoutDirection: Hashable, Sendable { case leftToRight, rightToLeft }

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
    public var layoutDirection = LayoutDirection.leftToRight
    @MainActor public var dismiss: DismissAction { DismissAction() }
    @MainActor public var openURL: OpenURLAction { OpenURLAction() }
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { Key.defaultValue }
        set {}
    }
}

@propertyWrapper public struct AccessibilityFocusState<Value: Hashable> {
    public struct Binding {}
    public init() where Value == Bool {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding { Binding() }
}

// MARK: Controls

public enum HorizontalAlignment { case leading, center }
public struct Alignment: Sendable { public static let leading = Alignment(), center = Alignment() }
public enum UnitPoint { case top }
public struct Font: Sendable {
    public static let title = Font(), title2 = Font(), largeTitle = Font(), headline = Font(), footnote = Font()
    public enum Weight: Sendable { case semibold, bold }
    public func weight(_ weight: Weight) -> Font { self }
    public func monospacedDigit() -> Font { self }
}
public enum Color { case secondary, red }
public enum ControlSize { case large }
public enum SubmitLabel { case go }
public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let isHeader = AccessibilityTraits(rawValue: 1), isSelected = AccessibilityTraits(rawValue: 2)
}
public enum AccessibilityChildBehavior { case combine }
public protocol TextFieldStyle {}
public struct RoundedBorderTextFieldStyle: TextFieldStyle {}
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: Self { RoundedBorderTextFieldStyle() }
}
public protocol PrimitiveButtonStyle {}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
public struct BorderlessButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: Self { BorderedProminentButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: Self { BorderlessButtonStyle() }
}
public struct ButtonRole: Sendable { public static let cancel = ButtonRole() }

public struct VStack<Content: View>: View {
    public typealias Body = Never
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
}

public struct HStack<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Group<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) {}
}

public struct ScrollView<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Menu<Content: View>: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {}
}

public struct ProgressView: View {
    public typealias Body = Never
    public init() {}
}

public struct Image: View {
    public typealias Body = Never
    public init(systemName: String) {}
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

public struct Button<Label: View>: View {
    public typealias Body = Never
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
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
    public func sheet(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> some View
    ) -> Stand { Stand() }
    public func onChange<Value: Equatable>(of value: Value, perform action: @escaping (Value) -> Void) -> Stand {
        Stand()
    }
    public func onAppear(perform action: (() -> Void)? = nil) -> Stand { Stand() }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> Stand { Stand() }
    public func task(id: some Equatable, _ action: @escaping @MainActor @Sendable () async -> Void) -> Stand { Stand() }
    public func disabled(_ isDisabled: Bool) -> Stand { Stand() }
    public func disableAutocorrection(_ isDisabled: Bool?) -> Stand { Stand() }
    public func modifier(_ modifier: some ViewModifier) -> Stand { Stand() }
    public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> Stand {
        Stand()
    }
    public func frame(minWidth: CGFloat? = nil, minHeight: CGFloat? = nil) -> Stand { Stand() }
    public func frame(maxWidth: CGFloat? = nil, alignment: Alignment = .center) -> Stand { Stand() }
    public func textFieldStyle(_ style: some TextFieldStyle) -> Stand { Stand() }
    public func buttonStyle(_ style: some PrimitiveButtonStyle) -> Stand { Stand() }
    public func controlSize(_ size: ControlSize) -> Stand { Stand() }
    public func submitLabel(_ label: SubmitLabel) -> Stand { Stand() }
    public func onSubmit(_ action: @escaping () -> Void) -> Stand { Stand() }
    public func accessibilityLabel(_ label: some StringProtocol) -> Stand { Stand() }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> Stand { Stand() }
    public func accessibilityElement(children: AccessibilityChildBehavior) -> Stand { Stand() }
    public func accessibilityFocused(_ state: AccessibilityFocusState<Bool>.Binding) -> Stand { Stand() }
    #if os(macOS)
        public func textContentType(_ type: NSTextContentType?) -> Stand { Stand() }
    #else
        public func textContentType(_ type: UITextContentType?) -> Stand { Stand() }
        public func keyboardType(_ type: UIKeyboardType) -> Stand { Stand() }
        public func textInputAutocapitalization(_ kind: TextInputAutocapitalization?) -> Stand { Stand() }
    #endif
}

public struct TextInputAutocapitalization { public static var never: Self { Self() } }

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = Stand
    @ViewBuilder func body(content: Content) -> Body
}

open class UIHostingController<Content: View>: UIViewController {
    public init(rootView: Content) { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
