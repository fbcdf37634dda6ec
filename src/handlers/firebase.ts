import { readEvent } from "../lib/webhook/event.ts";
import { parse } from "../lib/webhook/parse.ts";
import { object, textAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Firebase blocking event";

/** The claims of the token: the event and its user. */
export type FirebaseEvent = {
  type: "beforeCreate" | "beforeSignIn";
  event_id: string;
  event_type: string;
  iat: number;
  user_record: { uid: string; email?: string; email_verified?: boolean; display_name?: string };
};

const readClaims = readEvent<FirebaseEvent>({ what: WHAT, id: "event_id", type: "event_type", time: [["iat", "s"]] });

/**
 * Firebase Authentication's blocking functions: `{ data: { jwt } }`, signed by Google for your project. The source's
 * "secret" is the project id. The answer `{}` allows the sign-in.
 * @see https://firebase.google.com/docs/auth/extend-with-blocking-functions
 */
export const firebase: Handler<FirebaseEvent> = {
  provider: "firebase",
  // Only the token is signed, so nothing else of the body is read.
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
    // Sign-in tokens, which every user has, come from the same issuer and are signed with the same keys. Their audience is
    // the project; that of a blocking event is the address of the function.
    audience: ["-{secret}.cloudfunctions.net", ".run.app"],
    expires: true,
  },
  accepted: { status: 200, body: "{}" },
  read: async (request, content, now) =>
    readClaims(request, parse(textAt(object(content, WHAT), "data.jwt") ?? "", "token") ?? null, now),
};
