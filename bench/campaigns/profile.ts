import { freeInspectorPort } from "../inspector.ts";
import { type Figure, until } from "../outbox/report.ts";
import { profileDuring } from "../sending/profile.ts";
import type { Sink } from "../sending/start.ts";
import { startTeam } from "./team.ts";

export const profile = async (sink: Sink, recipients: number): Promise<Figure[]> => {
  const inspectorPort = freeInspectorPort();
  const team = await startTeam(sink, { isSigned: false, inspectorPort }, recipients);
  try {
    const campaign = await team.newCampaign();
    await sink.drop();
    return await profileDuring(inspectorPort, team.worker.script, async () => {
      await campaign.send(recipients);
      await until("all mails arrive", async () => (await sink.arrived()).mails === recipients, 300_000);
    });
  } finally {
    await team.worker.stop();
  }
};
