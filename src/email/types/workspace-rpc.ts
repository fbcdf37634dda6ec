import type { AdminContract } from "../../lib/contract/admin/email.ts";
import type { Reply } from "../../lib/contract/mount.ts";
import type { Named, OperationName, Request } from "../../lib/contract/operation.ts";
import type { ApiRequest } from "../../lib/contract/read-request.ts";
import type { Names } from "../../lib/names/finder.ts";
import type { CompiledMessage } from "./compiled-message.ts";
import type { Listed } from "./directory-rpc.ts";
import type { AggregateReport, UnreadReport } from "./dmarc-report.ts";
import type { SendFeedback, TakenMail, Via } from "./feedback.ts";
import type { FileOperations } from "./files.ts";
import type { Attachment, MailClass } from "./mail-handover.ts";
import type { SigningKey } from "./mailer-rpc.ts";
import type { Pulse, PulseRequest } from "./pulse.ts";
import type { LinkTarget, MailSource, RecipientAction, RecipientView } from "./recipient.ts";
import type { SharedDomain } from "./shared-domain.ts";
import type { Hit } from "./tracking.ts";

/**
 * `keyHash`: SHA-256 of the API key, lower-case hex; null for the operator. `noRoom`: a write failed just now, so the
 * request is not counted, and only what reads or frees is tried.
 */
export type TeamRequest = { keyHash: string | null; origin: string; request: ApiRequest; noRoom?: boolean };

/** Operations without a team in their request: the Worker answers them. */
export type OfNoTeam = {
  [Name in OperationName<AdminContract>]: Request<Named<AdminContract, Name>> extends { team: string } ? never : Name;
}[OperationName<AdminContract>];

/** Operations that the object of a team answers. A new team has its name in `id`. */
export type AdminOperation =
  | Exclude<OperationName<AdminContract>, OfNoTeam>
  | Extract<OfNoTeam, "teams.create">
  | keyof FileOperations;

/** `secret` is shown once, and `sealedSecret` stored. */
type NewSecret = { secret: string; sealedSecret: string };
type NewKey = { key: { selector: string; publicKey: string; sealedKey: string } };

/** Made in the Worker, because WebCrypto cannot be used in a transaction. `hash`: SHA-256, lower-case hex. */
export type Made = {
  "domains.create": NewKey;
  "domains.rotate": NewKey;
  "keys.create": { hash: string; prefix: string };
  "webhooks.create": NewSecret;
  "webhooks.update": NewSecret;
};

export type AdminInput<Name extends AdminOperation> = Name extends keyof FileOperations
  ? FileOperations[Name]
  : Request<Named<AdminContract, Name>> & (Name extends keyof Made ? Made[Name] : unknown);

export type AdminRequest = { [Name in AdminOperation]: { operation: Name; input: AdminInput<Name> } }[AdminOperation];

export type AdminReply = { reply: Reply; listed: Listed | undefined; erase?: Names; domains?: readonly string[] };

/** `file`: name in the bucket. `size`: in bytes. `arrived`: true if stored. */
export type StoredUpload = { file: string; type: string; size: number; arrived: boolean };

/** Refusals are values; only faults are thrown. */
export type WorkspaceRpc = {
  /** Runs one API request in one transaction: key, rate limit, idempotency, operation. */
  run(request: TeamRequest): Promise<Reply>;
  /** `noRoom`: as in `TeamRequest`. `listed`, `domains`: for the Directory. `erase`: names to erase from the local inbox. */
  admin(request: AdminRequest, origin: string, noRoom?: boolean): Promise<AdminReply>;
  storedUpload(id: string): Promise<StoredUpload | undefined>;
  /** False after expiry: the caller deletes the bytes. */
  uploadArrived(id: string): Promise<boolean>;
  /** Applies the action, if any. */
  recipient(target: LinkTarget, action?: RecipientAction): Promise<RecipientView | undefined>;
  /** The source of a marketing mail, by its revision; undefined without a team. */
  mailSource(revision: number): Promise<MailSource | undefined>;
  /** Unsubscribes the recipient of a mail from its list, or from everything without one. */
  leave(n: number): Promise<RecipientView | undefined>;
  sharedDomain(id: string): Promise<SharedDomain | undefined>;
  hit(hit: Hit): Promise<void>;
  content(revision: number): Promise<CompiledMessage | undefined>;
  signingKey(domain: string, mailClass: MailClass): Promise<SigningKey | undefined>;
  /** Empty once the send is settled. */
  attachments(n: number): Promise<Attachment[]>;
  /** Sets a lost alarm again. Null without a team. */
  pulse(request: PulseRequest): Promise<Pulse | null>;
  /** True for the id of a mail of the team that is still known. */
  hasSend(id: string): Promise<boolean>;
  /** False if it adds nothing. */
  addDmarcReport(report: AggregateReport | UnreadReport): Promise<boolean>;
  /** Repeated feedback changes nothing. Returns the number of known mails. */
  feedback(via: Via, mails: readonly SendFeedback[]): Promise<number>;
  /** The same for mails named by their mail provider. Returns for each if it is known. */
  feedbackOfTaken(via: Via, mails: readonly TakenMail[]): Promise<boolean[]>;
};
