# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Mail over HTTPS: a reset is mailed through each provider's door, and what Homing sends there is compared with what the
provider's own library for Python sends for an equal mail."""

import base64
import email
import email.policy
import json
from dataclasses import dataclass

import boto3
import brevo
import brevo.transactional_emails.types as brevo_types
import mailersend
import mailgun.client
import mailjet_rest
import moto.server
import postmark.sync
import pytest
import requests
import resend
import scaleway
import scaleway.tem.v1alpha1 as tem
import sendgrid
import sendgrid.helpers.mail as sendgrid_mail
import sparkpost
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from googleapiclient.discovery import build
from googleapiclient.http import HttpMock, MediaInMemoryUpload
from world.mail_provider import MailProvider, Request
from world.names import Names
from world.operator import rows
from world.project import new_address
from world.waiting import until

NAME, ADDRESS = "Farol ção, Lda", "cartas@here.example"
SECRET = "11111111-2222-3333-4444-555555555555"
PROJECT = "66666666-7777-8888-9999-000000000000"
QUOTED = f'"{NAME}" <{ADDRESS}>'


@dataclass
class Mail:
    """A mail as its writer knows it."""

    id: str
    to: str
    subject: str = ""
    text: str = ""
    html: str = ""
    raw: bytes = b""
    headers: dict = None


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")


def mailed(fresh, door, provider, secret=SECRET, endpoint=None):
    """A reset that left through `door` to the provider: the server, and the address."""
    homing = fresh(
        HOMING_MAIL_FROM=f"{NAME} <{ADDRESS}>",
        HOMING_MAIL_URL=f"{door}{'&' if '?' in door else '?'}endpoint={endpoint or provider.url}",
        HOMING_MAIL_SECRET=secret,
    )
    del homing.environment["HOMING_SMTP_URL"]
    homing.keep_secret(secret)
    homing.start()
    project = homing.project()
    address = project.sign_up(new_address("joana"))["email"]
    project.send_reset(address, locale="pt-BR")
    return homing, address


def sent(homing, address):
    """The outbox's row of a mail that was taken."""

    def row():
        found = [row for row in rows(homing.told("mail", "list")) if row["recipient"] == address]
        return next((row for row in found if row["state"] == "sent"), None)

    return until(row, lambda: f"the mail is taken: {homing.log_tail()}")


def message(raw):
    return email.message_from_bytes(raw, policy=email.policy.default)


def recorded(send):
    """What a library would send, of those that only speak to their provider's own host."""
    requests_made = []

    def record(_, prepared, **__):
        headers = {name.lower(): value for name, value in prepared.headers.items()}
        body = prepared.body if isinstance(prepared.body, bytes) else (prepared.body or "").encode()
        requests_made.append(Request(prepared.method, prepared.path_url, headers, body))
        answer = requests.Response()
        answer.status_code, answer._content, answer.request = 200, b'{"id":"1","Messages":[]}', prepared
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(requests.Session, "send", record)
        send()
    return requests_made[-1]


# --- the libraries -----------------------------------------------------------------------------------------------------


def through_resend(url, mail):
    resend.api_url, resend.api_key = url, SECRET
    resend.Emails.send(
        {
            "from": QUOTED,
            "to": [mail.to],
            "subject": mail.subject,
            "text": mail.text,
            "html": mail.html,
            "headers": mail.headers,
            "tags": [{"name": "homing", "value": mail.id}],
        },
        {"idempotency_key": mail.id},
    )


def through_postmark(url, mail):
    with postmark.sync.ServerClient(SECRET, base_url=url) as client:
        client.outbound.send(
            {
                "sender": QUOTED,
                "to": mail.to,
                "subject": mail.subject,
                "text_body": mail.text,
                "html_body": mail.html,
                "headers": [{"Name": name, "Value": value} for name, value in mail.headers.items()],
                "metadata": {"homing": mail.id},
                "message_stream": "outbound",
                "track_opens": False,
                "track_links": "None",
            }
        )


