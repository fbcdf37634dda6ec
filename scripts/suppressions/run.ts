import type { AdminContract } from "../../src/lib/contract/admin/email.ts";
import { askToEnd } from "../../src/lib/contract/admin/to-end.ts";
import type { Response } from "../../src/lib/contract/operation.ts";
import { count, onOneLine, UsageError } from "../lib/cli.ts";
import type { Line } from "../lib/command.ts";
import { timeText } from "../lib/formats.ts";
import type { Admin } from "../lib/team-service.ts";
import type { SUPPRESSIONS } from "./usage.ts";

type Listed = Response<AdminContract["waves"]["list"]>;
type Wave = Listed["data"][number];
type Lifted = Response<AdminContract["suppressions"]["lift"]>;
type Asked = Pick<Line<typeof SUPPRESSIONS>, "args" | "values"> & { admin: Admin };

const DECISIONS = ["resend", "suppress", "keep"];

const waveText = (wave: Wave): string => {
  const { id, since, mails, meaning, campaigns, decision } = onOneLine(wave);
  return [
    `${id}  since ${timeText(since)}, ${count(mails, "mail")}`,
    `  ${meaning}`,
    ...campaigns.map((campaign) => `  It holds the campaign ${campaign.name} (${campaign.id}).`),
    ...(decision === null
      ? [`  npm run suppressions -- decide ${id} resend   (they are good; or: suppress, keep)`]
      : []),
  ].join("\n");
};

const ACTIONS: Readonly<Record<Line<typeof SUPPRESSIONS>["command"], (asked: Asked) => Promise<string>>> = {
  async waves({ admin, values }) {
    const waves: Wave[] = [];
    const last = await askToEnd(
      ({ cursor }) => admin<Listed>("GET", `waves?perPage=50${cursor === undefined ? "" : `&cursor=${cursor}`}`),
      ({ data }) => waves.push(...data),
    );
    waves.push(...last.data);
    if (values.json) return JSON.stringify(waves, null, 2);
    return waves.length === 0 ? "There was no wave in the last 30 days." : waves.map(waveText).join("\n\n");
  },
  async decide({ admin, args: [wave = "", decision = ""], values }) {
    if (!DECISIONS.includes(decision))
      throw new UsageError(`decide ${wave} ${decision}: expected one of ${DECISIONS.join(", ")}.`);
    const answer = await admin<Wave>("POST", `waves/${encodeURIComponent(wave)}/decide`, { decision });
    return values.json ? JSON.stringify(answer, null, 2) : onOneLine(answer).meaning;
  },
  async lift({ admin, values }) {
    const { q, reason, cause, destination, since, until, yes } = values;
    const filters = { q, reason, cause, destination, since, until };
    let lifted = 0;
    const last = await askToEnd(
      (more) => admin<Lifted>("POST", "suppressions/lift", { ...filters, dryRun: !yes, ...more }),
      (part) => {
        lifted += part.lifted;
      },
    );
    lifted += last.lifted;
    if (values.json) return JSON.stringify({ dryRun: !yes, lifted }, null, 2);
    if (yes) return `${count(lifted, "suppression")} removed: mail to these addresses is sent again.`;
    const what = `${count(lifted, "suppression")} would be removed.`;
    return lifted === 0 ? "No suppression fits." : `${what} To remove them, add --yes.`;
  },
};

/** Returns the text to print. Throws with a remedy. */
export const run = ({ command, args, values }: Line<typeof SUPPRESSIONS>, admin: Admin): Promise<string> =>
  ACTIONS[command]({ args, values, admin });
