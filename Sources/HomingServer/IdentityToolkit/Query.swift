// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

extension IdentityToolkit {
    private static let mostFound = 500

    /// `accounts:query` of the operator's back end: accounts by one condition, or all, in an order; or their number.
    static func query(_ context: AdminProjectContext) async throws -> JSON {
        let fields = context.fields
        // Google evaluates no more than the first condition, and no more than its first member.
        var filter = Accounts.Filter.everybody
        if let condition = try fields.each("expression", atMost: 100).first {
            if let email = try condition.text("email") {
                filter = (try? EmailAddress(parsing: email)).map { .address($0) } ?? .nobody
            } else if let phone = try condition.text("phoneNumber") {
                filter = (try? PhoneNumber.parse(phone)).map { .phoneNumber($0) } ?? .nobody
            } else if let id = try condition.text("userId") {
                filter = .id(AccountID(id))
            }
        }
        guard try fields.bool("returnUserInfo") ?? true else {
            let count = try await context.homing.accounts.count(filter, in: context.project)
            return .object([("recordsCount", .string(String(count)))])
        }
        let limit = try fields.integer("limit") ?? 0
        let offset = try fields.integer("offset") ?? 0
        guard limit >= 0, offset >= 0 else { throw Refusal.invalidArgument("limit and offset are not negative") }
        let order = try fields.choice("order", of: ["ORDER_UNSPECIFIED", "ASC", "DESC"], type: "Order")
        let sortBy = try fields.choice(
            "sortBy",
            of: ["SORT_BY_FIELD_UNSPECIFIED", "USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL"],
            type: "SortByField")
        let found = try await context.homing.accounts.find(
            filter, by: [.id, .id, .name, .createdAt, .lastLoginAt, .address][sortBy], isDescending: order == 2,
            limit: limit == 0 ? mostFound : min(Int(clamping: limit), mostFound), skipping: Int(clamping: offset),
            in: context.project)
        return .object([
            ("recordsCount", .string(String(found.count))),
            ("userInfo", found.isEmpty ? nil : .array(found.map { AccountRecord.json($0, in: context.project) })),
        ])
    }
}
