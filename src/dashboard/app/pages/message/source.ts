import type { Response } from "../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../lib/contract/v1.ts";
import type { Kind } from "../../../../lib/lmx/compile.ts";
import { emptySource, FALLBACKS, type MessageSource, senderFault } from "../../../../lib/lmx/message/message-source.ts";

export type Message = Response<V1["emailMessages"]["get"]>;

/** Unsaved changes. `base`: their start revision. `mail`: preview values only. */
export type Draft = { base: string | null; changes: Partial<MessageSource> };

export const kindOf = ({ campaignId, workflowId }: Message): Exclude<Kind, "component"> =>
  campaignId !== undefined ? "campaign" : workflowId !== undefined ? "workflow" : "transactional";

/** Fields that an author writes. */
export const sourceIn = (message: Message): MessageSource =>
  Object.fromEntries(
    Object.keys(emptySource).map((field) => [field, message[field as keyof MessageSource]]),
  ) as MessageSource;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).sort(([a], [b]) => a.localeCompare(b)) : value;

/** Changes that differ from the saved message. */
export const changesIn = (saved: MessageSource, changes: Partial<MessageSource>): Partial<MessageSource> =>
  Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => !isSame(saved[field as keyof MessageSource], value)),
  );

/** Converts changes for a request. A removed fallback is null. */
export const requestOf = (saved: MessageSource, changes: Partial<MessageSource>): Record<string, unknown> => {
  const request: Record<string, unknown> = { ...changes };
  for (const field of FALLBACKS) {
    const wanted = changes[field];
    if (wanted === undefined) continue;
    const gone = Object.keys(saved[field]).filter((name) => !Object.hasOwn(wanted, name));
    request[field] = { ...wanted, ...Object.fromEntries(gone.map((name) => [name, null])) };
  }
  return request;
};

/** Why a message is locked, or undefined. */
export const lockOf = (message: Message, owner: Owner | undefined): string | undefined => {
  if (message.transactionalId !== undefined && owner?.draftId !== undefined && owner.draftId !== message.id)
    return owner.publishedId === message.id
      ? "This message is published and stays as it is. Its draft can be edited and published in its place."
      : "This message was published earlier and stays as it is.";
  if (message.campaignId !== undefined && owner?.status !== undefined && owner.status !== "Draft")
    return "Its campaign is sent or scheduled, so the message stays as it is.";
  if (message.workflowId !== undefined && owner?.status === "Sending")
    return "Its workflow is running. Pause it to edit the message.";
  return undefined;
};

/**
 * Owner of a message. `draftId`, `publishedId`: transactional messages. `required`: data variables that senders give.
 */
export type Owner = {
  name: string;
  status?: string;
  draftId?: string | null;
  publishedId?: string | null;
  required?: readonly string[];
  nodeId?: string | undefined;
};

/** Explains an invalid sender, by the service's rules. */
export const senderProblem = (fromEmail: string): string | undefined => {
  // The rule needs any domain.
  const fault = senderFault(fromEmail, "example.com");
  if (fault === undefined) return undefined;
  return fault === "whole"
    ? "Must be only the part before the @: the sending domain of the team follows."
    : "Cannot be the part before the @ of an address.";
};
