import { MAX_RUN } from "../../lib/contract/admin/bridge/rules.ts";
import { role } from "../../lib/contract/admin/dashboard/fields.ts";
import { dashboardContract, type Role } from "../../lib/contract/admin/dashboard.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import { operationsOf } from "../../lib/contract/operation.ts";
import { changesNothing, fieldsOf } from "./danger.ts";
import { forwarded } from "./routes.ts";

const onBoth = (...names: string[]) => names.flatMap((name) => [`bridge.v1.${name}`, `email.v1.${name}`]);

/** The minimum role. Unlisted GETs are for all, others for owners. */
export const NEEDS: Readonly<Record<Role, readonly string[]>> = {
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
  // A sent mail may contain a login link.
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

export const includes = (given: Role, needed: Role): boolean => rankOf(given) >= rankOf(needed);

/** Returns the minimum role, such as of "email.keys.create". */
export const roleFor = (name: string, method: string): Role =>
  least.get(name) ?? (method === "GET" ? "viewer" : "owner");

/** The webhook body, which may contain personal data. */
export const BODY = "bridge.webhooks.get?body";
/** A run on a stored webhook shows body data. */
export const STORED = "bridge.rules.run?webhook";
/** The exact recipient count, needed by a launch. */
export const EXACT = "email.campaigns.estimate?exact";
export const LOOK = "email.campaigns.launch?dryRun";
const PARTS: Readonly<Record<Part, Role>> = {
  [BODY]: "support",
  [STORED]: "support",
  [EXACT]: "editor",
  [LOOK]: "viewer",
};
export type Part = typeof BODY | typeof STORED | typeof EXACT | typeof LOOK;
const SHOW_BODY: ReadonlySet<Part | undefined> = new Set([BODY, STORED]);

/** A half may use any of several query values. */
const showsBody = (name: string, search: string): boolean => {
  const given = new URLSearchParams(search).getAll("body");
  return name === "bridge.webhooks.get" && (given.length === 0 || given.some((one) => !/^(0|false)$/.test(one)));
};

/** True for acts and restricted reads, except dry runs and questions. */
export const isAudited = async (name: string, request: Request, part: Part | undefined): Promise<boolean> => {
  if (SHOW_BODY.has(part)) return true;
  return request.method === "GET" ? roleFor(name, "GET") !== "viewer" : !(await changesNothing(name, request));
};

/** Returns the part with a separate role. Unreadable requests count as the stricter part. */
export const partOf = async (name: string, request: Request): Promise<Part | undefined> => {
  if (showsBody(name, new URL(request.url).search)) return BODY;
  if (name === "email.campaigns.launch") return (await changesNothing(name, request)) ? LOOK : undefined;
  if (name === "email.campaigns.estimate") return isEstimate(await fieldsOf(request.clone())) ? undefined : EXACT;
  if (name !== "bridge.rules.run") return undefined;
  const fields = await fieldsOf(request.clone(), MAX_RUN);
  return fields === undefined || fields.webhook !== undefined ? STORED : undefined;
};

/** A cursor continues with an exact count. */
const isEstimate = (fields: Readonly<Record<string, unknown>> | undefined): boolean =>
  fields !== undefined && (fields.exact === undefined || fields.exact === false) && fields.cursor === undefined;

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

export const beyond = (given: Role): Record<string, Role> =>
  Object.fromEntries([...all, ...partRoles].filter(([, needed]) => !includes(given, needed)));
