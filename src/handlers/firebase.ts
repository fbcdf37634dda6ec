import { readEvent } from "../lib/webhook/event.ts";
import { parse } from "../lib/webhook/parse.ts";
import { object, textAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Firebase blocking event";

export type FirebaseEvent = {
  type: "beforeCreate" | "beforeSignIn";
  event_id: string;
  event_type: string;
  iat: number;
  user_record: { uid: string; email?: string; email_verified?: boolean; display_name?: string };
};

const readClaims = readEvent<FirebaseEvent>({ what: WHAT, id: "event_id", type: "event_type", time: [["iat", "s"]] });

/**
 * Firebase blocking functions: a JWT from Google. The "secret" is the project id; the answer `{}` allows the sign-in.
 * @see https://firebase.google.com/docs/auth/extend-with-blocking-functions
 */
export const firebase: Handler<FirebaseEvent> = {
  provider: "firebase",
  // Only the token is signed, so nothing else is read.
  about: {
    title: "Firebase blocking functions",
    secret: "FIREBASE_PROJECT_ID",
    setUp: "Project settings → Project ID",
  },
  scheme: {
    kind: "jwt",
    at: { json: "data.jwt" },
    keys: { x509: "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com" },
    issuer: "https://securetoken.google.com/{secret}",
    // Sign-in tokens have the same issuer and keys, but the project as audience. A blocking event has the function's
    // address.
    audience: ["-{secret}.cloudfunctions.net", ".run.app"],
    expires: true,
  },
  accepted: { status: 200, body: "{}" },
  read: async (request, content, now) =>
    readClaims(request, parse(textAt(object(content, WHAT), "data.jwt") ?? "", "token") ?? null, now),
};
