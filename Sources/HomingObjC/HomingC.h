// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// The functions that the Swift modules export for this folder: Sources/*/ObjectiveC.
//
// A `void *` that a function answers, or gives to a callback as an answer, an error or a user, comes with a reference:
// homing_release gives it back. A `char *` that a function answers is freed with free(). What is passed in stays the
// caller's. Text is UTF-8.

#include <stdbool.h>

/// Takes an answer or an error, once, on the main queue. What the answer is stands at the function that takes it.
typedef void (*homing_answer)(void *context, void *answer, void *error);

/// Hears who is signed in, on the main queue.
typedef void (*homing_listener)(void *context, void *auth, void *user);

/// Ends what a listener was given along.
typedef void (*homing_end)(void *context);

void homing_release(const void *object);

// HomingApp. No name means the default app. Configuring from a file answers the error.
void homing_app_configure(const char *name, const char *endpoint, const char *api_key);
void *homing_app_configure_file(const char *name, const char *path);
bool homing_app_exists(const char *name);
char *homing_app_default_name(void);

// A transport and a store of the app's own. Headers are a JSON object. A reply comes with a reference; the first
// homing_reply counts, and a status of 0 is a failure. A store's functions answer 0 when all went well, 1 when it is
// locked, 2 when it failed; homing_data_set takes what was read; no bytes mean that a key is removed.
typedef void (*homing_send)(void *context, void *reply, const char *method, const char *url, const char *headers,
                            const void *body, long length);
typedef long (*homing_store_read)(void *context, const char *key, void *data);
typedef long (*homing_store_write)(void *context, const char *key, const void *bytes, long length);
void homing_app_configure_with(
    const char *name, const char *endpoint, const char *api_key, void *transport, homing_send, void *store,
    homing_store_read, homing_store_write, homing_end);
void homing_reply(const void *reply, long status, const void *body, long length, const char *fault);
void homing_data_set(const void *data, const void *bytes, long length);

// Auth.
void *homing_auth(const char *app_name);
void *homing_auth_current_user(const void *auth);
void *homing_auth_session_end_reason(const void *auth);
char *homing_auth_language_code(const void *auth);
void homing_auth_set_language_code(const void *auth, const char *code);
char *homing_auth_tenant_id(const void *auth);
void homing_auth_set_tenant_id(const void *auth, const char *tenant);
char *homing_auth_access_group(const void *auth);
void *homing_auth_use_access_group(const void *auth, const char *group);
void *homing_auth_stored_user(const void *auth, const char *group, void **error);
void homing_auth_update_current_user(const void *auth, const void *user, void *context, homing_answer);
/// The answer is a flag.
void homing_auth_validate_password(const void *auth, const char *password, void *context, homing_answer);
bool homing_flag(const void *answer);
void homing_auth_use_app_language(const void *auth);
void homing_auth_use_emulator(const void *auth, const char *host, long port);
void *homing_auth_sign_out(const void *auth);
void *homing_auth_add_listener(const void *auth, bool wants_tokens, void *context, homing_listener, homing_end);
void homing_auth_remove_listener(const void *auth, const void *handle);

// Signing in. The answer is a result.
void *homing_credential_password(const char *email, const char *password);
void *homing_credential_link(const char *email, const char *link);
char *homing_credential_provider(const void *credential);
void homing_auth_create_user(
    const void *auth, const char *email, const char *password, void *context, homing_answer);
void homing_auth_sign_in(const void *auth, const void *credential, void *context, homing_answer);
void homing_auth_sign_in_with_custom_token(const void *auth, const char *token, void *context, homing_answer);
void homing_auth_sign_in_anonymously(const void *auth, void *context, homing_answer);
void *homing_result_user(const void *result);
char *homing_result_provider(const void *result);
bool homing_result_is_new_user(const void *result);

// Mails and codes. There is no answer where nothing else is said.
void *homing_settings(
    const char *continue_url, bool handle_code_in_app, const char *ios_bundle_id, const char *android_package_name,
    bool android_install_if_not_available, const char *android_minimum_version, const char *dynamic_link_domain,
    const char *link_domain);
void homing_auth_send_password_reset(
    const void *auth, const char *email, const void *settings, void *context, homing_answer);
void homing_auth_send_sign_in_link(
    const void *auth, const char *email, const void *settings, void *context, homing_answer);
bool homing_auth_is_sign_in_link(const void *auth, const char *link);
/// The answer is text.
void homing_auth_verify_password_reset_code(const void *auth, const char *code, void *context, homing_answer);
void homing_auth_confirm_password_reset(
    const void *auth, const char *code, const char *new_password, void *context, homing_answer);
/// The answer is an info.
void homing_auth_check_action_code(const void *auth, const char *code, void *context, homing_answer);
void homing_auth_apply_action_code(const void *auth, const char *code, void *context, homing_answer);

// Mails that are answered anywhere. The answer is a pending action where nothing else is said.
void homing_auth_begin_password_reset(
    const void *auth, const char *email, const void *settings, void *context, homing_answer);
void homing_auth_begin_sign_in(
    const void *auth, const char *email, const void *settings, void *context, homing_answer);
void homing_user_begin_verification(const void *user, const void *settings, void *context, homing_answer);
void homing_user_begin_change(
    const void *user, const char *new_email, const void *settings, void *context, homing_answer);
