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

/**
 * One API request of a team. `keyHash`: SHA-256 of the API key, lower-case hex; null for the operator, whose token the Worker has
 * checked. `origin`: of the URL asked for.
 */
export type TeamRequest = { keyHash: string | null; origin: string; request: ApiRequest };

/**
 * The operator's operations on one team. The list of teams is the Directory's, and the Worker answers about itself and makes links to
 * DNS records.
 */
export type AdminOperation =
  | Exclude<OperationName<AdminContract>, "teams.list" | "about.get" | "domains.share">
  | keyof FileOperations;

/** Those that only read, and may keep what they counted. They may take long, and let other requests in meanwhile. */
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

/** A new DKIM key of a domain. `sealedKey`: its private part, encrypted. */
type NewKey = { key: { selector: string; publicKey: string; sealedKey: string } };

/**
 * Contacts that a campaign is for, all counted. `excluded`: those that meet its segment and filter and get no mail, by reason. `of`: the
 * same for the same audience. `after`: the last row number of a contact that was counted; absent at the end. `kept`: counted for an earlier request.
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
  /** The key itself is never stored. `hash`: its SHA-256, lower-case hex. */
  "domains.create": Request<Named<AdminContract, "domains.create">> & NewKey;
  "domains.rotate": Request<Named<AdminContract, "domains.rotate">> & NewKey;
  "keys.create": Request<Named<AdminContract, "keys.create">> & { hash: string; prefix: string };
  /** `secret`: a new one, used where the request needs it. */
  "webhooks.create": Request<Named<AdminContract, "webhooks.create">> & { secret: string };
  "webhooks.update": Request<Named<AdminContract, "webhooks.update">> & { secret: string };
  /** `counted`: by the object, before; undefined where an estimate will do. */
  "audience.estimate": Request<Named<AdminContract, "audience.estimate">> & {
    counted?: { contacts: number; total: number; after?: number } | undefined;
  };
  /** `counted`: by the object, before; undefined where an estimate will do. */
  "campaigns.launch": Request<Named<AdminContract, "campaigns.launch">> & { counted?: CountedAudience | undefined };
  /**
   * `counted`: as for a launch. `fault`: why the count cannot go on with the cursor: it is for another audience, or not one of this Worker. `next`:
   * the cursor of the next request; undefined at the end.
   */
  "campaigns.estimate": Request<Named<AdminContract, "campaigns.estimate">> & {
    counted?: CountedAudience | undefined;
    fault?: "other" | "invalid" | undefined;
    next?: string | undefined;
  };
  /** `row`: number of the contact's row, found by the object, before; undefined where there is none. */
  "workflows.remove": Request<Named<AdminContract, "workflows.remove">> & { row?: number | undefined };
};

/** Input of an operation: the contract's request, except where the route adds or renames something. */
export type AdminInput<Name extends AdminOperation> = Name extends keyof Adapted
  ? Adapted[Name]
  : Request<Named<AdminContract, Name>>;

export type AdminRequest = { [Name in AdminOperation]: { operation: Name; input: AdminInput<Name> } }[AdminOperation];

export type AdminReply = { reply: Reply; listed: Listed | undefined; forget?: Names };

/**
 * Where the bytes of an upload are put. `file`: its name in the bucket. `type`, `size` in bytes: what it was created for. `arrived`: true
 * when they are there.
 */
export type UploadPlace = { file: string; type: string; size: number; arrived: boolean };

/** Methods of a team's Workspace object. Refusals are values; only faults are thrown. */
export type WorkspaceRpc = {
  /** Runs one API request in one transaction: key, rate limit, idempotency, operation. */
  run(request: TeamRequest): Promise<Reply>;
  /**
   * Runs one admin request in one transaction. `listed`: the team for the Directory; undefined when there is none. `forget`:
   * the names of a person to erase from the local inbox too. `origin`: of the URL asked for.
   */
  admin(request: AdminRequest, origin: string): Promise<AdminReply>;
  /** Where the bytes of an upload are put; undefined where it does not exist or has expired. */
  placeOfUpload(id: string): Promise<UploadPlace | undefined>;
  /** Notes that the bytes are in the bucket. False where the upload has expired: then the caller deletes them. */
  uploadArrived(id: string): Promise<boolean>;
  /** What the page of a signed link shows; undefined when there is no such team. With an action, after it. */
  recipient(target: LinkTarget, action?: RecipientAction): Promise<RecipientView | undefined>;
  /** What the link to a domain's DNS records shows; undefined when the team does not have the domain, or there is no such team. */
  sharedDomain(id: string): Promise<SharedDomain | undefined>;
  /** Records a request of the open picture or a link of a mail. */
  hit(hit: Hit): Promise<void>;
  /** Settles results of a Mailer and gives it at most `wants` mails more. */
  report(mailer: string, results: readonly SendResult[], wants: number): Promise<Batch | undefined>;
  /** A compiled revision, which never changes; undefined when there is none. */
  content(revision: number): Promise<CompiledMessage | undefined>;
  /** The key that signs mail from a domain; undefined when the team does not have the domain. */
  signingKey(domain: string, mailClass: MailClass): Promise<SigningKey | undefined>;
  /** The attachments of the send in row `n`; none once it is settled. */
  attachments(n: number): Promise<Attachment[]>;
  /**
   * Records what became of mails. The same feedback twice changes nothing. Returns how many of these mails are known: one that
   * is not there, or whose person was forgotten, is not.
   */
  feedback(via: Via, mails: readonly SendFeedback[]): Promise<number>;
};
