import { findNamed, listAll, statusWithId } from "../lib/named.ts";
import type { Admin } from "../lib/team-service.ts";
import type { Listed, Status } from "./answers.ts";

/** Lists campaigns of the team, newest first. */
export const listCampaigns = (admin: Admin, status?: string): Promise<Listed[]> =>
  listAll<Listed>(admin, `?perPage=50${status === undefined ? "" : `&status=${encodeURIComponent(status)}`}`);

export type Found = Pick<Listed, "id" | "name" | "status" | "scheduledFor" | "progress">;

export const findCampaign = async (admin: Admin, name: string): Promise<Found> =>
  (/^cmp_\w+$/.test(name) ? await statusWithId<Status>(admin, name, "campaign_not_found") : undefined) ??
  findNamed("campaign", await listCampaigns(admin), name);
