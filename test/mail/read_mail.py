"""Reads mails with Python's own email package and verifies their signatures with dkimpy.

Arguments: a folder with files NAME.eml, and the DKIM record. Prints one JSON object: what was read, by name.
"""

import base64
import email
import email.policy
import json
import pathlib
import sys
from email.header import decode_header, make_header
from email.utils import getaddresses

import dkim

folder, record = pathlib.Path(sys.argv[1]), sys.argv[2].encode()


def unicode_of(raw):
    """A raw header value: UTF-8 where the message has SMTPUTF8."""
    return raw.encode("utf-8", "surrogateescape").decode("utf-8")


def addresses(raw_message, name):
    # The address parser of Python 3.11 keeps the space between two encoded words, so each name is decoded here.
    values = [unicode_of(str(value)).replace("\r\n", "") for key, value in raw_message.raw_items() if key.lower() == name]
    return [[str(make_header(decode_header(shown))), address] for shown, address in getaddresses(values)]


def read(path):
    data = path.read_bytes()
    message = email.message_from_bytes(data, policy=email.policy.SMTPUTF8)
    raw = email.message_from_bytes(data, policy=email.policy.compat32)
    parts = [part for part in message.walk() if not part.is_multipart()]
    texts = [part for part in parts if part.get_content_disposition() != "attachment"]
    files = [part for part in parts if part.get_content_disposition() == "attachment"]
    return {
        "names": [key for key, _ in message.raw_items()],
        "subject": message["Subject"],
        "messageId": message["Message-ID"],
        "date": int(message["Date"].datetime.timestamp()),
        **{name: addresses(raw, name) for name in ("from", "to", "cc", "reply-to")},
        "bodies": [[part.get_content_type(), part.get_content()] for part in texts],
        "files": [
            [part.get_filename(), part.get_content_type(), base64.b64encode(part.get_payload(decode=True)).decode()]
            for part in files
        ],
        "defects": [str(defect) for part in message.walk() for defect in part.defects],
        "signed": dkim.verify(data, dnsfunc=lambda name, timeout=5: record),
    }


print(json.dumps({path.stem: read(path) for path in sorted(folder.glob("*.eml"))}))
