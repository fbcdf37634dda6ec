import type { control } from "../../src/lib/contract/admin/email/workflows/control.ts";
import type { Response } from "../../src/lib/contract/operation.ts";
import { findNamed, listAll, statusWithId } from "../lib/named.ts";
import type { Admin } from "../lib/team-service.ts";
import type { Status } from "./answers.ts";

/** A workflow as the operator's list has it. */
export type Listed = Response<typeof control.list>["data"][number];

/** All workflows of the team. `admin`: the operator's routes of workflows. */
export const listWorkflows = (admin: Admin): Promise<Listed[]> => listAll<Listed>(admin, "?perPage=50");

/** What both the list and the status of a workflow say. */
export type Found = Pick<Listed, "id" | "name" | "status">;

/** The workflow with this id or name. */
export const findWorkflow = async (admin: Admin, name: string): Promise<Found> =>
  (/^wfl_\w+$/.test(name) ? await statusWithId<Status>(admin, name, "workflow_not_found") : undefined) ??
  findNamed("workflow", await listWorkflows(admin), name);