def through_sendgrid(url, mail):
    written = sendgrid_mail.Mail(from_email=(ADDRESS, NAME), subject=mail.subject)
    to = sendgrid_mail.Personalization()
    to.add_to(sendgrid_mail.Email(mail.to))
    to.add_custom_arg(sendgrid_mail.CustomArg("homing", mail.id))
    written.add_personalization(to)
    written.content = [
        sendgrid_mail.Content("text/plain", mail.text),
        sendgrid_mail.Content("text/html", mail.html),
    ]
    for name, value in mail.headers.items():
        written.header = sendgrid_mail.Header(name, value)
    tracking = sendgrid_mail.TrackingSettings()
    tracking.click_tracking = sendgrid_mail.ClickTracking(False, False)
    tracking.open_tracking = sendgrid_mail.OpenTracking(False)
    tracking.subscription_tracking = sendgrid_mail.SubscriptionTracking(False)
    written.tracking_settings = tracking
    sendgrid.SendGridAPIClient(SECRET, host=url).send(written)


def through_brevo(url, mail):
    brevo.Brevo(api_key=SECRET, base_url=f"{url}/v3").transactional_emails.send_transac_email(
        sender=brevo_types.SendTransacEmailRequestSender(email=ADDRESS, name=NAME),
        to=[brevo_types.SendTransacEmailRequestToItem(email=mail.to)],
        subject=mail.subject,
        html_content=mail.html,
        text_content=mail.text,
        headers=mail.headers,
    )


def through_mailjet(_, mail):
    client = mailjet_rest.Client(auth=("KEYID", SECRET), version="v3.1")
    written = {
        "From": {"Email": ADDRESS, "Name": NAME},
        "To": [{"Email": mail.to}],
        "Subject": mail.subject,
        "TextPart": mail.text,
        "HTMLPart": mail.html,
        "CustomID": mail.id,
        "Headers": mail.headers,
        "TrackOpens": "disabled",
        "TrackClicks": "disabled",
    }
    return recorded(lambda: client.send.create(data={"Messages": [written]}))


def through_sparkpost(mail):
    return recorded(
        lambda: sparkpost.SparkPost(SECRET).transmissions.send(
            recipients=[mail.to],
            email_rfc822=mail.raw.decode(),
            track_opens=False,
            track_clicks=False,
            transactional=True,
            perform_substitutions=False,
            metadata={"homing": mail.id},
        )
    )


def through_scaleway(url, mail):
    client = scaleway.Client(
        access_key="SCWAAAAAAAAAAAAAAAAA", secret_key=SECRET, api_url=url, default_region="fr-par"
    )
    tem.TemV1Alpha1API(client).create_email(
        from_=tem.types.CreateEmailRequestAddress(email=ADDRESS, name=NAME),
        to=[tem.types.CreateEmailRequestAddress(email=mail.to, name=None)],
        subject=mail.subject,
        text=mail.text,
        html=mail.html,
        project_id=PROJECT,
        additional_headers=[
            tem.types.CreateEmailRequestHeader(key=name, value=value) for name, value in mail.headers.items()
        ],
    )


def through_mailersend(url, mail):
    builder = mailersend.EmailBuilder().from_email(ADDRESS, NAME).to(mail.to).subject(mail.subject)
    builder = builder.text(mail.text).html(mail.html).tag(mail.id)
    builder = builder.track_clicks(False).track_opens(False).track_content(False)
    mailersend.MailerSendClient(api_key=SECRET, base_url=f"{url}/v1/").emails.send(builder.build())


# --- fields ------------------------------------------------------------------------------------------------------------


@dataclass
class Door:
    url: str
    answer: dict
    send: object
    # How the subject, the two bodies and the headers are called.
    names: tuple
    credentials: str
    # Where the mail is in the JSON.
    inner: tuple = ()
    # Members of ours that the library has no name for, or that are what is the case without them.
    more: tuple = ()


