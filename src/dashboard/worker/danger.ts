import { adminContract } from "../../lib/contract/admin/email.ts";
import { readerOf } from "../../lib/contract/read-request.ts";
import type { Found } from "./routes.ts";

/**
 * Acts that cannot be undone, or that make a secret. They need a proof that is not old. Not among them: to lift a suppression, which a
 * person can set again; the audit has who did it.
 */
export const DANGEROUS: ReadonlySet<string> = new Set([
  ...["bridge.people.forget", "bridge.calls.sendAgain", "bridge.v1.contacts.delete", "bridge.v1.workflows.delete"],
  ...["email.people.forget", "email.keys.create", "email.keys.revoke", "email.domains.remove"],
  ...["email.webhooks.create", "email.webhooks.remove", "email.v1.contacts.delete", "email.v1.workflows.delete"],
  ...["email.contacts.bulk", "email.properties.remove", "email.sends.retry", "email.campaigns.retryUnknown"],
]);

/** Most recipients of a campaign that is launched, or resumed with more of them, without a new proof. */
const MOST_RECIPIENTS = 1_000;

const { launch, resume } = adminContract.campaigns;
const readLaunch = readerOf("campaigns.launch", launch);
const readResume = readerOf("campaigns.resume", resume);

/**
 * True for an act that needs a proof which is not old: those in `DANGEROUS`, and the launch of a campaign to more than 1 000 people, or the resume
 * that confirms so many. Their number is the one that the person has confirmed: the email service sends to no other. The request is read as the
 * email service reads it; one that it refuses needs no proof.
 */
export const needsProof = async ({ name, ids }: Found, request: Request): Promise<boolean> => {
  if (name === "email.campaigns.launch") {
    const read = await readLaunch(request.clone(), ids);
    return "input" in read && read.input.dryRun !== true && Number(read.input.expected) > MOST_RECIPIENTS;
  }
  if (name === "email.campaigns.resume") {
    const read = await readResume(request.clone(), ids);
    return "input" in read && Number(read.input.expected) > MOST_RECIPIENTS;
  }
  return DANGEROUS.has(name);
};
