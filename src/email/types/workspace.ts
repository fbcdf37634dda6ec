import type { Call, Reply } from "../../lib/contract/mount.ts";
import type { Named, OperationName, Request } from "../../lib/contract/operation.ts";
import type { AdminContract } from "../admin/contract.ts";
import type { Listed } from "./directory.ts";

/** One API request of a team. `keyHash`: SHA-256 of the API key, lower-case hex. */
export type TeamCall = { keyHash: string; call: Call };

/** What the operator asks of one team; what concerns all of them is the Directory's. */
export type AdminOperation = Exclude<OperationName<AdminContract>, "teams.list">;

type Adapted = {
  "teams.create": Omit<Request<Named<AdminContract, "teams.create">>, "id"> & { team: string };
  /** The key itself is never stored. `hash`: its SHA-256, lower-case hex. */
  "keys.create": Request<Named<AdminContract, "keys.create">> & { hash: string; prefix: string };
};

/** What an operation takes: the contract's request, but where the route adds or renames something. */
export type AdminInput<Name extends AdminOperation> = Name extends keyof Adapted
  ? Adapted[Name]
  : Request<Named<AdminContract, Name>>;

export type AdminCall = { [Name in AdminOperation]: { operation: Name; input: AdminInput<Name> } }[AdminOperation];

/** What the Workspace object of a team answers to. Refusals are values; only faults are thrown. */
export type WorkspaceRpc = {
  /** Runs one API request in one transaction: key, rate limit, idempotency, operation. */
  call(request: TeamCall): Promise<Reply>;
  /** Runs one admin request in one transaction. `listed`: the team for the Directory; undefined where there is none. */
  admin(call: AdminCall): Promise<{ reply: Reply; listed: Listed | undefined }>;
};