void *homing_auth_pending_actions(const void *auth);
long homing_pending_actions_count(const void *list);
void *homing_pending_actions_at(const void *list, long index);
bool homing_pending_action_is(const void *action, const void *other);
char *homing_pending_action_match_number(const void *action);
char *homing_pending_action_request_id(const void *action);
char *homing_pending_action_email(const void *action);
char *homing_pending_action_continue_url(const void *action);
long homing_pending_action_operation(const void *action);
long homing_pending_action_expires(const void *action);
long homing_pending_action_state(const void *action);
/// The answer is a result, or nothing.
void homing_pending_action_result(const void *action, void *context, homing_answer);
/// The answer is a finish.
void homing_pending_action_finish(const void *action, const char *code, void *context, homing_answer);
void *homing_finish_result(const void *finish);
char *homing_finish_code(const void *finish);
void homing_pending_action_cancel(const void *action);
/// The answer is a result.
void homing_auth_sign_in_with_link(const void *auth, const char *link, void *context, homing_answer);
/// The answer is an unfinished action, or nothing.
void homing_auth_unfinished_action(const void *auth, void *context, homing_answer);
long homing_unfinished_operation(const void *unfinished);
char *homing_unfinished_continue_url(const void *unfinished);

// User.
void *homing_user_auth(const void *user);
char *homing_user_uid(const void *user);
char *homing_user_email(const void *user);
bool homing_user_is_email_verified(const void *user);
bool homing_user_is_anonymous(const void *user);
char *homing_user_display_name(const void *user);
char *homing_user_photo_url(const void *user);
char *homing_user_refresh_token(const void *user);
char *homing_user_tenant_id(const void *user);
void homing_user_reload(const void *user, void *context, homing_answer);
/// The answer is text.
void homing_user_id_token(const void *user, bool forcing_refresh, void *context, homing_answer);
void homing_user_send_verification(const void *user, const void *settings, void *context, homing_answer);
void homing_user_send_verification_before_updating(
    const void *user, const char *new_email, const void *settings, void *context, homing_answer);
void homing_user_update_password(const void *user, const char *password, void *context, homing_answer);
/// The answer is a result.
void homing_user_reauthenticate(const void *user, const void *credential, void *context, homing_answer);
/// The answer is a result.
void homing_user_link(const void *user, const void *credential, void *context, homing_answer);
void homing_user_delete(const void *user, void *context, homing_answer);

// When an account was made and last used, in seconds since 1970, less than 0 where nobody knows; how it signs in.
double homing_user_created(const void *user);
double homing_user_last_sign_in(const void *user);
bool homing_user_has_email_provider(const void *user);

// What a token says. The answer is a token result.
void homing_user_token_result(const void *user, bool forcing_refresh, void *context, homing_answer);
char *homing_token_text(const void *result);
char *homing_token_provider(const void *result);
char *homing_token_claims(const void *result);
double homing_token_expires(const void *result);
double homing_token_authenticated(const void *result);
double homing_token_issued(const void *result);

// A change of a user's profile.
void *homing_profile_change(const void *user);
char *homing_profile_change_display_name(const void *change);
void homing_profile_change_set_display_name(const void *change, const char *name);
char *homing_profile_change_photo_url(const void *change);
void homing_profile_change_set_photo_url(const void *change, const char *url);
void homing_profile_change_commit(const void *change, void *context, homing_answer);

// What answers hold.
char *homing_text(const void *answer);
long homing_info_operation(const void *info);
char *homing_info_email(const void *info);
char *homing_info_previous_email(const void *info);

// Links.
void *homing_link(const char *link);
char *homing_link_api_key(const void *link);
long homing_link_operation(const void *link);
char *homing_link_code(const void *link);
char *homing_link_continue_url(const void *link);
char *homing_link_language_code(const void *link);
char *homing_link_tenant_id(const void *link);

// What a URL is that has opened the app.
void *homing_auth_handle(const void *auth, const char *url);
long homing_incoming_kind(const void *incoming);
void *homing_incoming_link(const void *incoming);
char *homing_incoming_url(const void *incoming);
void *homing_incoming_error(const void *incoming);

// Dynamic links of the default app. The answer is a dynamic link where nothing else is said.
bool homing_links_matches_scheme(const char *link);
bool homing_links_matches_short(const char *link);
void *homing_links_of_scheme(const char *link);
void *homing_links_of_universal(const char *link);
void homing_links_read(const char *link, void *context, homing_answer);
bool homing_links_handle(const char *link, void *context, homing_answer);
/// The answer is text.
void homing_links_resolve(const char *link, void *context, homing_answer);
void homing_links_set_domains(const char *prefixes, const char *schemes);
char *homing_links_long(const char *link, const char *prefix, const char *parts);
/// The answer is text: the link, and a line for each warning.
void homing_links_shorten(const char *link, long path_length, void *context, homing_answer);
char *homing_dynamic_link_url(const void *link);
long homing_dynamic_link_match_type(const void *link);
char *homing_dynamic_link_minimum_version(const void *link);
char *homing_dynamic_link_campaign(const void *link);

// Errors.
char *homing_error_domain(const void *error);
long homing_error_code(const void *error);
char *homing_error_description(const void *error);
char *homing_error_reason(const void *error);
char *homing_error_name(const void *error);
char *homing_error_email(const void *error);
long homing_error_tries_left(const void *error);
void *homing_error_underlying(const void *error);
