import type { AdminContract } from "../../lib/contract/admin/email.ts";
import type { Reply } from "../../lib/contract/mount.ts";
import type { Named, OperationName, Request } from "../../lib/contract/operation.ts";
import type { ApiRequest } from "../../lib/contract/read-request.ts";
import type { Names } from "../../lib/names/finder.ts";
import type { Listed } from "./directory.ts";
import type { SendFeedback, Via } from "./feedback.ts";
import type { FileOperations } from "./files.ts";
import type { Attachment, MailClass } from "./mail.ts";
import type { Batch, SendResult, SigningKey } from "./mailer.ts";
import type { CompiledMessage } from "./message.ts";
import type { LinkTarget, RecipientAction, RecipientView } from "./recipient.ts";
import type { SharedDomain } from "./shared-domain.ts";
import type { Hit } from "./tracking.ts";

/** `keyHash`: SHA-256 of the API key, lower-case hex; null for the operator. */
export type TeamRequest = { keyHash: string | null; origin: string; request: ApiRequest };

/** Operations on one team, without those of the Directory or the Worker. */
export type AdminOperation =
  | Exclude<OperationName<AdminContract>, "teams.list" | "about.get" | "domains.share">
  | keyof FileOperations;

/** Operations that only read. They may be slow and interleave with other requests. */
export type ReadOperation = Exclude<
  Extract<
    AdminOperation,
    | `insight.${string}`
    | `statistics.${string}`
    | `contacts.${string}`
    | `overview.${string}`
    | "campaigns.status"
    | "lists.counts"
    | "teams.usage"
    | "properties.usage"
    | "suppressions.file"
    | "transactionalEmails.counts"
    | "themes.usage"
    | "components.usage"
    | "uploads.list"
    | "uploads.usage"
    | "events.list"
    | "eventPatterns.usage"
  >,
  "contacts.bulk"
>;

type NewKey = { key: { selector: string; publicKey: string; sealedKey: string } };

/**
 * `excluded`: contacts without mail, by reason. `of`: equal for the same audience.
 * `after`: last counted row number; absent at the end. `kept`: counted earlier.
 */
export type CountedAudience = {
  of: string;
  recipients: number;
  excluded: Record<string, number>;
  total: number;
  after?: number;
  kept?: true;
};

type Adapted = FileOperations & {
  "teams.create": Omit<Request<Named<AdminContract, "teams.create">>, "id"> & { team: string };
  /** `hash`: SHA-256, lower-case hex. */
  "domains.create": Request<Named<AdminContract, "domains.create">> & NewKey;
  "domains.rotate": Request<Named<AdminContract, "domains.rotate">> & NewKey;
  "keys.create": Request<Named<AdminContract, "keys.create">> & { hash: string; prefix: string };
  "webhooks.create": Request<Named<AdminContract, "webhooks.create">> & { secret: string };
  "webhooks.update": Request<Named<AdminContract, "webhooks.update">> & { secret: string };
  "audience.estimate": Request<Named<AdminContract, "audience.estimate">> & {
    counted?: { contacts: number; total: number; after?: number } | undefined;
  };
  "campaigns.launch": Request<Named<AdminContract, "campaigns.launch">> & { counted?: CountedAudience | undefined };
  /** `fault`: invalid or foreign cursor. `next`: undefined at the end. */
  "campaigns.estimate": Request<Named<AdminContract, "campaigns.estimate">> & {
    counted?: CountedAudience | undefined;
    fault?: "other" | "invalid" | undefined;
    next?: string | undefined;
  };
  "workflows.remove": Request<Named<AdminContract, "workflows.remove">> & { row?: number | undefined };
};

export type AdminInput<Name extends AdminOperation> = Name extends keyof Adapted
  ? Adapted[Name]
  : Request<Named<AdminContract, Name>>;

export type AdminRequest = { [Name in AdminOperation]: { operation: Name; input: AdminInput<Name> } }[AdminOperation];

export type AdminReply = { reply: Reply; listed: Listed | undefined; forget?: Names };

/** `file`: name in the bucket. `size`: in bytes. `arrived`: true if stored. */
export type UploadPlace = { file: string; type: string; size: number; arrived: boolean };

/** Refusals are values; only faults are thrown. */
export type WorkspaceRpc = {
  /** Runs one API request in one transaction: key, rate limit, idempotency, operation. */
  run(request: TeamRequest): Promise<Reply>;
  /** `listed`: for the Directory. `forget`: names to erase from the local inbox. */
  admin(request: AdminRequest, origin: string): Promise<AdminReply>;
  placeOfUpload(id: string): Promise<UploadPlace | undefined>;
  /** False after expiry: the caller deletes the bytes. */
  uploadArrived(id: string): Promise<boolean>;
  /** Applies the action, if any. */
  recipient(target: LinkTarget, action?: RecipientAction): Promise<RecipientView | undefined>;
  sharedDomain(id: string): Promise<SharedDomain | undefined>;
  hit(hit: Hit): Promise<void>;
  /** Settles results of a Mailer and returns at most `wants` new mails. */
  report(mailer: string, results: readonly SendResult[], wants: number): Promise<Batch | undefined>;
  content(revision: number): Promise<CompiledMessage | undefined>;
  signingKey(domain: string, mailClass: MailClass): Promise<SigningKey | undefined>;
  /** Empty once the send is settled. */
  attachments(n: number): Promise<Attachment[]>;
  /** Repeated feedback changes nothing. Returns the number of known mails. */
  feedback(via: Via, mails: readonly SendFeedback[]): Promise<number>;
};
