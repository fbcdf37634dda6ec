import type { control } from "../../src/lib/contract/admin/email/workflows/control.ts";
import type { Response } from "../../src/lib/contract/operation.ts";
import { findNamed, listAll, statusWithId } from "../lib/named.ts";
import type { Admin } from "../lib/team-service.ts";
import type { Status } from "./answers.ts";

/** A workflow in the operator's list. */
export type Listed = Response<typeof control.list>["data"][number];

/** All workflows of the team. `admin`: the operator's workflow routes. */
export const listWorkflows = (admin: Admin): Promise<Listed[]> => listAll<Listed>(admin, "?perPage=50");

export type Found = Pick<Listed, "id" | "name" | "status">;

/** Finds a workflow by id or name. */
export const findWorkflow = async (admin: Admin, name: string): Promise<Found> =>
  (/^wfl_\w+$/.test(name) ? await statusWithId<Status>(admin, name, "workflow_not_found") : undefined) ??
  findNamed("workflow", await listWorkflows(admin), name);
