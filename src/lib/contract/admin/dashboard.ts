import * as z from "zod";
import { type Contract, operation } from "../operation.ts";
import { ago, day, TIME } from "./bridge/fields.ts";
import { askedOf, done, me, role, usedCredential } from "./dashboard/fields.ts";
import { people } from "./dashboard/people.ts";

const session = z.object({
  /** Not the secret of the cookie. */
  id: z.string(),
  who: z.string(),
  role,
  createdAt: z.string(),
  seenAt: z.string(),
  expiresAt: z.string(),
  current: z.boolean(),
});

/** A half of Mailspan that is deployed; `unreachable` says why it does not answer. Its other fields are its own `GET /admin/about`. */
const half = z.looseObject({ unreachable: z.string().optional() }).nullable();

const entry = z.object({
  id: z.string(),
  at: z.string(),
  who: z.string(),
  /** `<half>.<group>.<name>`, such as "email.keys.create". */
  operation: z.string(),
  /** Parameters of its path. */
  ids: z.record(z.string(), z.string()),
  status: z.int(),
});

/** A page with its filters, such as "/webhooks?source=stripe", under a name. Everybody who logs in sees it. */
const view = z.object({ name: z.string(), path: z.string(), who: z.string(), savedAt: z.string() });

const viewName = z
  .string()
  .trim()
  .min(1, "must have a character")
  .max(80)
  .refine((name) => !/\p{C}/u.test(name), "must be one line, without control characters")
  // In the path of a request a browser takes them for steps.
  .refine((name) => !/^\.{1,2}$/.test(name), "must be more than points");

/** A path of the page: never another site, which "//host" and "/\\host" would be, nor a request. */
const viewPath = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, "must be a path of the dashboard, such as /webhooks?source=stripe")
  .refine(
    (path) => !/^(\/api(\/|$)|[^?]*(\/\/|\/\.))/.test(path),
    "must be a path of the dashboard, such as /webhooks?source=stripe",
  );

const time = z.union([ago, day.refine((text) => !Number.isNaN(Date.parse(text)))], `must be ${TIME}`);

const refusals = [400] as const;

/** The dashboard's own API, under `/api`. The APIs of the halves are behind `/api/bridge` and `/api/email`. */
export const dashboardContract = {
  session: {
    /**
     * `token`: the admin token. `code`: of the link that `npm start` prints. `passkey`: of `options`. `recovery`: a recovery code, which is
     * used up. None of them: Cloudflare Access has let the person through.
     */
    create: operation({
      method: "POST",
      path: "/session",
      summary: "Log in",
      request: z.strictObject({
        token: z.string().max(500).optional(),
        code: z.string().max(200).optional(),
        passkey: usedCredential.optional(),
        recovery: z.string().max(100).optional(),
      }),
      response: me,
      status: 201,
      refusals,
      example: { token: "the-admin-token-of-this-deployment" },
    }),
    get: operation({
      method: "GET",
      path: "/session",
      summary: "Show who is logged in",
      request: z.strictObject({}),
      response: me,
      status: 200,
      refusals,
      example: {},
    }),
    delete: operation({
      method: "DELETE",
      path: "/session",
      summary: "Log out",
      request: z.strictObject({}),
      response: done,
      status: 200,
      refusals,
      example: {},
    }),
    /**
     * `options`: for `PublicKeyCredential.parseRequestOptionsFromJSON`, within five minutes. `for`: "proof" asks for a passkey of the person
     * who is logged in.
     */
    options: operation({
      method: "POST",
      path: "/session/options",
      summary: "Show what a browser needs to use a passkey",
      request: z.strictObject({ for: z.enum(["login", "proof"]).default("login") }),
      response: z.object({ options: askedOf }),
      status: 200,
      refusals,
      example: { for: "login" },
    }),
    /** Proves once more who is there. For 15 minutes after it, acts that cannot be undone are allowed. */
    prove: operation({
      method: "POST",
      path: "/session/prove",
      summary: "Give a passkey or the admin token again, before an act that cannot be undone",
      request: z.strictObject({ token: z.string().max(500).optional(), passkey: usedCredential.optional() }),
      response: me,
      status: 200,
      refusals,
      example: { token: "the-admin-token-of-this-deployment" },
    }),
  },
  sessions: {
    list: operation({
      method: "GET",
      path: "/sessions",
      summary: "List who is logged in",
      request: z.strictObject({}),
      response: z.object({ data: z.array(session) }),
      status: 200,
      refusals,
      example: {},
    }),
    delete: operation({
      method: "DELETE",
      path: "/sessions",
      summary: "Log out everywhere",
      request: z.strictObject({}),
      response: done,
      status: 200,
      refusals,
      example: {},
    }),
  },
  views: {
    list: operation({
      method: "GET",
      path: "/views",
      summary: "List the saved views, by name",
      request: z.strictObject({}),
      response: z.object({ data: z.array(view) }),
      status: 200,
      refusals,
      example: {},
    }),
    /** Replaces the view with this name. */
    save: operation({
      method: "PUT",
      path: "/views",
      summary: "Save a page with its filters under a name",
      request: z.strictObject({ name: viewName, path: viewPath }),
      response: view,
      status: 200,
      refusals,
      example: { name: "Dead calls of Stripe", path: "/calls?state=dead&source=stripe" },
    }),
    delete: operation({
      method: "DELETE",
      path: "/views/{name}",
      summary: "Delete a saved view",
      request: z.strictObject({ name: z.string().max(80) }),
      response: done,
      status: 200,
      refusals: [400, 404],
      example: { name: "Dead calls of Stripe" },
    }),
  },
  about: {
    /**
     * `access`: people log in with Cloudflare Access. `accessRole`: the role that it gives to those without an entry, once the list of people
     * has one; null: they are not let in. `v1`: where operations of the v1 API go. Null: to no half.
     */
    get: operation({
      method: "GET",
      path: "/about",
      summary: "Show which halves of Mailspan there are",
      request: z.strictObject({}),
      response: z.object({
        me: me.extend({
          /** The id of the person, who may have passkeys. Null for a login with the admin token, and for others without an entry in the list. */
          person: z.string().nullable(),
          passkeys: z.int(),
          /** Operations that the role does not allow, such as "email.keys.create", each with the least role that does. */
          needs: z.record(z.string(), role),
        }),
        access: z.boolean(),
        accessRole: role.nullable(),
        bridge: half,
        email: half,
        v1: z.enum(["email", "bridge"]).nullable(),
      }),
      status: 200,
      refusals,
      example: {},
    }),
  },
  audit: {
    list: operation({
      method: "GET",
      path: "/audit",
      summary: "List what people changed with the dashboard, newest first",
      request: z.strictObject({
        who: z.string().max(320).optional(),
        /** Its name, or the beginning of it: "bridge.calls". */
        operation: z.string().max(100).optional(),
        since: time.optional(),
        until: time.optional(),
        cursor: z
          .string()
          .regex(/^\d{1,15}$/, "must be the `next` of an earlier answer")
          .transform(Number)
          .optional(),
      }),
      response: z.object({ data: z.array(entry), next: z.string().nullable() }),
      status: 200,
      refusals,
      example: {},
    }),
  },
  ...people,
} as const satisfies Contract;

export type DashboardContract = typeof dashboardContract;
export type { Role } from "./dashboard/fields.ts";
