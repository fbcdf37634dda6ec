import type * as z from "zod";
import type { Env } from "../../env.ts";
import type { Acting } from "../../lib/audit/actor.ts";
import type { BridgeContract } from "../../lib/contract/admin/bridge.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import type { Source } from "../../sources.ts";

export type Sources = Readonly<Record<string, Source>>;

/** `actor`: the acting person, if the dashboard names one. `acting`: who acts, and from which address. */
export type Caller = { env: Env; actor: string | undefined; acting: Acting; sources: Sources };

export type Answer = ({ body: unknown } | { refusal: Refusal }) & { headers?: Record<string, string> };

type InputOf<O> = O extends { request: infer R extends z.ZodType } ? Timed<z.output<R>> : never;
/** `since` and `until` in Unix ms. */
type Timed<Input> = { [Name in keyof Input]: Name extends "since" | "until" ? number | undefined : Input[Name] };

/** Handlers of a group of the bridge's admin API. */
export type BridgeHandlers<Group extends keyof BridgeContract> = {
  readonly [Name in keyof BridgeContract[Group]]: (
    caller: Caller,
    input: InputOf<BridgeContract[Group][Name]>,
  ) => Answer | Promise<Answer>;
};

export const refuse = (code: Refusal["code"], message: string, path?: string): { refusal: Refusal } => ({
  refusal: { code, message, ...(path === undefined ? {} : { path }) },
});

export const webhookNotFound = refuse(
  "not_found",
  "There is no webhook with this id, or it was purged. An id looks like wh_abc.",
  "webhookId",
);
