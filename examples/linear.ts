/**
 * Linear: notifies the team of urgent issues and of completed ones.
 *
 * To use it, copy this file to `src/mappings/linear.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import linear from "./mappings/linear.ts";
 *     linear: { rules: linear, secret: "LINEAR_WEBHOOK_SECRET" },
 */
import { type LinearEvent, linear } from "../src/handlers/linear.ts";
import { rules } from "../src/rules/types.ts";
import { clip, shortLink } from "../src/rules/values/clip.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

const issue = {
  issue: (e: LinearEvent) => e.data.identifier,
  title: (e: LinearEvent) => clip(e.data.title),
  issueUrl: (e: LinearEvent) => shortLink(e.url),
};

/** Linear's number for the priority "Urgent". */
const URGENT = 1;

export default rules(linear, [
  {
    name: "urgent issue created",
    on: "Issue.create",
    when: (e) => e.data.priority === URGENT,
    contact: team,
    event: { name: "urgentIssueCreated", properties: issue },
  },
  {
    name: "urgent issue completed",
    on: "Issue.update",
    when: (e) =>
      e.data.priority === URGENT && e.data.state?.type === "completed" && e.updatedFrom?.stateId !== undefined,
    contact: team,
    event: { name: "urgentIssueCompleted", properties: issue },
  },
]);
