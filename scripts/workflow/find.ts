import type { control } from "../../src/lib/contract/admin/email/workflows/control.ts";
import type { Response } from "../../src/lib/contract/operation.ts";
import { findNamed, listAll } from "../lib/named.ts";
import type { Admin } from "../lib/team-service.ts";

/** A workflow as the operator's list has it. */
export type Listed = Response<typeof control.list>["data"][number];

/** All workflows of the team. `admin`: the operator's routes of workflows. */
export const listWorkflows = (admin: Admin): Promise<Listed[]> => listAll<Listed>(admin, "?perPage=50");

/** The workflow with this id or name. */
export const findWorkflow = async (admin: Admin, name: string): Promise<Listed> =>
  findNamed("workflow", await listWorkflows(admin), name);
