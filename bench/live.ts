import { parseArgs } from "node:util";
import { buildPage } from "../scripts/dashboard/page.ts";
import { keepStateInMemory } from "../scripts/lib/memory.ts";
import { launchBrowser } from "../test/browser/browser.ts";
import { campaign } from "./live/campaign.ts";
import { startTeam } from "./live/team.ts";
import { numberOf, runParts } from "./parts.ts";
import { startSink } from "./sending/start.ts";

const HELP = `Opens pages of the dashboard in Chromium while much goes on, and measures their requests and the memory of their tab. The three Workers
run in local workerd; mails go to an SMTP server on the loopback network. The time of a request is that of the whole way through the
dashboard Worker. Its bound is for the slowest answer, and from eleven answers on for the second slowest. Needs Chromium.

  npm run dashboard:live                       all of it
  npm run dashboard:live -- --quick            a tenth of it, without bounds
  npm run dashboard:live -- --only campaign --recipients 20000`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    recipients: { type: "string" },
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const main = async (): Promise<boolean> => {
  const { quick } = values;
  const range = { min: 100, max: 1_000_000 };
  const recipients = numberOf("--recipients", values.recipients ?? (quick ? "10000" : "100000"), range);
  keepStateInMemory();
  await buildPage();
  const sink = await startSink();
  const browser = await launchBrowser();
  const team = await startTeam(sink);
  try {
    await team.addContacts(1, recipients);
    return await runParts({ campaign: () => campaign(team, browser, recipients) }, { only: values.only, quick });
  } finally {
    await browser.close();
    await team.stop();
    sink.stop();
  }
};

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
