import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Operation, Request, Response } from "../../../lib/contract/operation.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import type { Names } from "../../../lib/names/finder.ts";
import type { AdminInput, AdminOperation } from "../../types/workspace-rpc.ts";
import type { Context, Result } from "./context.ts";

export type Handlers<Group extends keyof V1> = {
  readonly [Name in keyof V1[Group]]: (
    context: Context,
    input: Request<V1[Group][Name] & Operation>,
  ) => Result<Response<V1[Group][Name] & Operation>>;
};

/** Tools of the team's object for admin operations. */
export type Tools = {
  /** Seals cursors. */
  secret: string;
  /** Checks the DNS records of a domain; ignores an unknown one. */
  checkDomain(id: string): Promise<void>;
  /** Writes the warm-up counts of the memory. */
  writeWarmups(now: number): void;
};

/** `names`: to erase from the local inbox. */
export type Answer = { status?: 201; body: unknown; names?: Names } | { refusal: Refusal };

/** Runs outside a transaction, so it may be slow and interleave with other requests. It writes only kept counts. */
export type Read<Input> = (context: Context, input: Input, tools: Tools) => Answer | Promise<Answer>;

/** Runs in one transaction. `prepare` runs before it, and returns what runs in it. */
export type Act<Input> =
  | ((context: Context, input: Input) => Answer)
  | { prepare(context: Context, input: Input, tools: Tools): Prepared | Promise<Prepared> };

export type Prepared = (context: Context) => Answer;

type Admin = AdminContract;
type HandlerOf<O, Name> = Name extends AdminOperation
  ? O extends { effect: "act" }
    ? Act<AdminInput<Name>>
    : Read<AdminInput<Name>>
  : never;

/** Handlers of a group of the admin API, without the operations that the Worker answers. */
export type AdminHandlers<Group extends keyof Admin & string> = {
  readonly [Name in keyof Admin[Group] & string as `${Group}.${Name}` extends AdminOperation ? Name : never]: HandlerOf<
    Admin[Group][Name],
    `${Group}.${Name}`
  >;
};
