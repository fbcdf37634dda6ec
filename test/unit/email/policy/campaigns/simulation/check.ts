import type { ClaimedSend } from "../../../../../../src/email/types/mailer-rpc.ts";
import type { Retry } from "../../../../../../src/email/workspace/campaigns/retry-unknown.ts";
import { gateOf } from "../../workflows/simulation/people.ts";
import { countsOf, holdsOf } from "./counts.ts";
import { withClaims } from "./limits.ts";
import { begin, emptyModel, isFor, type ModelCampaign, type ModelState, moveTo } from "./model.ts";
import { mayBeHeld, type Refused, wrongFailure } from "./refusals.ts";
import { sizes } from "./sizes.ts";
import type { CampaignRow, Counts, RecipientRow, SendRow, Stored } from "./stored.ts";

const MINUTE = 60_000;

/** The state of a mail only goes up, but an unknown outcome may be sent again. */
const RANKS: Readonly<Record<string, number>> = {
  queued: 0,
  sending: 0,
  unknown: 0,
  not_sent: 1,
  sent: 1,
  delivered: 2,
  failed: 3,
  bounced: 4,
  complained: 5,
};

export type Checked = {
  stored: Stored;
  now(): number;
  fail(what: string): void;
  tell(line: string): void;
  durable(): Promise<void>;
  shown(id: string): Counts;
  retryOf(id: string): Retry | undefined;
  returned: ReadonlySet<string>;
  back(): number;
};

