import { findNamed, listAll } from "../lib/named.ts";
import type { Admin } from "../lib/team-service.ts";
import type { Listed } from "./answers.ts";

/** The campaigns of the team, the newest first. `status`: of this status only. `admin`: the operator's routes of campaigns. */
export const listCampaigns = (admin: Admin, status?: string): Promise<Listed[]> =>
  listAll<Listed>(admin, `?perPage=50${status === undefined ? "" : `&status=${encodeURIComponent(status)}`}`);

/** The campaign with this id or name. */
export const findCampaign = async (admin: Admin, name: string): Promise<Listed> =>
  findNamed("campaign", await listCampaigns(admin), name);
