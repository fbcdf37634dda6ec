import { findNamed, listAll } from "../lib/named.ts";
import { type Admin, Refused } from "../lib/team-service.ts";
import type { Listed, Status } from "./answers.ts";

/** The campaigns of the team, the newest first. `status`: of this status only. `admin`: the operator's routes of campaigns. */
export const listCampaigns = (admin: Admin, status?: string): Promise<Listed[]> =>
  listAll<Listed>(admin, `?perPage=50${status === undefined ? "" : `&status=${encodeURIComponent(status)}`}`);

/** What both the list and the status of a campaign say. */
export type Found = Pick<Listed, "id" | "name" | "status" | "scheduledFor" | "delivery">;

/** The campaign with this id or name. The list of a team with 10,000 campaigns has 200 pages: only a name is looked for there. */
export const findCampaign = async (admin: Admin, name: string): Promise<Found> =>
  (/^cmp_\w+$/.test(name) ? await withId(admin, name) : undefined) ??
  findNamed("campaign", await listCampaigns(admin), name);

/** Undefined where no campaign has the id: it may be a name. */
const withId = (admin: Admin, id: string): Promise<Found | undefined> =>
  admin<Status>("GET", `/${id}/status`).catch((error: unknown) => {
    if (error instanceof Refused && error.code === "campaign_not_found") return undefined;
    throw error;
  });
