// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire

/// A project in the form that `--json` prints.
enum ProjectRecord {
    static func json(_ project: Project) -> JSON {
        var settings = JSON.Object()
        for setting in ProjectSetting.all { settings[setting.name] = project.settings.json(setting) }
        return [
            "id": .string(project.projectID.text), "name": .string(project.name), "number": .string(project.number),
            "apiKey": .string(project.linkKey), "apiKeys": .array(project.apiKeys.map { .string($0.text) }),
            "authorizedDomains": .array(project.authorizedDomains.map { .string($0.text) }),
            "linkDomains": .array(project.linkDomains.map { .string($0.text) }),
            "apps": .array(project.apps.map(app)), "settings": .object(settings),
        ]
    }

    static func app(_ app: RegisteredApp) -> JSON {
        var record = JSON.Object([("platform", .string(app.platform.rawValue)), ("id", .string(app.id))])
        if let teamID = app.teamID { record["teamId"] = .string(teamID) }
        if let appStoreID = app.appStoreID { record["appStoreId"] = .string(appStoreID) }
        if let customScheme = app.customScheme { record["customScheme"] = .string(customScheme) }
        if let clipBundleID = app.clipBundleID { record["clipBundleId"] = .string(clipBundleID) }
        if app.stores != nil {
            record["stores"] = .object(
                JSON.Object(app.storeValues.map { store, value in (store.name.rawValue, .string(value)) }))
        }
        if !app.sha256.isEmpty { record["sha256"] = .array(app.sha256.map { .string($0) }) }
        if !app.sha1.isEmpty { record["sha1"] = .array(app.sha1.map { .string($0) }) }
        return .object(record)
    }
}
