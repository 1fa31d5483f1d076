# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The SDK as an app's package gets it: what is fetched, that it builds and runs, what its sources may use."""

import json
import os
import plistlib
import re
import shutil
import subprocess

import pytest
from world.homing import Homing
from world.places import ROOT
from world.waiting import until

# Those of every platform; the Objective-C one is for Apple's.
PRODUCTS = re.findall(r'^        \.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text(), re.MULTILINE)
MODULES = ["HomingWire", "HomingClient", *PRODUCTS]
# The screens: models on every platform, views where there is SwiftUI. They send nothing by themselves.
VIEWS = "HomingAuthUI"
LIBRARIES = [product for product in PRODUCTS if product != VIEWS]

MANIFEST = """// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v12), .iOS(.v15)],
    dependencies: [.package(url: "%(url)s", from: "1.0.0")],
    targets: [
        .executableTarget(name: "testing", dependencies: [%(products)s]),
        .executableTarget(name: "tutorial", dependencies: [%(products)s]),
    ]
)
"""


class Consumer:
    """A package in a folder of its own that depends on a clone of this tree, with nothing but files to fetch from."""

    def __init__(self, folder):
        self.folder = folder
        own = ("HOMING_", "GIT_")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
        # Nothing may come from elsewhere: whatever else were fetched would fail here.
        self.environment |= {
            "GIT_ALLOW_PROTOCOL": "file",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
        }

    def clone(self, url):
        """This tree as a repository with a version, uncommitted changes included."""
        url.mkdir(parents=True)
        listed = self.git("-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        for name in filter(None, listed.split("\0")):
            source = ROOT / name
            if source.is_file():
                (url / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, url / name)
        author = ("-c", "user.name=Homing", "-c", "user.email=homing@example.com", "-c", "commit.gpgsign=false")
        self.git("-C", url, "init", "-q")
        self.git("-C", url, "add", "-A")
        self.git("-C", url, *author, "commit", "-q", "-m", "As it is")
        self.git("-C", url, "tag", "1.0.0")

    def write(self, url, **programs):
        """The manifest, and a file for each program."""
        products = ", ".join(f'.product(name: "{name}", package: "homing")' for name in PRODUCTS)
        for name, text in programs.items():
            (self.folder / "Sources" / name).mkdir(parents=True)
            # Only a file of another name than main.swift may say @main.
            file = "Verify.swift" if "@main" in text else "main.swift"
            (self.folder / "Sources" / name / file).write_text(text)
        (self.folder / "Package.swift").write_text(MANIFEST % {"url": url.as_uri(), "products": products})

    def git(self, *arguments):
        return self.run("git", "-c", "safe.directory=*", *arguments).stdout

    def swift(self, command, *arguments):
        own = ("--package-path", self.folder, "--scratch-path", self.folder / ".build")
        caches = ("--cache-path", "cache", "--config-path", "configuration", "--security-path", "security")
        places = (*own, *(word if word.startswith("--") else self.folder / word for word in caches))
        return self.run("swift", command, *places, *arguments)

    def run(self, *command):
        answer = self.ended(*command)
        said = f"{answer.stdout[-4000:]}\n{answer.stderr[-4000:]}"
        assert answer.returncode == 0, f"{' '.join(map(str, command))}:\n{said}"
        return answer

    def refused(self, *command):
        answer = self.ended(*command)
        assert answer.returncode == 1, answer.stdout
        return answer.stderr

    def ended(self, *command):
        return subprocess.run(
            [str(word) for word in command],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )


@pytest.fixture(scope="module")
def shop():
    """The server of the tutorial, as its first section starts it."""
    homing = Homing()
    try:
        homing.start()
        yield homing.project("shop", domains=("www.example.com",), more=("--link-domain", "links.localhost:9099"))
        assert homing.leaks() == 0
    finally:
        homing.remove()


@pytest.fixture(scope="module")
def consumer(tmp_path_factory, shop):
    folder = tmp_path_factory.mktemp("sdk")
    consumer = Consumer(folder / "consumer")
    consumer.clone(folder / "homing")
    steps = sorted((ROOT / "Sources/HomingAuth/HomingAuth.docc/Resources").glob("verification-*.swift"))
    tutorial = steps[-1].read_text()
    key = "the key that project create has printed"
    for given, here in (("http://127.0.0.1:9099", shop.homing.public), (key, shop.api_key)):
        assert tutorial.count(given) == 1
        tutorial = tutorial.replace(given, here)
    consumer.write(folder / "homing", testing=(ROOT / "Snippets/TestingYourApp.swift").read_text(), tutorial=tutorial)
    consumer.built = consumer.swift("build")
    yield consumer
    shutil.rmtree(folder, ignore_errors=True)


def test_a_consumer_fetches_none_of_the_servers_packages(consumer):
    pins = json.loads((consumer.folder / "Package.resolved").read_text())["pins"]
    assert [pin["identity"] for pin in pins] == ["homing"]
    assert [path.name for path in (consumer.folder / ".build/checkouts").iterdir()] == ["homing"]
    tree = json.loads(consumer.swift("package", "show-dependencies", "--format", "json").stdout)
    assert [(each["identity"], each["dependencies"]) for each in tree["dependencies"]] == [("homing", [])]


def test_the_package_of_the_sdk_alone_has_nothing_to_resolve_even_as_the_root(tmp_path):
    alone = Consumer(tmp_path / "homing-swift")
    alone.run(ROOT / "scripts/sdk-package", alone.folder)
    # Xcode treats a folder that is dragged into a project as a root: of one everything is resolved.
    tree = json.loads(alone.swift("package", "show-dependencies", "--format", "json").stdout)
    assert tree["dependencies"] == []
    found = json.loads(alone.swift("package", "describe", "--type", "json").stdout)
    assert {target["name"] for target in found["targets"] if target["type"] == "library"} == set(MODULES)
    for target in found["targets"]:
        sources = {alone.folder / target["path"] / name for name in target["sources"]}
        assert sources and all(source.is_file() for source in sources)
    assert "neither empty nor a clone" in alone.refused(ROOT / "scripts/sdk-package", alone.folder)


def test_the_documents_name_a_version_and_products_that_there_are():
    version = re.search(r'version = "(.*)"', (ROOT / "Sources/HomingOperations/Version.swift").read_text())[1]
    places = ("docs/swift-package.md", "Samples/Newsletter/README.md", "Samples/Newsletter/Package.swift")
    for name in (*places, "Sources/HomingAuth/HomingAuth.docc/HomingAuth.md"):
        named = re.findall(r'from:? (?:version )?["*]*(\d+\.\d+\.\d+)', (ROOT / name).read_text())
        # Up to the next major version: an older one of the same still finds the newest.
        assert named and all(each.split(".")[0] == version.split(".")[0] for each in named), (name, named, version)
    index = (ROOT / ".spi.yml").read_text()
    documented = re.search(r"documentation_targets: \[(.*)\]", index)[1].split(", ")
    assert documented == LIBRARIES and set(re.findall(r"(?:target|scheme): (\w+)", index)) <= set(PRODUCTS)


def test_a_consumer_compiles_the_sdk_and_nothing_else_of_ours(consumer):
    output = consumer.built.stdout + consumer.built.stderr
    assert "warning:" not in output, output
    compiled = {path.name.removesuffix(".build") for path in (consumer.folder / ".build/debug").glob("*.build")}
    assert compiled == {"testing", "tutorial", *MODULES}


def test_the_snippet_about_testing_does_in_a_consumer_what_its_article_says(consumer):
    said = consumer.run(consumer.folder / ".build/debug/testing").stdout
    assert said == "the continue URL was sent, and a refusal was understood\n"


def test_the_tutorials_program_comes_back_to_the_pages_continue_url(consumer, shop):
    environment = consumer.environment | {"XDG_DATA_HOME": str(consumer.folder / "data"), "HOME": str(consumer.folder)}
    program = subprocess.Popen(
        [consumer.folder / ".build/debug/tutorial"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        mail = until(lambda: shop.homing.mailbox(), "the mail of the tutorial")[0]
        link = next(link for link in mail["links"] if "oobCode" in link)
        assert "://links.localhost:9099/__/auth/links?link=" in link
        said, _ = program.communicate(link + "\n", timeout=60)
    finally:
        program.kill()
    assert program.returncode == 0, said
    assert said.splitlines()[-2:] == ["Verified", "Back to https://www.example.com/?email=ann@example.com"]


# --- what the sources may use -----------------------------------------------------------------------------------------

SCREENS = "only the ready screens import frameworks of screens"

# What iOS 15 and macOS 12 do not have, and since when iOS has it.
TOO_NEW = {
    r"\bimport Synchronization\b|\bMutex\s*[<(]|\bAtomic\s*[<(]": "Synchronization: iOS 18. Use Locked",
    r"\bOSAllocatedUnfairLock\b": "iOS 16. Use Locked",
    r"\bimport Observation\b|@Observable\b|\bwithObservationTracking\b": "Observation: iOS 17",
    r"\b(some|any) AsyncSequence\s*<": "failure types of AsyncSequence: iOS 18. Answer AsyncStream",
    r"\bany (?!\w*KeyPath)[A-Z]\w*\s*<": "constrained existentials at run time: iOS 16",
    r"\bRegex\s*[<({]|\bimport RegexBuilder\b|#/": "Regex: iOS 16",
    r"\.(firstMatch|wholeMatch|prefixMatch|matches|firstRange|ranges)\(of:": "string processing: iOS 16",
    r"\.(replacing|trimmingPrefix|trimPrefix)\(": "string processing: iOS 16",
    r"\.split\(separator:\s*\"[^\"\\]{2,}": "splitting at a string: iOS 16",
    r"\bDuration\b|\b(Continuous|Suspending)Clock\b|\bClock\b": "Clock and Duration: iOS 16. Use TimeInterval",
    r"\bsleep\((for|until):|(?<![\w)\]])\.(seconds|milliseconds)\(": "Duration: iOS 16. Use Task.sleep(nanoseconds:)",
    r"\.appending\((path|component|components|queryItems):": "URL.appending: iOS 16. Use appendingPathComponent",
    r"\bappend\((path|component|queryItems):": "URL.append: iOS 16",
    r"\bURL\(filePath:": "iOS 16. Use URL(fileURLWithPath:)",
    r"\.(path|host|query|fragment|user|password)\(percentEncoded:|\.path\(\)|\.host\(\)": "URL's functions: iOS 16",
    r"encodingInvalidCharacters": "iOS 17",
    r"\bURL\.(applicationSupport|documents|caches|temporary|home|library)Directory\b": "iOS 16. Use FileManager",
    r"\bLocale\.(Language|Region|Script|Components)\b|\.language\.": "Locale's types: iOS 16. Use preferredLanguages",
    r"#Predicate\b|\bPredicate\s*<": "iOS 17",
    r"\bwith(Throwing)?DiscardingTaskGroup\b": "iOS 17",
    r"\b(Task|Serial)Executor\b|\bunownedExecutor\b|\bwithTaskExecutorPreference\b": "custom executors: iOS 17",
    r"\bTask\.immediate\b|\bInlineArray\b|\bUTF8Span\b|\.utf8(\.s|S)pan\b": "iOS 26",
    r"\bU?Int128\b": "iOS 18",
    r"\bString\(validating:": "iOS 18",
    r"\bisolated deinit\b": "iOS 18.4",
    r"<\s*each\b": "generic types with packs: iOS 17",
    r"\bimport (SwiftUI|UIKit|AppKit)\b": SCREENS,
    r"\bimport (os|OSLog)\b": "the SDK imports Foundation and Combine only",
}

OURS = set(MODULES)
IMPORTED = {"Combine", "Foundation", "FoundationNetworking", "Security"} | OURS


def code(text):
    """Swift without comments and without what stands in strings."""
    text = re.sub(r'"""(?:\\.|.)*?"""', '""', text, flags=re.DOTALL)
    # An escape is one character of the string.
    text = re.sub(
        r'#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"',
        lambda found: '"' + re.sub(r"\\.|.", "x", found[0][1:-1]) + '"',
        text,
    )
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"//.*", "", text)


def too_new(text):
    return [reason for pattern, reason in TOO_NEW.items() if re.search(pattern, code(text))]


def sources():
    for name in MODULES:
        for file in sorted((ROOT / "Sources" / name).rglob("*.swift")):
            if not any(part.endswith(".docc") for part in file.parts):
                yield file


def is_view(file):
    return file.is_relative_to(ROOT / "Sources" / VIEWS / "Views")


def test_the_sources_use_nothing_that_ios_15_and_macos_12_lack():
    found = [
        f"{file.relative_to(ROOT)}: {reason}"
        for file in sources()
        for reason in too_new(file.read_text())
        if not (is_view(file) and reason == SCREENS)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "private let state = Mutex<Int>(0)",
        "for try await line in lines as any AsyncSequence<String, Never> {}",
        "try await Task.sleep(for: .seconds(1))",
        'let url = base.appending(path: "a")',
        "let numbers: any Collection<Int> = []",
        "let pause = DispatchTimeInterval.seconds(1) == .seconds(1)",
        'if let match = text.firstMatch(of: pattern) { print("x") }',
        "struct Row<each Column> {}",
    ],
)
def test_the_list_finds_what_is_too_new(line):
    assert too_new(line), line


@pytest.mark.parametrize(
    "line",
    [
        "/// `Mutex<Value>` of the standard library needs iOS 18.",
        'let message = "Duration, Clock and Mutex<Value>"  // Task.sleep(for: .seconds(1))',
        "let values: [String: any Sendable] = [:]",
        "let path: any WritableKeyPath<Parameters, String?> & Sendable",
        "record[name] = Self.milliseconds(date)",
        "let stream: AsyncStream<User?> = changes()",
        'let parts = text.split(separator: ":")',
    ],
)
def test_the_list_leaves_alone_what_is_old_enough(line):
    assert not too_new(line), too_new(line)


def test_the_sources_import_foundation_combine_security_and_each_other():
    found = []
    for file in sources():
        text = code(file.read_text())
        for name in re.findall(r"\bimport\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)", text):
            if name not in IMPORTED and not (is_view(file) and name in ("AppKit", "Combine", "SwiftUI", "UIKit")):
                found.append(f"{file.relative_to(ROOT)} imports {name}")
    assert not found, "\n".join(found)


def test_what_only_apples_platforms_have_is_guarded():
    for file in sources():
        for module in ("Combine", "FoundationNetworking", "Security"):
            text = code(file.read_text())
            for found in re.finditer(rf"^.*\bimport {module}\b", text, re.MULTILINE):
                before = text[: found.start()]
                where = f"{file.relative_to(ROOT)} imports {module}"
                assert f"#if canImport({module})" in before, f"{where} unguarded"
                assert before.count("#if ") > before.count("#endif"), f"{where} after the #endif"


# --- the privacy manifests --------------------------------------------------------------------------------------------

# Apple's categories of APIs for which a reason has to be declared, and the names that belong to them.
CATEGORY = "NSPrivacyAccessedAPICategory"
REASONS = {
    f"{CATEGORY}FileTimestamp": r"\b(content|file)?[mM]odificationDate(Key)?\b|\bcreationDateKey\b|\.creationDate\]"
    r"|\b[fl]?stat(at)?\(|\bgetattrlist|\battributesOfItem\b",
    f"{CATEGORY}SystemBootTime": r"\bsystemUptime\b|\bmach_absolute_time\b",
    f"{CATEGORY}DiskSpace": r"\bvolume\w*Capacity|\bstatv?fs\b|\bsystem(Free)?Size\b|\battributesOfFileSystem\b",
    f"{CATEGORY}ActiveKeyboards": r"\bactiveInputModes\b",
    f"{CATEGORY}UserDefaults": r"\bUserDefaults\b",
}
# Apple's types of data ("Describing data use in privacy manifests"), of which the SDK's are some.
TYPES = set(
    "Name EmailAddress PhoneNumber PhysicalAddress OtherUserContactInfo Health Fitness PaymentInfo CreditInfo "
    "OtherFinancialInfo PreciseLocation CoarseLocation SensitiveInfo Contacts EmailsOrTextMessages PhotosorVideos "
    "AudioData GameplayContent CustomerSupport OtherUserContent BrowsingHistory SearchHistory UserID DeviceID "
    "PurchaseHistory ProductInteraction AdvertisingData OtherUsageData CrashData PerformanceData OtherDiagnosticData "
    "EnvironmentScanning Hands Head OtherDataTypes".split()
)
# Whether it is linked to the user, and what for.
COLLECTED = {
    "HomingAuth": {
        "EmailAddress": (True, ["AppFunctionality"]),
        "Name": (True, ["AppFunctionality"]),
        "UserID": (True, ["AppFunctionality"]),
        "OtherDataTypes": (True, ["AppFunctionality"]),
    },
    "HomingLinks": {
        "ProductInteraction": (False, ["Analytics", "AppFunctionality"]),
        "OtherDataTypes": (False, ["AppFunctionality"]),
    },
}
# What stands in requests about a person, and as which of them it is declared.
SENT = {
    "HomingAuth": {
        "email": "EmailAddress",
        "newEmail": "EmailAddress",
        "displayName": "Name",
        "idToken": "UserID",
        "refreshToken": "UserID",
        "token": "UserID",
        "oobCode": "UserID",
        "requestId": "UserID",
        "codeChallenge": "UserID",
        "codeVerifier": "UserID",
        "typedCode": "UserID",
        "password": "OtherDataTypes",
        "newPassword": "OtherDataTypes",
        "photoUrl": "OtherDataTypes",
        "tenantId": "OtherDataTypes",
        "continueUrl": "OtherDataTypes",
    },
    "HomingLinks": {
        "requestedLink": "ProductInteraction",
        "uniqueMatchLinkToCheck": "ProductInteraction",
        "longDynamicLink": "OtherDataTypes",
    },
}
# What says nothing about a person: the app's own, and how a request is meant.
IMPERSONAL = set(
    "androidInstallApp androidMinimumVersion androidPackageName canHandleCodeInApp codeChallengeMethod deleteAttribute "
    "dynamicLinkDomain grantType iOSBundleId linkDomain option requestType returnSecureToken suffix wait".split()
)
# Names at the same place that are no members: operations, what errors say, what a session store keeps.
NOT_SENT = set(
    "delete lookup resetPassword signInWithCustomToken signInWithEmailLink signUp update installAttribution reopenAttribution kept read "
    "removed shared arrived expires user version emailVerified localId providerId pendingAction matchNumber requests".split()
)


@pytest.mark.parametrize("product", LIBRARIES)
def test_the_privacy_manifest_declares_what_the_sources_use_and_no_more(product):
    manifest = plistlib.loads((ROOT / "Sources" / product / "PrivacyInfo.xcprivacy").read_bytes())
    text = "\n".join(code(file.read_text()) for file in sources())
    used = {category for category, names in REASONS.items() if re.search(names, text)}
    assert {entry["NSPrivacyAccessedAPIType"] for entry in manifest["NSPrivacyAccessedAPITypes"]} == used
    assert manifest["NSPrivacyTracking"] is False and manifest["NSPrivacyTrackingDomains"] == []
    collected = {}
    for entry in manifest["NSPrivacyCollectedDataTypes"]:
        assert entry.pop("NSPrivacyCollectedDataTypeTracking") is False
        kind = entry.pop("NSPrivacyCollectedDataType").removeprefix("NSPrivacyCollectedDataType")
        purposes = entry.pop("NSPrivacyCollectedDataTypePurposes")
        collected[kind] = (
            entry.pop("NSPrivacyCollectedDataTypeLinked"),
            [purpose.removeprefix("NSPrivacyCollectedDataTypePurpose") for purpose in purposes],
        )
        assert entry == {}
    assert collected == COLLECTED[product]
    assert collected.keys() <= TYPES


@pytest.mark.parametrize("product", LIBRARIES)
def test_all_that_requests_hold_of_a_person_is_in_the_privacy_manifest(product):
    texts = [file.read_text() for file in sources() if file.is_relative_to(ROOT / "Sources" / product)]
    named = {name for text in texts for name in re.findall(r'\("(\w+)", ', text)} - NOT_SENT - IMPERSONAL
    assert named == SENT[product].keys(), "say what it is, here and in PrivacyInfo.xcprivacy"
    assert set(SENT[product].values()) <= COLLECTED[product].keys()