DOORS = {
    "resend": Door(
        "resend:", {"body": {"id": "r-1"}}, through_resend, ("subject", "text", "html", "headers"), "authorization"
    ),
    "postmark": Door(
        "postmark:",
        {"body": {"To": "a@b.example", "SubmittedAt": "2026-11-27T00:00:00Z", "MessageID": "p-1"}
         | {"ErrorCode": 0, "Message": "OK"}},
        through_postmark,
        ("Subject", "TextBody", "HtmlBody", "Headers"),
        "x-postmark-server-token",
    ),
    "sendgrid": Door(
        "sendgrid:",
        {"status": 202, "headers": {"X-Message-Id": "s-1"}},
        through_sendgrid,
        ("subject", "content", "content", "headers"),
        "authorization",
    ),
    "brevo": Door(
        "brevo:",
        {"status": 201, "body": {"messageId": "b-1"}},
        through_brevo,
        ("subject", "textContent", "htmlContent", "headers"),
        "api-key",
    ),
    "mailjet": Door(
        "mailjet://KEYID",
        {"body": {"Messages": [{"Status": "success", "To": [{"MessageID": 1152921504606846976}]}]}},
        through_mailjet,
        ("Subject", "TextPart", "HTMLPart", "Headers"),
        "authorization",
        inner=("Messages", 0),
        more=("TemplateLanguage",),
    ),
    "scaleway": Door(
        f"scaleway://{PROJECT}?region=fr-par",
        {"body": {"emails": [{"id": "w-1", "message_id": "m", "project_id": PROJECT, "status": "new"}]}},
        through_scaleway,
        ("subject", "text", "html", "additional_headers"),
        "x-auth-token",
    ),
    "mailersend": Door(
        "mailersend:",
        {"status": 202, "headers": {"X-Message-Id": "m-1"}},
        through_mailersend,
        ("subject", "text", "html", None),
        "authorization",
    ),
}


def named(headers):
    """Headers in one form of the three in which providers take them."""
    if not isinstance(headers, list):
        return headers or {}
    return {(one.get("Name") or one.get("key")): (one.get("Value") or one.get("value")) for one in headers}


