import { readText } from "../../lib/contract/body.ts";
import { MAX_BODY } from "../../lib/contract/operation.ts";

/**
 * Acts that cannot be undone, or that make a secret, whatever their request says. They need a proof that is not old. Every deletion is among
 * them but that of a suppression, which a person can set again; the audit has who did it.
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
  // Who may log in, with what, and as whom.
  "dashboard.people.invite",
  "dashboard.people.inviteAgain",
  "dashboard.people.update",
  "dashboard.people.remove",
  // The question too: the browser makes a passkey right after it, which must not be in vain.
  "dashboard.passkeys.options",
  "dashboard.passkeys.add",
  "dashboard.passkeys.remove",
  "dashboard.recoveryCodes.create",
]);

/** Most recipients of a campaign that is launched, or resumed with more of them, without a new proof. */
const MOST_RECIPIENTS = 1_000;

/** The fields in a JSON body, as they were sent. */
type Fields = Readonly<Record<string, unknown>>;

const isTrue = (value: unknown): boolean => value === true || value === "true" || value === "1";
const isFew = (recipients: unknown): boolean => typeof recipients === "number" && recipients <= MOST_RECIPIENTS;

const isNoDryRun = ({ dryRun }: Fields): boolean => !isTrue(dryRun);

/** A replay that makes more than contact updates: mails, events that start workflows, deletions. It is a dry run unless its request says otherwise. */
const makesMore = ({ dryRun, actions = "contact" }: Fields): boolean =>
  dryRun !== undefined && !isTrue(dryRun) && [actions].flat().join(",").trim() !== "contact";

/** A change of a workflow that takes the contacts who wait out of it. */
const discardsContacts = ({ dryRun, queuedContactPolicy = "fail" }: Fields): boolean =>
  !isTrue(dryRun) && queuedContactPolicy !== "fail";

/**
 * Acts that need a proof only where their request says something that cannot be undone. What is no valid value counts as dangerous: a half may
 * read a request in another way.
 */
export const DANGEROUS_WHEN: ReadonlyMap<string, (fields: Fields) => boolean> = new Map(
  Object.entries({
    // The email service sends to no other number of people than the one that the person has confirmed.
    "email.campaigns.launch": (given) => isNoDryRun(given) && !isFew(given.expected),
    "email.campaigns.resume": ({ expected }) => !isFew(expected ?? 0),
    "bridge.webhooks.replay": makesMore,
    "bridge.webhooks.replayAll": makesMore,
    // Both write to many contacts at once.
    "bridge.backfill.add": isNoDryRun,
    "email.imports.start": isNoDryRun,
    // A new secret, or another server that learns what happens to people.
    "email.webhooks.update": ({ url, rotateSecret = false }) => url !== undefined || rotateSecret !== false,
    "bridge.v1.workflows.changeMailingList": discardsContacts,
    "email.v1.workflows.changeMailingList": discardsContacts,
  } satisfies Record<string, (fields: Fields) => boolean>),
);

/** True for an act that needs a proof which is not old: of `DANGEROUS`, or of `DANGEROUS_WHEN` with such a request or one that cannot be read. */
export const needsProof = async (name: string, request: Request): Promise<boolean> => {
  const isDangerous = DANGEROUS_WHEN.get(name);
  if (!isDangerous) return DANGEROUS.has(name);
  const fields = await fieldsOf(request.clone());
  return fields === undefined || isDangerous(fields);
};

/** Operations that are no GET and only answer: no mail leaves, and nothing is stored but what the answer says. */
export const QUESTIONS: ReadonlySet<string> = new Set([
  "bridge.rules.run",
  "email.audience.estimate",
  "email.campaigns.estimate",
  "email.domains.check",
  "email.insight.simulate",
  "email.insight.dryRun",
  "email.imports.preview",
]);

/**
 * Operations whose dry run changes nothing. The value says whether a request without `dryRun` is one. That of an import is none of them: it
 * writes an outcome for each row.
 */
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

/**
 * True for a request that changes nothing, whatever its answer: a question, or a dry run. One that says both, such as a DELETE with another word in
 * its query than in its body, or that cannot be read, is an act.
 */
export const changesNothing = async (name: string, request: Request): Promise<boolean> => {
  if (QUESTIONS.has(name)) return true;
  const isDryAlone = DRY_RUNS.get(name);
  const fields = isDryAlone === undefined ? undefined : await fieldsOf(request.clone());
  if (isDryAlone === undefined || fields === undefined) return false;
  const inQuery = request.method === "DELETE" ? new URL(request.url).searchParams.getAll("dryRun") : [];
  const given = [fields.dryRun, ...inQuery].filter((one) => one !== undefined);
  return given.length === 0 ? isDryAlone : given.every(isTrue);
};

/** The fields in the body of a request of at most `most` bytes. Undefined where it is larger, or no JSON object. */
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
