// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CHomingWeb.h"

// `#embed` is C23's; clang takes it in older C, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char anywhere_js[] = {
#embed "modules/anywhere.js"
};
static const unsigned char errors_js[] = {
#embed "modules/errors.js"
};
static const unsigned char firebase_auth_d_ts[] = {
#embed "modules/firebase-auth.d.ts"
};
static const unsigned char firebase_auth_js[] = {
#embed "modules/firebase-auth.js"
};
static const unsigned char flow_js[] = {
#embed "modules/flow.js"
};
static const unsigned char homing_d_ts[] = {
#embed "modules/homing.d.ts"
};
static const unsigned char homing_js[] = {
#embed "modules/homing.js"
};
static const unsigned char links_js[] = {
#embed "modules/links.js"
};
static const unsigned char react_d_ts[] = {
#embed "modules/react.d.ts"
};
static const unsigned char react_js[] = {
#embed "modules/react.js"
};
static const unsigned char session_js[] = {
#embed "modules/session.js"
};
static const unsigned char sign_in_d_ts[] = {
#embed "modules/sign-in.d.ts"
};
static const unsigned char sign_in_js[] = {
#embed "modules/sign-in.js"
};

// Each array above.
static const homing_web_file files[] = {
    {"anywhere.js", anywhere_js, sizeof anywhere_js},
    {"errors.js", errors_js, sizeof errors_js},
    {"firebase-auth.d.ts", firebase_auth_d_ts, sizeof firebase_auth_d_ts},
    {"firebase-auth.js", firebase_auth_js, sizeof firebase_auth_js},
    {"flow.js", flow_js, sizeof flow_js},
    {"homing.d.ts", homing_d_ts, sizeof homing_d_ts},
    {"homing.js", homing_js, sizeof homing_js},
    {"links.js", links_js, sizeof links_js},
    {"react.d.ts", react_d_ts, sizeof react_d_ts},
    {"react.js", react_js, sizeof react_js},
    {"session.js", session_js, sizeof session_js},
    {"sign-in.d.ts", sign_in_d_ts, sizeof sign_in_d_ts},
    {"sign-in.js", sign_in_js, sizeof sign_in_js},
};

const homing_web_file *homing_web_files(void) { return files; }
size_t homing_web_file_count(void) { return sizeof files / sizeof *files; }
