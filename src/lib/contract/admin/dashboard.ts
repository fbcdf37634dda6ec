import * as z from "zod";
import { act, type Contract, read } from "../operation.ts";
import { audit } from "./audit.ts";
import { askedOf, done, me, role, usedCredential } from "./dashboard/login-fields.ts";
import { people } from "./dashboard/people.ts";

const session = z.object({
  /** The id is not the cookie's secret. */
  id: z.string(),
  who: z.string(),
  role,
  createdAt: z.string(),
  seenAt: z.string(),
  expiresAt: z.string(),
  current: z.boolean(),
});

/** Other fields come from the part's `GET /admin/about`. */
const half = z.looseObject({ unreachable: z.string().optional() }).nullable();

/** A saved page with filters, such as "/webhooks?source=stripe", visible to all users. */
const view = z.object({ name: z.string(), path: z.string(), who: z.string(), savedAt: z.string() });

const viewName = z
  .string()
  .trim()
  .min(1, "must have a character")
  .max(80)
  .refine((name) => !/\p{C}/u.test(name), "must be one line, without control characters")
  // A browser resolves such a name as a path step.
  .refine((name) => !/^\.{1,2}$/.test(name), "must be more than points");

/** The path must not lead to another site ("//host", "/\\host") or a request. */
const viewPath = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, "must be a path of the dashboard, such as /webhooks?source=stripe")
  .refine(
    (path) => !/^(\/api(\/|$)|[^?]*(\/\/|\/\.))/.test(path),
    "must be a path of the dashboard, such as /webhooks?source=stripe",
  );

const refusals = [400] as const;

/** The dashboard's API under `/api`; `/api/bridge` and `/api/email` forward. */
export const dashboardContract = {
  session: {
    /**
     * `token`: admin token. `code`: from `npm start`. `passkey`: from `options`. `recovery`: one-time code. Without
     * these, Cloudflare Access authenticates.
     */
    create: act("viewer", {
      method: "POST",
      path: "/session",
      summary: "Log in",
      danger: false,
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
    get: read("viewer", {
      path: "/session",
      summary: "Show who is logged in",
      request: z.strictObject({}),
      response: me,
      status: 200,
      refusals,
      example: {},
    }),
    delete: act("viewer", {
      method: "DELETE",
      path: "/session",
      summary: "Log out",
      danger: false,
      request: z.strictObject({}),
      response: done,
      status: 200,
      refusals,
      example: {},
    }),
    /**
     * `options`: for `PublicKeyCredential.parseRequestOptionsFromJSON`, valid five minutes. `for`: "proof" requests
     * the current person's passkey.
     */
    options: act("viewer", {
      method: "POST",
      path: "/session/options",
      summary: "Show what a browser needs to use a passkey",
      danger: false,
      request: z.strictObject({ for: z.enum(["login", "proof"]).default("login") }),
      response: z.object({ options: askedOf }),
      status: 200,
      refusals,
      example: { for: "login" },
    }),
    /** Confirms identity; irreversible actions are allowed for 15 minutes. */
    prove: act("viewer", {
      method: "POST",
      path: "/session/prove",
      summary: "Give a passkey or the admin token again, before an act that cannot be undone",
      danger: false,
      request: z.strictObject({ token: z.string().max(500).optional(), passkey: usedCredential.optional() }),
      response: me,
      status: 200,
      refusals,
      example: { token: "the-admin-token-of-this-deployment" },
    }),
  },
  sessions: {
    list: read("viewer", {
      path: "/sessions",
      summary: "List who is logged in",
      request: z.strictObject({}),
      response: z.object({ data: z.array(session) }),
      status: 200,
      refusals,
      example: {},
    }),
    delete: act("viewer", {
      method: "DELETE",
      path: "/sessions",
      summary: "Log out everywhere",
      danger: false,
      request: z.strictObject({}),
      response: done,
      status: 200,
      refusals,
      example: {},
    }),
  },
  views: {
    list: read("viewer", {
      path: "/views",
      summary: "List the saved views, by name",
      request: z.strictObject({}),
      response: z.object({ data: z.array(view) }),
      status: 200,
      refusals,
      example: {},
    }),
    save: act("support", {
      method: "PUT",
      path: "/views",
      summary: "Save a page with its filters under a name",
      danger: false,
      request: z.strictObject({ name: viewName, path: viewPath }),
      response: view,
      status: 200,
      refusals,
      example: { name: "Failed deliveries of Stripe", path: "/deliveries?state=failed&source=stripe" },
    }),
    delete: act("support", {
      method: "DELETE",
      path: "/views/{name}",
      summary: "Delete a saved view",
      danger: false,
      request: z.strictObject({ name: z.string().max(80) }),
      response: done,
      status: 200,
      refusals: [400, 404],
      example: { name: "Failed deliveries of Stripe" },
    }),
  },
  about: {
    /**
     * `accessRole`: the Cloudflare Access role without an entry; null refuses. `v1`: the target of v1 operations, or
     * null.
     */
    get: read("viewer", {
      path: "/about",
      summary: "Show which halves of Mailspan there are",
      request: z.strictObject({}),
      response: z.object({
        me: me.extend({
          /** Null for the admin token or a login without an entry. */
          person: z.string().nullable(),
          passkeys: z.int(),
          /** Forbidden operations, such as "email.keys.create", with the minimum role. */
          needs: z.record(z.string(), role),
        }),
        access: z.boolean(),
        accessRole: role.nullable(),
        /** Started by `npm start`. */
        isLocal: z.boolean(),
        bridge: half,
        email: half,
        v1: z.enum(["email", "bridge"]).nullable(),
      }),
      status: 200,
      refusals,
      example: {},
    }),
  },
  audit,
  ...people,
} as const satisfies Contract;

export type DashboardContract = typeof dashboardContract;
