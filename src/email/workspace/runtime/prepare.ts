import type { AdminRequest } from "../../types/workspace.ts";
import { countForEstimate } from "../audience/estimate.ts";
import { findContact } from "../insight/contact.ts";
import { countAudience } from "../launch/estimate.ts";
import { isTeam } from "../team/team.ts";

/** Adds to an admin request what has to be read in slices. The transaction of the request comes after that. */
export const prepare = async (sql: SqlStorage, request: AdminRequest, now: number): Promise<AdminRequest> => {
  if (!isTeam(sql)) return request;
  if (request.operation === "audience.estimate") {
    return { ...request, input: { ...request.input, counted: await countForEstimate(sql, request.input, now) } };
  }
  if (request.operation === "campaigns.launch" || request.operation === "campaigns.estimate") {
    const { operation, input } = request;
    // A launch counts everybody: that is the number which a person confirms.
    const isExact = operation === "campaigns.launch" || input.exact;
    const counted = await countAudience(sql, input.campaignId, isExact, now);
    return { operation, input: { ...input, counted } } as AdminRequest;
  }
  if (request.operation === "workflows.remove") {
    const found = await findContact(sql, request.input.contact, "contact");
    return { ...request, input: { ...request.input, row: "contact" in found ? found.contact.n : undefined } };
  }
  return request;
};
