import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { DAY_MS } from "../../../../lib/util/dates.ts";
import { findCampaign } from "../../campaigns/campaign-rows.ts";
import type { Context } from "../../core/context.ts";
import { UNKNOWN_SINCE } from "../../core/end-mail-sql.ts";
import { sizeOf, sizeWarning } from "../../core/size.ts";
import { readDomains } from "../../domains/domain-rows.ts";
import { marketingObstacles } from "../../domains/obstacles.ts";
import { sendingDomainOf } from "../../domains/sending-domain.ts";
import { listLimits } from "../../limits/handlers.ts";
import { openWaves, waveId } from "../../waves/wave-rows.ts";
import { waveInWords } from "../../waves/wave-words.ts";
import { readEndpoints } from "../../webhooks/endpoints.ts";
import { waitingOf } from "../campaigns/waiting.ts";

type Attention = Response<AdminContract["overview"]["get"]>["attention"];

/** Held campaigns with their reasons. */
const MOST_CAMPAIGNS = 20;
const MOST_MAILS = 1_000;
const MOST_WAVES = 20;
/** Unknown mails older than a day that are looked at, newest first: each touch reads them. */
const MOST_OLD = 200;

/** Lists all that needs a person, most urgent first. `isMarketing`: a campaign or workflow sends. `held`: most campaigns. */
export const attentionOf = (context: Context, isMarketing: boolean, held = MOST_CAMPAIGNS): Attention => [
  ...storage(context),
  ...domains(context),
  ...(isMarketing ? marketing(context) : []),
  ...senders(context),
  ...campaignsToResume(context, held),
  ...wavesToDecide(context),
  ...unknownMails(context),
  ...disabledWebhooks(context),
];

const storage = (context: Context): Attention => {
  const text = sizeWarning(sizeOf(context));
  return text === undefined ? [] : [{ kind: "storage_filling", text, ids: {} }];
};

const domains = (context: Context): Attention => {
  const found = readDomains(context.sql).flatMap(({ id, name, state }): Attention => {
    const ids = { domain: id };
    switch (state) {
      case "pending":
        return [{ kind: "domain_pending", ids, text: `The sending domain ${name} is not verified yet.` }];
      case "warning":
        return [
          {
            kind: "domain_broken",
            ids,
            text: `The sending domain ${name} has lost DNS records that it needs. Mail still leaves for a day after that.`,
          },
        ];
      case "failing":
        return [
          {
            kind: "domain_broken",
            ids,
            text: `The sending domain ${name} has lost DNS records that it needs. No mail is sent from it.`,
          },
        ];
      default:
        return [];
    }
  });
  const sending = sendingDomainOf(context, "transactional");
  const isMissing = "refusal" in sending && found.length === 0;
  const text = "This team has no domain to send from, so no mail of it is accepted. Add one, and set its DNS records.";
  return isMissing ? [{ kind: "domain_missing", ids: {}, text }] : found;
};

const marketing = (context: Context): Attention =>
  marketingObstacles(context)
    .filter(({ code }) => code === "mail_cannot_leave")
    .map(({ message }) => ({ kind: "sender_not_ready", text: message, ids: {} }));

const senders = (context: Context): Attention =>
  listLimits(context).body.breakers.map(({ meaning }) => ({ kind: "sender_failing", text: `${meaning}.`, ids: {} }));

const campaignsToResume = (context: Context, limit: number): Attention =>
  context.sql
    .exec<{ id: string; name: string }>(
      "SELECT id, name FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND state = 'held' ORDER BY n DESC LIMIT ?",
      limit,
    )
    .toArray()
    .map(({ id, name }, index) => {
      const found = index < MOST_CAMPAIGNS ? findCampaign(context, id) : undefined;
      const why = found && "campaign" in found ? waitingOf(context, found.campaign).map(({ message }) => message) : [];
      const text = [`The campaign "${name}" is held.`, ...why].join(" ");
      return { kind: "campaign_held", text, ids: { campaign: id } };
    });

/** Held campaigns name their waves. */
const wavesToDecide = ({ sql }: Context): Attention =>
  openWaves(sql, MOST_WAVES)
    .filter(
      ({ n }) =>
        sql.exec("SELECT 1 FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND wave = ? LIMIT 1", n).toArray()
          .length === 0,
    )
    .map((wave) => {
      const text = `${waveInWords(wave)} Campaigns and workflows send nothing there until you decide about them.`;
      return { kind: "bounce_wave", text, ids: { wave: waveId(wave.n) } };
    });

/** Counts by the time they became unknown, such as after 24 hours with a Mailer. A send limit may delay an old mail. */
const unknownMails = ({ sql, now }: Context): Attention => {
  const since = now - DAY_MS;
  const { young, old } = sql
    .exec<{ young: number; old: number }>(
      `SELECT
         (SELECT count(*) FROM (SELECT 1 FROM sends WHERE state = 'unknown' AND n >= ?1 AND preview = 0 LIMIT ${MOST_MAILS})) AS young,
         (SELECT count(*) FROM (SELECT n, settled_at FROM sends WHERE state = 'unknown' AND n < ?1 AND preview = 0
            ORDER BY n DESC LIMIT ${MOST_OLD}) s WHERE coalesce(settled_at, ?2) >= ?2 AND ${UNKNOWN_SINCE} >= ?2) AS old`,
      since * 1_000,
      since,
    )
    .one();
  const count = young + old;
  if (count === 0) return [];
  const isMore = young === MOST_MAILS || old === MOST_OLD;
  const mails = count === 1 ? "1 mail" : `${isMore ? `${count} or more` : count} mails`;
  const text = `The result of ${mails} became unknown in the last 24 hours. Find out if they arrived, and send again those that did not.`;
  return [{ kind: "unknown_mails", text, ids: {} }];
};

const disabledWebhooks = ({ sql }: Context): Attention =>
  readEndpoints(sql)
    .filter(({ disabled_reason: reason }) => reason === "gone" || reason === "failing")
    .map(({ id, url, disabled_reason: reason }) => {
      const why = reason === "gone" ? "it answered 410" : "it had no success for too long";
      const text = `The outgoing webhook ${url} is disabled, because ${why}. Fix it, and enable it again.`;
      return { kind: "webhook_disabled", text, ids: { webhook: id } };
    });
