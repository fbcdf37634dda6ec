import { buildPage } from "../scripts/dashboard/page.ts";
import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { keepStateInMemory } from "../scripts/lib/memory.ts";
import { launchBrowser } from "../test/browser/browser.ts";
import { campaign } from "./live/campaign.ts";
import { edits } from "./live/edits.ts";
import { importFile } from "./live/import.ts";
import { segment } from "./live/segment.ts";
import { startTeam } from "./live/team.ts";
import { workflow } from "./live/workflow.ts";
import { partOptions, partsIn, runParts } from "./parts.ts";
import { startSink } from "./sending/start.ts";

const PARTS = ["campaign", "workflow", "edits", "segment", "import"] as const;

const LIVE = define({
  name: "dashboard:live",
  about: `Opens pages of the dashboard in Chromium while much goes on, and measures their requests and the memory of their tab. The three
Workers run in local workerd; mails go to an SMTP server on the loopback network. The time of a request is that of the whole way through
the dashboard Worker: check of the session, the email Worker, the team's object with all that it does meanwhile, and the way back to the
first byte of the answer. Its bound is for the slowest answer, and from eleven answers on for the second slowest. Needs Chromium.`,
  examples: [
    ["", "all of it"],
    ["--quick", "a tenth of it"],
    ["--only campaign --recipients 20000"],
    ["--only import,segment"],
  ],
  options: {
    ...partOptions(PARTS, "a tenth of it, without bounds"),
    recipients: { value: "n", about: "recipients of the campaign (default: 100000, or 10000 with --quick)" },
  },
  notes: `campaign   a campaign to --recipients contacts is sent, and its page shows it until its last mail
workflow   the graph and the list of a workflow in which contacts wait and some go on, and who is at a node, page by page
edits      a paused workflow in which contacts wait is edited, and its page shows what that means until their times are changed, or they have left
segment    two conditions over all contacts are counted on to the exact number
import     the rows of a file are mapped, sent and counted in the page until the service has done them all

The figures are the slowest answers by operation, the most memory of the tab after a collection of its garbage, and before one, and the most
elements that the page had. A request over 300 ms and a tab over 100 MB fail.`,
});

await runCommand(LIVE, async ({ values: { quick, only, ...values } }) => {
  const wanted = partsIn(only, PARTS);
  const range = { min: 100, max: 1_000_000 };
  const share = quick ? 0.1 : 1;
  const recipients = wholeNumber("recipients", values.recipients ?? String(100_000 * share), range);
  const contacts = Math.max(recipients, 1_000_000 * share);
  keepStateInMemory();
  await buildPage();
  const sink = await startSink();
  const browser = await launchBrowser();
  const team = await startTeam(sink);
  try {
    await team.addContacts(1, recipients);
    const parts = {
      campaign: () => campaign(team, browser, recipients),
      workflow: () => workflow(team, browser, Math.min(recipients, 50_000 * share)),
      edits: () => edits(team, Math.min(recipients, 50_000 * share)),
      segment: async () => {
        await team.addContacts(recipients + 1, contacts);
        return segment(team, browser, contacts);
      },
      import: () => importFile(team, browser, 100_000 * share),
    };
    return await runParts(parts, { wanted, quick });
  } finally {
    await browser.close();
    await team.stop();
    sink.stop();
  }
});
