# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""`homing doctor --from-firebase`: a team asks whether it can come, before it has a server."""

import json
import pathlib
import subprocess

from world.operator import one_line
from world.places import BINARY

STORY = pathlib.Path(__file__).parent / "stories/moving_in"


def doctor(folder, *files, flags=()):
    words = [str(BINARY), "doctor", *flags]
    for file in files:
        words += ["--from-firebase", str(file)]
    return subprocess.run(
        words, cwd=folder, env={"HOME": str(folder), "XDG_DATA_HOME": str(folder)}, capture_output=True, text=True, timeout=60)


def test_a_team_learns_what_comes_and_what_does_not(tmp_path):
    done = doctor(tmp_path, *(STORY / name for name in ("config.json", "google-services.json", "GoogleService-Info.plist")))
    assert done.returncode == 1, "people sign in by phone there"
    for word in ("OK       FIREBASE_CONFIG", "OK       FIREBASE_HASHES", "Fix      FIREBASE_PHONE", "OK       FIREBASE_APP", "firebaseapp.com"):
        assert word in done.stdout
    assert list(tmp_path.iterdir()) == [], "nothing is made"


def test_a_project_without_obstacles_can_come(tmp_path):
    config = json.loads((STORY / "config.json").read_text())
    config["signIn"]["phoneNumber"] = {"enabled": False}
    (tmp_path / "config.json").write_text(json.dumps(config))
    done = doctor(tmp_path, tmp_path / "config.json", flags=("--json",))
    assert (done.returncode, json.loads(done.stdout)["problems"]) == (0, 0)


def test_what_stands_in_the_way_is_named_with_the_remedy(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({
        "signIn": {"email": {"enabled": True}}, "multiTenant": {"allowTenants": True}, "mfa": {"state": "ENABLED"},
        "blockingFunctions": {"triggers": {"beforeCreate": {"functionUri": "https://f.example/x"}}},
        "recaptchaConfig": {"emailPasswordEnforcementState": "ENFORCE"}}))
    done = doctor(tmp_path, tmp_path / "config.json")
    for word in ("TENANTS", "SECOND_FACTORS", "BLOCKING_FUNCTIONS", "RECAPTCHA", "HASHES"):
        assert done.stdout.count(f"Warning  FIREBASE_{word}  ") == 1
    assert done.stdout.count("mfa") == 0, "nothing is said twice"


def test_what_the_import_would_leave_out_is_said_before(tmp_path):
    picture = '<a href="%LINK%">a</a><img src="https://a.example/x.gif" alt="">'
    (tmp_path / "config.json").write_text(json.dumps({
        "signIn": {"email": {"enabled": True}}, "authorizedDomains": ["www.shop.example", "capacitor://localhost"],
        "notification": {"sendEmail": {"verifyEmailTemplate": {"body": picture, "customized": True}}}}))
    done = doctor(tmp_path, tmp_path / "config.json")
    assert "takes 1 authorised domain, 1 setting\n" in done.stdout, "the template does not come"
    for part in ("authorizedDomains: capacitor://localhost", "notification.sendEmail.verifyEmailTemplate.body: REMOTE_CONTENT"):
        assert f"left out: {part}" in done.stdout


def test_a_file_that_is_none_is_refused(tmp_path):
    (tmp_path / "x.json").write_text("{}")
    assert "neither an admin config" in one_line(doctor(tmp_path, tmp_path / "x.json"))
    assert "cannot be read" in one_line(doctor(tmp_path, tmp_path / "nowhere.json"))
