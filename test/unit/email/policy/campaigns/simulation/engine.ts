import type { FeedbackKind } from "../../../../../../src/email/types/feedback.ts";
import { findCampaign, type StoredCampaign } from "../../../../../../src/email/workspace/campaigns/campaign-rows.ts";
import {
  cancelCampaign,
  holdCampaign,
  pauseCampaign,
  resumeCampaign,
  retryUnknown,
  scheduleCampaign,
  startCampaign,
  unscheduleCampaign,
} from "../../../../../../src/email/workspace/campaigns/control.ts";
import { campaigns } from "../../../../../../src/email/workspace/campaigns/handlers.ts";
import { retryOf } from "../../../../../../src/email/workspace/campaigns/retry-unknown.ts";
import { emailMessages } from "../../../../../../src/email/workspace/content/email-messages.ts";
import type { Context } from "../../../../../../src/email/workspace/core/context.ts";
import { resume } from "../../../../../../src/email/workspace/operator/campaigns/handlers.ts";
import {
  findSegment,
  insertSegment,
  saveSegment,
} from "../../../../../../src/email/workspace/segments/segment-rows.ts";
import { applyFeedback } from "../../../../../../src/email/workspace/sending/results/feedback.ts";
import { acceptSend } from "../../../../../../src/email/workspace/sending/sends.ts";
import { updateTeam } from "../../../../../../src/email/workspace/team/team.ts";
import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import { createEngine as createWorkflows } from "../../workflows/simulation/engine.ts";
import type { ObjectWorld } from "../../workflows/simulation/object.ts";
import type { Answer } from "../../workflows/simulation/requests.ts";

const acts = {
  start: startCampaign,
  schedule: scheduleCampaign,
  unschedule: unscheduleCampaign,
  pause: pauseCampaign,
  resume: resumeCampaign,
  cancel: cancelCampaign,
};

export type Act = keyof typeof acts;

export type Limits = readonly [second: number | null, hour: number | null, day: number | null];

const CONTENT = { subject: "Hello", fromName: "T", fromEmail: "hello", lmx: "<Paragraph>Hello</Paragraph>" };

/** The fields of POST /v1/campaigns. */
export type Draft = {
  mailingListId?: string | null;
  audienceSegmentId?: string | null;
  audienceFilter?: AudienceFilter | null;
  scheduling?: { method: "now" } | { method: "schedule"; timestamp: number };
};

/** The Workspace and its Mailers, with requests about contacts, campaigns and workflows. */
export const createEngine = (world: ObjectWorld) => {
  const engine = createWorkflows(world);
  const { contextOf, run, sql, transaction } = engine;
  const campaignOf = (context: Context, id: string): StoredCampaign =>
    (findCampaign(context, id) as { campaign: StoredCampaign }).campaign;

  return {
    ...engine,
    campaign: (id: string) => campaignOf(contextOf(), id),
    addCampaign: (name: string, draft: Draft): Answer =>
      run((context) => {
        const answer = campaigns.create(context, { name, ...draft } as never) as Answer;
        const { emailMessageId } = (answer.body ?? {}) as { emailMessageId: string };
        if (emailMessageId) emailMessages.update(context, { emailMessageId, ...CONTENT } as never);
        return answer;
      }),
    editCampaign: (campaignId: string, changes: Draft): Answer =>
      run((context) => campaigns.update(context, { campaignId, ...changes } as never) as Answer),
    metrics: (campaignId: string) => campaigns.metrics(contextOf(), { campaignId } as never),
    act: (id: string, what: Act) =>
      run((context) => {
        acts[what](context, campaignOf(context, id));
      }),
    schedule: (id: string, confirmed: number | null) =>
      run((context) => scheduleCampaign(context, campaignOf(context, id), { confirmed, most: null })),
    resume: (id: string, expected?: number): Answer =>
      run(
        (context) =>
          resume(context, { campaignId: id, ...(expected === undefined ? {} : { expected }) } as never) as Answer,
      ),
    retryOf: (id: string) => retryOf(sql, { id }),
    retry: (id: string) => run((context) => retryUnknown(context, campaignOf(context, id))),
    hold: (id: string, reason: "bounce_rate" | "complaint_rate") =>
      run((context) => holdCampaign(context, campaignOf(context, id), reason)),
    limit: ([sendPerSecond, sendPerHour, sendPerDay]: Limits) =>
      run((context) => updateTeam(context, { sendPerSecond, sendPerHour, sendPerDay } as never)),
    accept: (count: number) =>
      run((context) => {
        const mail = { revision: 1, recipient: "t@example.com", values: {}, domain: "mail.example.com" };
        for (let i = 0; i < count; i += 1) acceptSend(context, mail);
      }),
    feedback: (n: number, kind: FeedbackKind) => {
      engine.event();
      const clock = { sql, now: world.now(), contentOf: () => undefined };
      transaction(() => applyFeedback(clock, "ses", { n, feedback: [{ kind, message: kind }] }));
      void engine.current().runs.campaigns().catch(world.failed);
    },
    addSegment: (name: string, filter: AudienceFilter): string =>
      run((context) => insertSegment(context, { name, description: null, filter }).id),
    editSegment: (id: string, filter: AudienceFilter) =>
      run((context) => {
        const row = findSegment(sql, id);
        if (row) saveSegment(context, row, { name: row.name, description: null, filter });
      }),
  };
};

export type Engine = ReturnType<typeof createEngine>;
