import type { AdminRequest } from "../../types/workspace.ts";
import { countForLaunch } from "../operator/campaigns/count.ts";
import { goOn } from "../operator/campaigns/go-on.ts";
import { findContact } from "../operator/workflows/contact.ts";
import { countForEstimate as countSegment } from "../segments/estimate.ts";
import { isTeam, readTeam } from "../team/team.ts";

/** Adds data read in slices before the transaction. `secret` seals cursors. */
export const prepare = async (
  sql: SqlStorage,
  request: AdminRequest,
  now: number,
  secret: string,
): Promise<AdminRequest> => {
  if (!isTeam(sql)) return request;
  if (request.operation === "audience.estimate") {
    return { ...request, input: { ...request.input, counted: await countSegment(sql, request.input, now) } };
  }
  if (request.operation === "campaigns.estimate") {
    const seal = { secret, team: readTeam(sql).slug, now };
    return { ...request, input: { ...request.input, ...(await goOn(sql, request.input, seal)) } };
  }
  if (request.operation === "campaigns.launch") {
    const counted = await countForLaunch({ sql, now, ...request.input });
    return { ...request, input: { ...request.input, counted } };
  }
  if (request.operation === "workflows.remove") {
    const found = await findContact(sql, request.input.contact, "contact");
    return { ...request, input: { ...request.input, row: "contact" in found ? found.contact.n : undefined } };
  }
  return request;
};
