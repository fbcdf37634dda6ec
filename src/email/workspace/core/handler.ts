import type { Operation, Request, Response } from "../../../lib/contract/operation.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import type { Context, Result } from "./context.ts";

export type Handlers<Group extends keyof V1> = {
  readonly [Name in keyof V1[Group]]: (
    context: Context,
    input: Request<V1[Group][Name] & Operation>,
  ) => Result<Response<V1[Group][Name] & Operation>>;
};
