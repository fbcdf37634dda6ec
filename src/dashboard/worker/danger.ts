import { readText } from "../../lib/contract/body.ts";
import { MAX_BODY } from "../../lib/contract/operation.ts";

/**
 * Acts that always need a recent proof: irreversible ones or new secrets. Deleting a suppression is exempt, because
 * it can be set again.
 */
export const DANGEROUS: ReadonlySet<string> = new Set([
  "bridge.people.forget",
  "bridge.calls.sendAgain",
  "bridge.v1.contacts.delete",
  "bridge.v1.workflows.delete",
  "bridge.v1.workflows.deleteNode",
  "bridge.v1.workflows.deleteNodeRecursively",
  "email.v1.workflows.deleteNode",
  "email.v1.workflows.deleteNodeRecursively",
  "email.people.forget",
  "email.keys.create",
  "email.keys.revoke",
  "email.domains.remove",
  "email.webhooks.create",
  "email.webhooks.remove",
  "email.v1.contacts.delete",
  "email.v1.workflows.delete",
  "email.contacts.bulk",
  "email.properties.remove",
  "email.uploads.remove",
  "email.audience.removeSegment",
  "email.themes.remove",
  "email.components.remove",
  "email.campaigns.remove",
  "email.sends.retry",
  "email.campaigns.cancel",
  "email.campaigns.retryUnknown",
  "email.workflows.remove",
  "dashboard.people.invite",
  "dashboard.people.inviteAgain",
  "dashboard.people.update",
  "dashboard.people.remove",
  // The passkey is created right after its options.
  "dashboard.passkeys.options",
  "dashboard.passkeys.add",
  "dashboard.passkeys.remove",
  "dashboard.recoveryCodes.create",
]);

const MOST_RECIPIENTS = 1_000;

type Fields = Readonly<Record<string, unknown>>;

const isTrue = (value: unknown): boolean => value === true || value === "true" || value === "1";
const isFew = (recipients: unknown): boolean => typeof recipients === "number" && recipients <= MOST_RECIPIENTS;

const isNoDryRun = ({ dryRun }: Fields): boolean => !isTrue(dryRun);

/** A replay is a dry run by default. */
const makesMore = ({ dryRun, actions = "contact" }: Fields): boolean =>
  dryRun !== undefined && !isTrue(dryRun) && [actions].flat().join(",").trim() !== "contact";

const discardsContacts = ({ dryRun, queuedContactPolicy = "fail" }: Fields): boolean =>
  !isTrue(dryRun) && queuedContactPolicy !== "fail";

/** Acts that need a proof for some requests. Invalid values count as dangerous. */
export const DANGEROUS_WHEN: ReadonlyMap<string, (fields: Fields) => boolean> = new Map(
  Object.entries({
    // The email service enforces the confirmed number.
    "email.campaigns.launch": (given) => isNoDryRun(given) && !isFew(given.expected),
    "email.campaigns.resume": ({ expected }) => !isFew(expected ?? 0),
    "bridge.webhooks.replay": makesMore,
    "bridge.webhooks.replayAll": makesMore,
    "bridge.backfill.add": isNoDryRun,
    "email.imports.start": isNoDryRun,
    // A new secret, or a new recipient of personal data.
    "email.webhooks.update": ({ url, rotateSecret = false }) => url !== undefined || rotateSecret !== false,
    "bridge.v1.workflows.changeMailingList": discardsContacts,
    "email.v1.workflows.changeMailingList": discardsContacts,
  } satisfies Record<string, (fields: Fields) => boolean>),
);

/** True if a recent proof is needed, also for unreadable requests. */
export const needsProof = async (name: string, request: Request): Promise<boolean> => {
  const isDangerous = DANGEROUS_WHEN.get(name);
  if (!isDangerous) return DANGEROUS.has(name);
  const fields = await fieldsOf(request.clone());
  return fields === undefined || isDangerous(fields);
};

/** Operations other than GET that change nothing. */
export const QUESTIONS: ReadonlySet<string> = new Set([
  "bridge.rules.run",
  "email.audience.estimate",
  "email.campaigns.estimate",
  "email.domains.check",
  "email.insight.simulate",
  "email.insight.dryRun",
  "email.imports.preview",
]);

/** Dry-run defaults. Imports are excluded: they write outcomes. */
export const DRY_RUNS: ReadonlyMap<string, boolean> = new Map([
  ...["bridge.webhooks.replay", "bridge.webhooks.replayAll", "bridge.calls.retryAll"].map(
    (name) => [name, true] as const,
  ),
  ...[
    "bridge.people.forget",
    "bridge.backfill.add",
    "email.people.forget",
    "email.contacts.bulk",
    "email.campaigns.launch",
    "email.workflows.start",
    "email.workflows.resume",
    "email.webhooks.replay",
    ...["changeMailingList", "deleteNode", "deleteNodeRecursively"].flatMap((name) =>
      ["bridge", "email"].map((half) => `${half}.v1.workflows.${name}`),
    ),
  ].map((name) => [name, false] as const),
]);

/** True for a question or dry run, if unambiguous. */
export const changesNothing = async (name: string, request: Request): Promise<boolean> => {
  if (QUESTIONS.has(name)) return true;
  const isDryAlone = DRY_RUNS.get(name);
  const fields = isDryAlone === undefined ? undefined : await fieldsOf(request.clone());
  if (isDryAlone === undefined || fields === undefined) return false;
  const inQuery = request.method === "DELETE" ? new URL(request.url).searchParams.getAll("dryRun") : [];
  const given = [fields.dryRun, ...inQuery].filter((one) => one !== undefined);
  return given.length === 0 ? isDryAlone : given.every(isTrue);
};

/** Returns JSON fields; undefined above `most` bytes or for other bodies. */
export const fieldsOf = async (request: Request, most = MAX_BODY): Promise<Fields | undefined> => {
  const text = await readText(request, most);
  if (text === undefined) return undefined;
  try {
    const body: unknown = text.trim() === "" ? {} : JSON.parse(text);
    return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
};
