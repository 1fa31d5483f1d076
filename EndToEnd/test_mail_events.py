# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What providers tell of mails, with proofs that their own libraries make and verify."""

import base64
import datetime
import json
import time
import urllib.parse

import pytest
import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from sendgrid.helpers.eventwebhook import EventWebhook
from standardwebhooks.webhooks import Webhook
from world.mail_provider import MailProvider
from world.operator import rows
from world.project import new_address
from world.waiting import until

EVENTS_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
CURVE_KEY = ec.generate_private_key(ec.SECP256R1())
CURVE_PUBLIC = base64.b64encode(
    CURVE_KEY.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
).decode()


@pytest.fixture
def provider():
    with MailProvider(status=202, headers={"X-Message-Id": "14c5d75ce93"}) as provider:
        yield provider


@pytest.fixture
def sending(fresh, provider):
    """Makes a server whose mails go to the provider, and sends one: the server, the address, and the mail's row."""

    def make(url, secret, events_key):
        homing = fresh(HOMING_MAIL_URL=url, HOMING_MAIL_SECRET=secret, HOMING_MAIL_EVENTS_KEY=events_key)
        del homing.environment["HOMING_SMTP_URL"]
        homing.keep_secret(secret)
        homing.start()
        project = homing.project()
        address = project.sign_up(new_address("told"))["email"]
        project.send_reset(address)

        def mail():
            return next((row for row in rows(homing.told("mail", "list")) if row["recipient"] == address), None)

        until(lambda: (mail() or {}).get("state") == "sent", lambda: f"it is taken: {homing.log_tail()}", 30)
        return homing, address, mail()

    return make


def events_path(homing):
    return urllib.parse.urlsplit(homing.told("mail", "transport", "show")["eventsURL"]).path


def tell(homing, body, headers, path=None):
    url = homing.public + (path or events_path(homing))
    return requests.post(url, data=body.encode(), headers=headers, timeout=20).status_code


def steps(homing, mail):
    return [event["step"] for event in homing.told("mail", "show", mail["id"])["timeline"]]


def suppressed(homing):
    return [(row["address"], row["reason"]) for row in rows(homing.told("mail", "suppressed", "list", "lighthouse"))]


def test_a_receiver_of_ones_own_tells_what_became_of_a_mail(sending, provider):
    provider.answer = (200, b"{}", {})
    homing, address, mail = sending(
        f"webhook+https://hooks.example/mail?endpoint={provider.url}/mail", EVENTS_SECRET, EVENTS_SECRET
    )

    def signed(event, secret=EVENTS_SECRET, age=0, **more):
        body = json.dumps([{"event": event, "mail": mail["id"], "address": address} | more])
        at = datetime.datetime.now(tz=datetime.UTC) - datetime.timedelta(seconds=age)
        headers = {
            "webhook-id": "msg_1",
            "webhook-timestamp": str(int(at.timestamp())),
            "webhook-signature": Webhook(secret).sign("msg_1", at, body),
        }
        return body, headers

    assert tell(homing, *signed("bounced", secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")) == 403
    assert tell(homing, *signed("bounced", age=900)) == 403, "it was good once"
    assert tell(homing, *signed("bounced"), path="/_/mail-events/" + "0" * 32) == 404
    assert requests.get(homing.public + events_path(homing), timeout=20).status_code == 404
    assert tell(homing, *signed("bounced", address="nobody@else.example")) == 200
    assert steps(homing, mail) == ["accepted", "handedOver"], "nothing of that changes anything"

    assert tell(homing, *signed("delivered")) == 200
    assert tell(homing, *signed("complained")) == 200
    assert sorted(steps(homing, mail)) == ["accepted", "complained", "delivered", "handedOver"]
    assert suppressed(homing) == [(address, "complained")]
    figures = requests.get(
        f"{homing.admin}/metrics", headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=20
    ).text
    for outcome in ("taken", "forged", "replayed", "foreign"):
        assert any(
            line.startswith("homing_mail_events_total{") and f'"{outcome}"' in line and '"webhook"' in line
            for line in figures.splitlines()
        ), outcome


def test_sendgrids_own_library_finds_the_same_signatures_good_as_homing_does(sending, provider):
    homing, address, mail = sending(f"sendgrid:?endpoint={provider.url}", "SG.not-a-real-key", CURVE_PUBLIC)
    [request] = provider.requests
    [to] = request.json["personalizations"]
    event = {
        "email": address,
        "timestamp": int(time.time()),
        "event": "bounce",
        "type": "bounce",
        "status": "5.1.1",
        "reason": "550 no such user",
        "sg_message_id": "14c5d75ce93.dfd.64b469",
    } | to["custom_args"]
    body, now = json.dumps([event]), str(int(time.time()))
    signature = base64.b64encode(CURVE_KEY.sign((now + body).encode(), ec.ECDSA(hashes.SHA256()))).decode()
    library = EventWebhook(CURVE_PUBLIC)
    other = body.replace("bounce", "blocked")
    assert library.verify_signature(body, signature, now) and not library.verify_signature(other, signature, now)
    headers = {
        "X-Twilio-Email-Event-Webhook-Signature": signature,
        "X-Twilio-Email-Event-Webhook-Timestamp": now,
    }
    assert tell(homing, other, headers) == 403
    assert tell(homing, body, headers) == 200
    assert tell(homing, body, headers) == 200, "the same again changes nothing"
    assert steps(homing, mail) == ["accepted", "handedOver", "bounced"]
    assert suppressed(homing) == [(address, "5.1.1 550 no such user")]
    [row] = [row for row in rows(homing.told("mail", "stats", "lighthouse")) if row["kind"] == "PASSWORD_RESET"]
    assert row["bounced"] == 1
