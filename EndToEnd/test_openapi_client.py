# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A client that openapi-python-client makes of the running server's own OpenAPI document."""

import base64
import hashlib
import importlib
import json
import pathlib
import subprocess
import sys

import pytest
import requests
from world.homing import Homing
from world.project import new_address

PASSWORD = "the password of before"
SALT = b"NaCl"
PACKAGE = "homing_generated"


@pytest.fixture(scope="module")
def homing():
    homing = Homing()
    homing.start()
    yield homing
    assert homing.stop() == 0
    homing.remove()


@pytest.fixture(scope="module")
def project(homing):
    return homing.project("shop")


@pytest.fixture(scope="module")
def generated(homing, project):
    """The client's modules, by the names that the generator gives them."""
    key = {"Authorization": f"Bearer {homing.admin_key}"}
    document, settings = homing.folder / "openapi.json", homing.folder / "generator.yaml"
    document.write_text(requests.get(f"{homing.admin}/openapi.json", headers=key, timeout=30).text)
    settings.write_text(json.dumps({"post_hooks": []}))
    done = subprocess.run(
        [str(pathlib.Path(sys.executable).parent / "openapi-python-client"), "generate", "--path", str(document), "--meta",
         "none", "--output-path", str(homing.folder / PACKAGE), "--config", str(settings), "--fail-on-warning"],
        cwd=homing.folder, capture_output=True, text=True, timeout=200)  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    sys.path.insert(0, str(homing.folder))
    try:
        yield lambda name: importlib.import_module(f"{PACKAGE}.{name}")
    finally:
        sys.path.remove(str(homing.folder))


@pytest.fixture(scope="module")
def client(homing, generated):
    return generated("client").AuthenticatedClient(base_url=homing.admin, token=homing.admin_key)


@pytest.fixture(scope="module")
def operation(client, generated):
    """Calls an operation by its tag and its module's name; members of the body by name."""

    def call(tag, name, *path, query=None, **members):
        module = generated(f"api.{tag}.{name}")
        more = dict(query or {})
        if members:
            body = next(kind for label, kind in vars(module).items() if label.endswith("Body") or label == "Config")
            more["body"] = body(**members)
        answer = module.sync_detailed(*path, client=client, **more)
        assert answer.status_code == 200, answer.content
        return answer.parsed

    return call


def test_it_imports_two_accounts_with_hashes_and_looks_them_up(project, generated, operation):
    first, second = new_address(), new_address()
    account = generated("models.imported_account").ImportedAccount
    digest = base64.b64encode(hashlib.sha256(SALT + PASSWORD.encode()).digest()).decode()
    users = [
        account(local_id=name, email=address, password_hash=digest, salt=base64.b64encode(SALT).decode())
        for name, address in (("first", first), ("second", second))
    ]
    answer = operation(
        "batch_create", "post_v_1_projectsprojectaccountsbatch_create", project.identifier,
        users=users, hash_algorithm="SHA256", rounds=1, password_hash_order="SALT_AND_PASSWORD")  # fmt: skip
    assert not answer.error
    assert project.ask("signInWithPassword", {"email": second, "password": PASSWORD})["localId"] == "second"

    lookup = "post_v_1_projectsprojectaccountslookup"
    [by_id] = operation("lookup", lookup, project.identifier, local_id=["first"]).users
    [by_address] = operation("lookup", lookup, project.identifier, email=[second]).users
    assert (by_id.email, by_address.local_id) == (first, "second")
    assert by_address.last_login_at and by_id.disabled is False


def test_it_reads_and_changes_the_config(project, generated, operation):
    path = "v_2_projectsprojectconfig"
    before = operation("project_config", f"get_{path}", project.identifier)
    assert before.authorized_domains != ["shop.example"]
    operation(
        "project_config", f"patch_{path}", project.identifier, query={"update_mask": "authorizedDomains"},
        authorized_domains=["shop.example"])  # fmt: skip
    after = operation("project_config", f"get_{path}", project.identifier)
    assert after.authorized_domains == ["shop.example"]
    assert after.action_codes.lifetime_seconds.password_reset == 3600