def without_nothing(value):
    """JSON without members that are null or empty: a library may write them."""
    if isinstance(value, dict):
        kept = {name: without_nothing(one) for name, one in value.items()}
        return {name: one for name, one in kept.items() if one not in (None, [], {})}
    return [without_nothing(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", DOORS)
def test_a_mail_leaves_as_the_provider_s_own_library_sends_it(fresh, name):
    door = DOORS[name]
    with MailProvider(**door.answer) as provider:
        homing, address = mailed(fresh, door.url, provider)
        row = sent(homing, address)
        [ours] = provider.requests
        body = ours.json
        for step in door.inner:
            body = body[step]
        subject, text, html, headers = (body.get(one) for one in door.names)
        if name == "sendgrid":
            text, html = (part["value"] for part in body["content"])
        assert "oobCode=" in text and "oobCode=" in html and address in text
        theirs = door.send(
            provider.url, Mail(row["id"], address, subject, text, html, headers=named(headers))
        ) or provider.requests[-1]
    assert theirs is not ours
    assert (ours.method, ours.path, ours.type) == (theirs.method, theirs.path, theirs.type)
    assert ours.headers[door.credentials] == theirs.headers[door.credentials]
    if name == "resend":
        assert ours.headers["idempotency-key"] == theirs.headers["idempotency-key"]
    expected = without_nothing(theirs.json)
    given = ours.json
    inner = given
    for step in door.inner:
        inner = inner[step]
    for member in door.more:
        del inner[member]
    assert given == expected
    assert SECRET not in ours.body.decode()


def test_the_doctor_asks_the_provider_without_a_mail_whatever_it_answers(fresh):
    domain = {"name": "here.example", "status": "verified", "open_tracking": False, "click_tracking": True}
    page, elsewhere = {"Content-Type": "text/html"}, {"Location": "https://elsewhere.example/"}
    answers = [
        (
            (200, json.dumps({"object": "list", "data": [domain]}).encode(), {}),
            ["ok MAIL_PROVIDER_OK", "ok MAIL_SENDER_VERIFIED", "warning MAIL_TRACKING_ON"],
        ),
        ((401, b'{"statusCode":401,"name":"restricted_api_key"}', {}), ["ok MAIL_PROVIDER_OK"]),
        ((401, b'{"statusCode":401,"name":"invalid_api_key"}', {}), ["problem MAIL_PROVIDER_REFUSES"]),
        ((200, b"<html>Sign in</html>", page), ["problem MAIL_PROVIDER_UNREADABLE"]),
        ((302, b"", elsewhere), ["problem MAIL_PROVIDER_UNREADABLE"]),
        ((200, b'{"data":[' + b" " * 10_000_000, {}), ["warning MAIL_PROVIDER_UNREADABLE"]),
    ]
    names = Names().start()
    with MailProvider() as provider:
        homing = fresh(
            HOMING_MAIL_FROM=f"{NAME} <{ADDRESS}>",
            HOMING_MAIL_URL=f"resend:?endpoint={provider.url}",
            HOMING_MAIL_SECRET=SECRET,
        )
        del homing.environment["HOMING_SMTP_URL"]
        homing.keep_secret(SECRET)
        homing.project()
        for answer, expected in answers:
            provider.answer = answer
            told = homing.told("doctor", "--nameserver", f"127.0.0.1:{names.port}", expect=None)
            assert SECRET not in json.dumps(told)
            found = [f"{one['level']} {one['code']}" for one in told["findings"] if one["subject"] == "resend:"]
            assert found == [*expected, "ok PROVIDER_SET"]
        asked = {(one.method, one.path, one.body, one.headers["authorization"]) for one in provider.requests}
        assert asked == {("GET", "/domains?limit=100", b"", f"Bearer {SECRET}")}
        added = homing.told("mail", "domain", "add", "lighthouse", "here.example")
        assert "Resend" in added["unused"] and not added["signs"]
    names.stop()


def test_mailgun_is_sent_our_own_message(fresh):
    with MailProvider(body={"id": "<g-1@mail.here.example>", "message": "Queued. Thank you."}) as provider:
        homing, address = mailed(fresh, "mailgun://mail.here.example", provider)
        row = sent(homing, address)
        [ours] = provider.requests
    fields = form(ours)
    written = message(fields["message"])
    assert row["id"] in written["Message-ID"] and written["X-Homing-Mail"] == row["id"]
    client = mailgun.client.Client(auth=("api", SECRET))
    data = {name: fields[name].decode() for name in fields if name != "message"}
    theirs = recorded(
        lambda: client.mimemessage.create(data=data, files={"message": fields["message"]}, domain="mail.here.example")
    )
    assert (ours.method, ours.path, ours.type) == (theirs.method, theirs.path, theirs.type)
    assert ours.headers["authorization"] == theirs.headers["authorization"]
    assert fields == form(theirs)
    assert data == {
        "to": address,
        "o:tracking": "no",
        "o:tracking-clicks": "no",
        "o:tracking-opens": "no",
        "v:homing": row["id"],
    }


def form(request):
    """The fields of a form with files."""
    whole = message(f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode() + request.body)
    boundary = b"--" + whole.get_boundary().encode()
    fields = {}
    for part in request.body.split(boundary)[1:-1]:
        head, _, value = part.partition(b"\r\n\r\n")
        fields[head.partition(b'name="')[2].partition(b'"')[0].decode()] = value.removesuffix(b"\r\n")
    return fields


def test_sparkpost_is_sent_our_own_message(fresh):
    with MailProvider(body={"results": {"total_accepted_recipients": 1, "id": "k-1"}}) as provider:
        homing, address = mailed(fresh, "sparkpost:", provider)
        row = sent(homing, address)
        [ours] = provider.requests
    raw = ours.json["content"]["email_rfc822"].encode()
    theirs = through_sparkpost(Mail(row["id"], address, raw=raw))
    assert message(raw)["X-Homing-Mail"] == row["id"]
    assert (ours.path, ours.type, ours.json) == (theirs.path, theirs.type, theirs.json)
    assert ours.headers["authorization"] == theirs.headers["authorization"]


# --- Amazon, Microsoft, Google -----------------------------------------------------------------------------------------


def amazon(url, region="eu-west-1"):
    return boto3.client(
        "sesv2", region, endpoint_url=url, aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key=SECRET
    )


def test_ses_is_sent_our_own_message_signed_as_amazon_s_library_signs(fresh):
    with MailProvider(body={"MessageId": "a-1"}) as provider:
        homing, address = mailed(fresh, "ses://AKIDEXAMPLE@eu-west-1", provider)
        row = sent(homing, address)
        raw = base64.b64decode(provider.requests[0].json["Content"]["Raw"]["Data"])
        amazon(provider.url).send_email(
            FromEmailAddress=ADDRESS,
            Destination={"ToAddresses": [address]},
            Content={"Raw": {"Data": raw}},
            EmailTags=[{"Name": "homing", "Value": row["id"]}],
            ConfigurationOverrides={
                "Tracking": {"OpenTrackingEnabled": "DISABLED", "ClickTrackingEnabled": "DISABLED"}
            },
        )
        ours, theirs = provider.requests
    assert message(raw)["X-Homing-Mail"] == row["id"]
    given = ours.json
    # Where bounces are mailed to, when that is not the sender.
    given.pop("FeedbackForwardingEmailAddress", None)
    assert (ours.method, ours.path, given) == (theirs.method, theirs.path, theirs.json)
    assert signature(ours) == signed(ours, "eu-west-1")
    assert signature(theirs) == signed(theirs, "eu-west-1")


def signature(request):
    return request.headers["authorization"].partition("Signature=")[2]


def signed(request, region):
    """Amazon's own signature of a request, over the fields that it names."""
    names = request.headers["authorization"].partition("SignedHeaders=")[2].partition(",")[0].split(";")
    again = AWSRequest(
        request.method,
        f"http://{request.headers['host']}{request.path}",
        {name: request.headers[name] for name in names},
        request.body,
    )
    again.context["timestamp"] = request.headers["x-amz-date"]
    signer = SigV4Auth(Credentials("AKIDEXAMPLE", SECRET), "ses", region)
    return signer.signature(signer.string_to_sign(again, signer.canonical_request(again)), again)


def test_a_stand_in_for_ses_takes_the_mail(fresh):
    server = moto.server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        url = "http://127.0.0.1:{}".format(server.get_host_and_port()[1])
        amazon(url).create_email_identity(EmailIdentity="here.example")
        homing, address = mailed(fresh, "ses://AKIDEXAMPLE@eu-west-1", None, endpoint=url)
        assert sent(homing, address)["state"] == "sent"
    finally:
        server.stop()


def test_graph_is_sent_our_own_message_with_a_token_of_the_tenant(fresh):
    with MailProvider(status=202, headers={"request-id": "q-1"}) as provider:
        door = f"graph://{ADDRESS}?tenant=here.example&client=app-1&token-url={provider.url}/token"
        homing, address = mailed(fresh, door, provider)
        row = sent(homing, address)
        [ours], [asked] = provider.requests, provider.token_forms
    assert asked == {
        "grant_type": "client_credentials",
        "client_id": "app-1",
        "client_secret": SECRET,
        "scope": "https://graph.microsoft.com/.default",
    }
    assert ours.path == "/v1.0/users/cartas%40here.example/sendMail"
    assert (ours.type, ours.headers["authorization"]) == ("text/plain", "Bearer access-1")
    written = message(base64.b64decode(ours.body, validate=True))
    assert (written["To"], written["X-Homing-Mail"]) == (address, row["id"])


def test_gmail_is_sent_our_own_message_as_google_s_library_sends_it(fresh):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    account = {"type": "service_account", "client_email": "mailer@here.iam.example", "private_key": pem}
    with MailProvider(body={"id": "h-1", "threadId": "h-1"}) as provider:
        door = f"gmail://{ADDRESS}?token-url={provider.url}/token"
        homing, address = mailed(fresh, door, provider, secret=json.dumps(account))
        row = sent(homing, address)
        [ours], [asked] = provider.requests, provider.token_forms
    assert asked["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
    claims = asked["assertion"].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    assert claims["scope"] == "https://www.googleapis.com/auth/gmail.send"
    assert (claims["iss"], claims["sub"]) == ("mailer@here.iam.example", ADDRESS)
    service = build("gmail", "v1", http=HttpMock(headers={"status": "200"}), static_discovery=True)
    media = MediaInMemoryUpload(ours.body, "message/rfc822")
    theirs = service.users().messages().send(userId="me", media_body=media)
    path, query = ours.path.split("?")
    assert theirs.uri.startswith(f"https://gmail.googleapis.com{path}?") and query in theirs.uri
    assert (theirs.method, theirs.body) == ("POST", ours.body)
    assert theirs.headers["content-type"] == ours.type
    assert ours.headers["authorization"] == "Bearer access-1"
    assert message(ours.body)["X-Homing-Mail"] == row["id"]
