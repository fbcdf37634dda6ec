import type { AdminRequest } from "../../types/workspace.ts";
import { countForEstimate as countSegment } from "../audience/estimate.ts";
import { findContact } from "../insight/contact.ts";
import { countForEstimate, countForLaunch } from "../launch/count.ts";
import { isTeam } from "../team/team.ts";

/** Adds to an admin request what has to be read in slices. The transaction of the request comes after that. */
export const prepare = async (sql: SqlStorage, request: AdminRequest, now: number): Promise<AdminRequest> => {
  if (!isTeam(sql)) return request;
  if (request.operation === "audience.estimate") {
    return { ...request, input: { ...request.input, counted: await countSegment(sql, request.input, now) } };
  }
  if (request.operation === "campaigns.estimate") {
    const counted = await countForEstimate({ sql, now, ...request.input }, request.input);
    return { ...request, input: { ...request.input, counted } };
  }
  if (request.operation === "campaigns.launch") {
    const counted = await countForLaunch({ sql, now, ...request.input }, request.input);
    return { ...request, input: { ...request.input, counted } };
  }
  if (request.operation === "workflows.remove") {
    const found = await findContact(sql, request.input.contact, "contact");
    return { ...request, input: { ...request.input, row: "contact" in found ? found.contact.n : undefined } };
  }
  return request;
};
