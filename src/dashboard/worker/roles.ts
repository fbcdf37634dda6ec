import { MAX_RUN } from "../../lib/contract/admin/bridge/rules.ts";
import { role } from "../../lib/contract/admin/dashboard/fields.ts";
import { dashboardContract, type Role } from "../../lib/contract/admin/dashboard.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import { operationsOf } from "../../lib/contract/operation.ts";
import { changesNothing, fieldsOf } from "./danger.ts";
import { forwarded } from "./routes.ts";

const onBoth = (...names: string[]) => names.flatMap((name) => [`bridge.v1.${name}`, `email.v1.${name}`]);

/**
 * The least role that an operation needs. A GET that stands nowhere here is for every role; all that is no GET stands here, and what does
 * not is for owners.
 */
export const NEEDS: Readonly<Record<Role, readonly string[]>> = {
  // It only looks, or is about the person's own login.
  viewer: [
    "bridge.rules.run",
    "email.audience.estimate",
    "email.campaigns.estimate",
    "email.domains.check",
    "email.insight.simulate",
    "email.insight.dryRun",
    "dashboard.session.create",
    "dashboard.session.options",
    "dashboard.session.prove",
    "dashboard.session.delete",
    "dashboard.sessions.delete",
    "dashboard.invites.open",
    "dashboard.invites.accept",
    "dashboard.passkeys.options",
    "dashboard.passkeys.add",
    "dashboard.passkeys.remove",
    "dashboard.recoveryCodes.create",
  ],
  // One person, the calls, and the brakes of delivery. A mail as it was sent may have a link in it that opens an account.
  support: [
    "bridge.calls.retry",
    "bridge.calls.retryAll",
    "bridge.calls.discard",
    "bridge.webhooks.replay",
    "bridge.delivery.pause",
    "bridge.delivery.resume",
    "email.sends.content",
    "email.suppressions.add",
    "email.suppressions.remove",
    "email.tracking.set",
    "email.confirmations.send",
    "email.workflows.remove",
    "dashboard.views.save",
    "dashboard.views.delete",
    ...onBoth("contacts.create", "contacts.update", "contacts.delete", "suppression.remove"),
  ],
  // What is sent, to whom and when; many contacts at once, also as a file.
  editor: [
    "email.contacts.bulk",
    "email.lists.create",
    "email.lists.update",
    "email.properties.update",
    "email.suppressions.file",
    "email.campaigns.recipientsFile",
    "email.imports.outcomeFile",
    "email.imports.preview",
    "email.imports.begin",
    "email.imports.addRows",
    "email.imports.complete",
    "email.imports.start",
    "email.imports.pause",
    "email.imports.resume",
    "email.imports.cancel",
    "email.audience.updateSegment",
    "email.audience.removeSegment",
    "email.revisions.restore",
    "email.uploads.putFile",
    "email.uploads.remove",
    "email.themes.remove",
    "email.components.remove",
    "email.campaigns.launch",
    "email.campaigns.unschedule",
    "email.campaigns.pause",
    "email.campaigns.resume",
    "email.campaigns.cancel",
    "email.campaigns.duplicate",
    "email.campaigns.remove",
    "email.workflows.start",
    "email.workflows.pause",
    "email.workflows.resume",
    "email.workflows.stop",
    ...onBoth("contactProperties.create", "audienceSegments.create", "events.send", "transactional.send"),
    ...onBoth("transactionalEmails.create", "transactionalEmails.update", "transactionalEmails.draft"),
    ...onBoth("transactionalEmails.publish", "transactionalGroups.create", "transactionalGroups.update"),
    ...onBoth("emailMessages.update", "emailMessages.preview", "campaigns.create", "campaigns.update"),
    ...onBoth("campaignGroups.create", "campaignGroups.update", "workflowGroups.create", "workflowGroups.update"),
    ...onBoth("workflows.create", "workflows.update", "workflows.delete", "workflows.changeMailingList"),
    ...onBoth("workflows.createNode", "workflows.addBranch", "workflows.updateNode", "workflows.reroute"),
    ...onBoth("workflows.deleteNode", "workflows.deleteNodeRecursively", "themes.create", "themes.update"),
    ...onBoth("components.create", "components.update", "uploads.create", "uploads.complete"),
  ],
  // Secrets, people who log in, settings of a team, what is erased, and what may be sent a second time.
  owner: [
    "bridge.people.forget",
    "bridge.calls.sendAgain",
    "bridge.webhooks.replayAll",
    "bridge.backfill.add",
    "email.people.forget",
    "email.sends.retry",
    "email.campaigns.retryUnknown",
    "email.properties.remove",
    "email.teams.create",
    "email.teams.update",
    "email.teams.addSamples",
    "email.keys.create",
    "email.keys.revoke",
    "email.domains.create",
    "email.domains.update",
    "email.domains.remove",
    "email.domains.rotate",
    "email.domains.share",
    "email.webhooks.create",
    "email.webhooks.update",
    "email.webhooks.remove",
    "email.webhooks.replay",
    "email.webhooks.test",
    "dashboard.people.invite",
    "dashboard.people.inviteAgain",
    "dashboard.people.update",
    "dashboard.people.remove",
  ],
};

