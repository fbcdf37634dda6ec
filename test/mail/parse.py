"""Reads a mail as Python's email package does, and prints what it says, as JSON."""

import email
import email.policy
import json
import sys

with open(sys.argv[1], "rb") as file:
    message = email.message_from_binary_file(file, policy=email.policy.default)


def body(kind):
    part = message.get_body((kind,))
    return None if part is None else part.get_content()


print(
    json.dumps(
        {
            "headers": {name.lower(): str(value) for name, value in message.items()},
            "text": body("plain"),
            "html": body("html"),
            "attachments": [
                {"filename": part.get_filename(), "type": part.get_content_type(), "bytes": len(part.get_payload(decode=True))}
                for part in message.iter_attachments()
            ],
            "defects": [type(defect).__name__ for part in message.walk() for defect in part.defects],
        }
    )
)
