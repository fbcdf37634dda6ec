/**
 * Slack: notifies the team of new members of its community, and of messages to `/feedback`.
 *
 * To use it, copy this file to `src/mappings/slack.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import slack from "./mappings/slack.ts";
 *     slack: { rules: slack, secret: "SLACK_SIGNING_SECRET" },
 */
import { type SlackEvent, slack } from "../src/handlers/slack.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

/** The new member. Only `team_join` contains the profile; other events have the user id. */
const joined = (e: SlackEvent) => (typeof e.event?.user === "object" ? e.event.user : undefined);

export default rules(slack, [
  {
    name: "member joined",
    on: "team_join",
    when: (e) => joined(e)?.is_bot !== true,
    contact: team,
    event: { name: "slackMemberJoined", properties: { member: (e) => clip(joined(e)?.real_name) } },
  },
  {
    name: "feedback given",
    on: "command./feedback",
    when: (e) => Boolean(e.text),
    contact: team,
    event: { name: "feedbackGiven", properties: { text: (e) => clip(e.text), from: (e) => clip(e.user_name) } },
  },
]);
