# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Firebase's envelope of a refusal."""


def envelope(answer, status=400):
    """Checks the shape of a refusal; its message."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
    assert answer.headers["Content-Type"].startswith("application/json")
    error = answer.json()["error"]
    assert error["code"] == status
    assert error["message"] and isinstance(error["message"], str)
    if "securetoken" not in answer.url:
        assert error["errors"][0]["message"] == error["message"]
        assert error["errors"][0]["domain"] and error["errors"][0]["reason"]
    return error["message"]