export const createCheck = ({ stored, now, fail, tell, durable, shown, retryOf, returned, back }: Checked) => {
  let state: ModelState = emptyModel();
  let safe = structuredClone(state);
  const places = new Map<number, string>();

  const judge = (campaign: ModelCampaign, row: CampaignRow): void => {
    const to = Math.min(row.snapshotCursor, campaign.last ?? 0);
    if (to < campaign.cursor) fail(`${row.id} reads contacts again, from ${to}`);
    if (to === campaign.cursor) return;
    const messagesOf = stored.messagesOf();
    for (const contact of stored.contacts().values()) {
      if (contact.n <= campaign.cursor || contact.n > to || campaign.recipients.includes(contact.n)) continue;
      if (isFor(campaign, contact, stored.activityOf(contact.n), messagesOf)) campaign.recipients.push(contact.n);
    }
    campaign.cursor = to;
  };

  const compareRecipients = (campaign: ModelCampaign, rows: readonly RecipientRow[]): void => {
    const found = rows.map(({ contact }) => contact).join();
    const wanted = [...campaign.recipients].sort((a, b) => a - b).join();
    if (found !== wanted) fail(`${campaign.id} has the recipients ${found}, and the model ${wanted}`);
  };

  const retried = (campaign: ModelCampaign, mails: readonly SendRow[], refused: () => Refused): number => {
    const before = campaign.asked.length;
    for (const mail of mails) {
      const { id, state: now } = mail;
      const before = state.mails[id];
      const wrong = now === "failed" && before !== now ? wrongFailure(refused(), mail) : undefined;
      if (wrong !== undefined) fail(wrong);
      if ((RANKS[now] ?? 0) < (RANKS[before ?? now] ?? 0)) fail(`${id} was ${before}, and is ${now} again`);
      const isAgain = before === "unknown" && (now === "queued" || now === "sending");
      if (isAgain) {
        if (!campaign.asked.includes(id)) fail(`${id} is sent again, and no person asked for it`);
        campaign.asked = campaign.asked.filter((one) => one !== id);
        state.again[id] = (state.again[id] ?? 0) + 1;
      }
      if (now === "unknown") state.unclear[id] = true;
      if (now === "not_sent" && state.unclear[id]) fail(`${id} was unknown, and is not_sent`);
      state.mails[id] = now;
    }
    return before - campaign.asked.length;
  };

  const stillWanted = ({ wanted, asked }: ModelCampaign, { list }: CampaignRow, mails: readonly SendRow[]) => {
    if (wanted.length === 0) return [];
    const [contacts, suppressed] = [stored.contacts(), stored.suppressed()];
    const unknown = new Map(mails.flatMap((mail) => (mail.state === "unknown" ? [[mail.id, mail.contact]] : [])));
    return wanted.filter(({ id, contact }) => {
      const one = contacts.get(contact ?? 0);
      if (!asked.includes(id) || !one?.email || unknown.get(id) !== contact) return false;
      return gateOf(one, list) === undefined && !suppressed.includes(one.email);
    });
  };

  const retrying = (campaign: ModelCampaign, row: CampaignRow, mails: readonly SendRow[], again: number): void => {
    campaign.retried += again;
    campaign.wanted = stillWanted(campaign, row, mails);
    if (row.pass === "retry") return;
    if (campaign.wanted.length > 0 && row.state !== "cancelled")
      fail(`${row.id} has not sent ${campaign.wanted.map(({ id }) => id).join()} again`);
    campaign.wanted = [];
    const { unknown: asked = 0, retried: told = 0, leftOut = {} } = retryOf(row.id) ?? {};
    const left = Object.values(leftOut).reduce((sum, many) => sum + many, 0);
    if (told !== campaign.retried || told + left > asked)
      fail(`${row.id} sent ${campaign.retried} of ${asked} mails again, and says ${told}, and ${left} left out`);
  };

  const skipped = ({ id, n, list }: CampaignRow, rows: readonly RecipientRow[], mails: readonly SendRow[]): void => {
    const suppressed = stored.suppressed();
    for (const { contact, state: now, reason } of rows) {
      const key = `${n} ${contact}`;
      if (now !== "skipped" || state.skipped[key]) continue;
      state.skipped[key] = true;
      const one = stored.contacts().get(contact);
      if (!one || one.email === null || mails.some((mail) => mail.contact === contact)) continue;
      if (gateOf(one, list) === undefined && !suppressed.includes(one.email))
        fail(`${id} skips contact ${contact} (${reason}), which may get mail`);
    }
  };

  const compare = (campaign: ModelCampaign, row: CampaignRow): void => {
    const before = `${campaign.status} ${campaign.state}`;
    const mails = stored.mailsOfCampaign(row.id);
    const isClearing = row.pass === "cancel" && (campaign.state !== "cancelled" || row.maxContact === null);
    if (isClearing && mails.length > 0) fail(`${row.id} has mails, and its recipients are deleted`);
    const recipients = isClearing ? [] : stored.recipients(row.n);
    const counts = countsOf(campaign, recipients, mails, returned);
    const open = counts.queued + counts.inLedger;
    const refused = (): Refused => ({
      campaign,
      mails,
      open,
      unclear: state.unclear,
      back: back(),
      refusals: stored.refusalsOf(row.id),
      retried: stored.retriedOf(row.id),
    });
    const again = retried(campaign, mails, refused);
    retrying(campaign, row, mails, again);
    skipped(row, recipients, mails);
    const began = campaign.status === "Scheduled" && row.status === "Sending";
    const late = now() - (campaign.scheduledAt ?? now());
    const isEarly = began ? begin(campaign, row, late, stored.lastContact()) : undefined;
    const place = `${row.snapshotCursor} ${row.claimedCursor}`;
    // A resumed campaign may give mails to Mailers in the same event.
    const isMoving = [campaign.state, row.state].some((state) => state === "snapshot" || state === "sending");
    if (campaign.status === "Draft") places.set(row.n, "0 0");
    if (!isMoving && places.has(row.n) && places.get(row.n) !== place) fail(`${row.id} moved while it was ${before}`);
    places.set(row.n, place);
    if (campaign.state === "snapshot") judge(campaign, row);
    const isRefused = row.reason === "sender_refuses" && campaign.reason !== row.reason;
    const isHeld = isRefused && mayBeHeld(refused());
    const holds = [...holdsOf(mails), ...(isHeld ? ["sender_refuses"] : [])];
    const wrong = isEarly ?? moveTo(campaign, row, { open, holds, again: again > 0 });
    if (wrong !== undefined) fail(`${row.id}: ${wrong}`);
    const after = `${campaign.status} ${campaign.state}`;
    if (before === "Sent done" && campaign.status === "Sending")
      Object.assign(campaign, { resumedAt: now(), isAgain: true });
    if (before !== after) tell(`${row.id} is ${after} ${campaign.reason ?? ""}`);
    if (row.reason === "more_recipients" && mails.length > 0) fail(`${row.id} is held at its start, and has mails`);
    compareRecipients(campaign, recipients);
    const window = mails.filter(({ isFirst }) => isFirst === 1).length;
    if (window > sizes.window) fail(`${row.id} has ${window} mails in the ledger`);
    const own = JSON.stringify(shown(row.id));
    if (own !== JSON.stringify(counts)) fail(`${row.id} counts ${own}, and its rows are ${JSON.stringify(counts)}`);
  };

  const check = (): void => {
    for (const row of stored.campaigns()) {
      const campaign = state.campaigns[row.n];
      if (campaign) compare(campaign, row);
      else fail(`${row.id} should not exist`);
    }
    const snapshot = structuredClone(state);
    void durable().then(() => {
      safe = snapshot;
    });
  };

  const claimed = (sends: readonly ClaimedSend[]): void => {
    const { model, wrong } = withClaims(state.limits, sends, now());
    state.limits = model;
    if (wrong !== undefined) fail(wrong);
    const hasLimit = model.limits.some((limit) => limit !== null);
    if (!hasLimit || !stored.originsOf(sends.map(({ n }) => n)).some((origin) => origin.startsWith("cmp_"))) return;
    const passed = stored.waitingOfWorkflows(now());
    if (passed.length > 0) fail(`mail of a campaign was claimed before ${passed.join()} of a workflow`);
  };

  return {
    state: () => state,
    check,
    claimed,
    crashed: () => {
      state = structuredClone(safe);
      places.clear();
      check();
    },
    late: (since: number): void => {
      for (const { id, status, scheduledAt } of Object.values(state.campaigns))
        if (status === "Scheduled" && now() - Math.max(since, scheduledAt ?? now()) > MINUTE)
          fail(`${id} has not begun`);
    },
  };
};

export type Check = ReturnType<typeof createCheck>;