const least = new Map(role.options.flatMap((one) => NEEDS[one].map((name) => [name, one] as const)));
const rankOf = (one: Role): number => role.options.indexOf(one);

/** True where one role may do what needs another. */
export const includes = (given: Role, needed: Role): boolean => rankOf(given) >= rankOf(needed);

/** The least role that an operation needs. `name`: with its half, such as "email.keys.create". */
export const roleFor = (name: string, method: string): Role =>
  least.get(name) ?? (method === "GET" ? "viewer" : "owner");

/** The body of a webhook, which may have names and addresses: the name of that part of its operation. */
export const BODY = "bridge.webhooks.get?body";
/** A run of the rules on a stored webhook: its calls have what its body has. */
export const STORED = "bridge.rules.run?webhook";
/** The exact count of a campaign's recipients: a launch takes it. */
export const EXACT = "email.campaigns.estimate?exact";
/** The dry run of a launch: what a campaign lacks. */
export const LOOK = "email.campaigns.launch?dryRun";
/** The least role for parts of operations. */
const PARTS: Readonly<Record<Part, Role>> = {
  [BODY]: "support",
  [STORED]: "support",
  [EXACT]: "editor",
  [LOOK]: "viewer",
};
export type Part = typeof BODY | typeof STORED | typeof EXACT | typeof LOOK;
/** The parts that show the body of a webhook. */
const SHOW_BODY: ReadonlySet<Part | undefined> = new Set([BODY, STORED]);

/** True for a request for the body of a webhook. Of several values in a query, a half may take any. */
const showsBody = (name: string, search: string): boolean => {
  const given = new URLSearchParams(search).getAll("body");
  return name === "bridge.webhooks.get" && (given.length === 0 || given.some((one) => !/^(0|false)$/.test(one)));
};

/**
 * True for what the audit has: acts, and reads that not every role may do, such as a mail as it was sent or a file of addresses. A dry run and a
 * question are no acts. `part`: what of the operation the request asks for.
 */
export const isAudited = async (name: string, request: Request, part: Part | undefined): Promise<boolean> => {
  if (SHOW_BODY.has(part)) return true;
  return request.method === "GET" ? roleFor(name, "GET") !== "viewer" : !(await changesNothing(name, request));
};

/**
 * The part of an operation that a request asks for, if it has a role of its own. What cannot be read is taken for the part that needs more: a run may
 * name a stored webhook, a count may be exact, a launch may be none that only looks.
 */
export const partOf = async (name: string, request: Request): Promise<Part | undefined> => {
  if (showsBody(name, new URL(request.url).search)) return BODY;
  if (name === "email.campaigns.launch") return (await changesNothing(name, request)) ? LOOK : undefined;
  if (name === "email.campaigns.estimate") return isEstimate(await fieldsOf(request.clone())) ? undefined : EXACT;
  if (name !== "bridge.rules.run") return undefined;
  const fields = await fieldsOf(request.clone(), MAX_RUN);
  return fields === undefined || fields.webhook !== undefined ? STORED : undefined;
};

/** True for a request that counts no further than a sample. With a cursor, it goes on with an exact count. */
const isEstimate = (fields: Readonly<Record<string, unknown>> | undefined): boolean =>
  fields !== undefined && (fields.exact === undefined || fields.exact === false) && fields.cursor === undefined;

/** Why a role does not allow an operation, or a part of it; undefined where it does. */
export const roleRefusal = (given: Role, name: string, method: string, part?: Part): Refusal | undefined => {
  const needed = part === undefined ? roleFor(name, method) : PARTS[part];
  if (includes(given, needed)) return undefined;
  const message = `This needs the role ${needed}, and yours is ${given}. An owner can change it: Settings, Logins and roles.`;
  return { code: "role_required", message };
};

const all = [
  ...forwarded,
  ...operationsOf(dashboardContract).map(({ name, operation }) => ({
    name: `dashboard.${name}`,
    method: operation.method,
  })),
].map(({ name, method }) => [name, roleFor(name, method)] as const);

const partRoles = Object.entries(PARTS);

/** The operations that a role does not allow, each with the least role that does. */
export const beyond = (given: Role): Record<string, Role> =>
  Object.fromEntries([...all, ...partRoles].filter(([, needed]) => !includes(given, needed)));
