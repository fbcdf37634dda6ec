import { askToEnd } from "../../src/lib/contract/admin/to-end.ts";
import { columns, UsageError, wholeNumber } from "../lib/cli.ts";
import { findingLines, numberText, timeText } from "../lib/formats.ts";
import { Refused } from "../lib/team-service.ts";
import type { Estimate, SendAnswer } from "./answers.ts";
import { confirm } from "./confirm.ts";
import { describeCampaign } from "./describe.ts";
import type { Found } from "./find.ts";
import { describedRows, estimateRows } from "./text.ts";
import type { Values } from "./usage.ts";
import { watch } from "./watch.ts";
import type { World } from "./world.ts";

/** Counts the recipients in several requests and shows progress. */
export const countExactly = async ({ service, progress }: World, id: string): Promise<Estimate> => {
  const estimate = await askToEnd(
    (more) => service.admin<Estimate>("POST", `/${id}/estimate`, { exact: true, ...more }),
    ({ recipients }) => progress(`Counting: about ${numberText(recipients)} recipients`),
  );
  progress("");
  return estimate;
};

const preview = async (world: World, { id, name }: Found, looked: SendAnswer): Promise<number> => {
  const { service, print } = world;
  const [estimate, described] = await Promise.all([
    countExactly(world, id),
    service.hasKey ? describeCampaign(service.api(), id) : undefined,
  ]);
  const starts = looked.scheduledFor === null ? "now" : timeText(looked.scheduledFor);
  const rows = [...(described ? describedRows(described) : []), ["Starts", starts], ...estimateRows(estimate)];
  const hint = described ? [] : ["EMAIL_API_KEY is no key of this team: subject, sender and audience are not shown."];
  print([`${name} (${id})`, columns(rows), ...hint, ...findingLines(looked)].join("\n"));
  return estimate.recipients;
};

/** Throws UsageError if options contradict each other. */
export const expectedOf = ({ expected, json, watch: isWatched, ...values }: Values): number | undefined => {
  const refuse = (message: string): never => {
    throw new UsageError(message);
  };
  if (values["dry-run"] && expected !== undefined) refuse("--dry-run sends nothing: it takes no --expected.");
  if (json && !values["dry-run"] && expected === undefined) refuse("--json asks nothing: confirm with --expected n.");
  if (isWatched && (json || values["dry-run"] || values["no-watch"]))
    refuse("--watch cannot be with --json, --dry-run or --no-watch. npm run campaign -- watch has --json.");
  return expected === undefined ? undefined : wholeNumber("expected", expected);
};

const heldAbove = ({ maxRecipients }: SendAnswer): string =>
  maxRecipients === null ? "" : `, or held if over ${numberText(maxRecipients)} people match then`;

/** Sends a campaign. Returns false for problems or without confirmation. */
export const sendCampaign = async (
  world: World,
  campaign: Found,
  values: Omit<Values, "expected"> & { expected: number | undefined },
): Promise<boolean> => {
  const { id, name } = campaign;
  const { json, expected, "dry-run": dryRun } = values;
  const bound = values["max-recipients"];
  const most = bound === undefined ? {} : { maxRecipients: wholeNumber("max-recipients", bound) };
  const request = (body: object) => world.service.admin<SendAnswer>("POST", `/${id}/send`, body);
  const post = (body: object) =>
    request(body).catch(async (error: unknown) => {
      // A script has no count, and a person's may be too old.
      if (!(error instanceof Refused) || error.code !== "audience_not_counted") throw error;
      await countExactly(world, id);
      return request(body);
    });
  if (json) {
    const answer = await post({ ...(dryRun ? { dryRun } : { expected }), ...most });
    world.print(JSON.stringify(answer, null, 2));
    return answer.problems.length === 0;
  }
  const looked = await post({ dryRun: true, ...most });
  const recipients = await preview(world, campaign, looked);
  const isReady = looked.problems.length === 0;
  if (!isReady || dryRun) {
    world.print(`${isReady ? "" : `${name} cannot be sent yet. `}Nothing was changed.`);
    return isReady;
  }
  if (expected === undefined) {
    const question = `Type the number of recipients (${numberText(recipients)}) to send it:`;
    if (!(await confirm(world, question, String(recipients), `--expected ${recipients}`))) return false;
  }
  const sent = await post({ expected: expected ?? recipients, ...most }).catch((error: unknown) => {
    if (!(error instanceof Refused) || error.code !== "campaign_not_ready") throw error;
    throw new Error([`${name} cannot be sent.`, ...findingLines(error.body)].join("\n"));
  });
  const isNow = sent.status !== "Scheduled";
  world.print(
    isNow
      ? `${name} is being sent. npm run campaign -- pause ${id} pauses it.`
      : `${name} will be sent at ${timeText(sent.scheduledFor)}${heldAbove(sent)}. npm run campaign -- unschedule ${id} prevents it.`,
  );
  const isWatched = values.watch || (isNow && world.isTerminal && !values["no-watch"]);
  return isWatched ? watch(world, id, values) : true;
};
