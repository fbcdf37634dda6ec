import type { ClaimedSend } from "../../../../../../src/email/types/mailer-rpc.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";
import type { Engine } from "./engine.ts";
import { gateOf } from "./people.ts";
import type { Play } from "./play.ts";
import type { Stored } from "./stored.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

type Post = {
  timeline: Timeline;
  random: Random;
  fail(what: string): void;
  tell(line: string): void;
  stored(): Pick<Stored, "contacts" | "suppressed">;
  engine(): Pick<Engine, "sql" | "hit">;
  most?(id: string): number;
};

type Passage = NonNullable<ReturnType<Engine["story"]>>["runs"][number];
type SendRow = { list: string | null; status: string | null };

/** Mails with a row, and claimed mails that have none yet. */
export const MAILS = `(SELECT n, id, origin, contact, state, error, settled_at, attempts, list FROM sends
  UNION ALL SELECT j.value->>'n', j.value->>'id', j.value->>'origin', j.value->>'contact', 'sending', NULL, NULL, 1, j.value->>'list'
    FROM mailer_claims c, json_each(c.mails) j WHERE NOT EXISTS (SELECT 1 FROM sends WHERE n = j.value->>'n'))`;

/** Checks mails at the claim and the handover. People open some of them. */
export const createPost = ({ timeline, random, fail, tell, stored, engine, most = () => 1 }: Post) => {
  const copies = new Map<string, number>();
  const passages = new Map<string, string>();
  const returned = new Set<string>();

  const claimed = (sends: readonly ClaimedSend[]): void => {
    if (sends.length === 0) return;
    const contacts = stored().contacts();
    const suppressed = stored().suppressed();
    for (const { n, id, recipient, marketing } of sends) {
      if (!marketing) continue;
      const { list, status } = engine()
        .sql.exec<SendRow>(
          `SELECT s.list, coalesce((SELECT w.status FROM workflows w WHERE w.id = s.origin AND w.deleted_at IS NULL),
             (SELECT iif(c.state IN ('sending', 'done'), 'Sending', c.state) FROM campaigns c WHERE c.id = s.origin)) AS status
           FROM ${MAILS} s WHERE s.n = ?`,
          n,
        )
        .one();
      if (status !== "Sending") fail(`${id} was claimed while its sender was ${status}`);
      const contact = contacts.get(marketing.contact.n);
      const why = !contact
        ? "deleted"
        : suppressed.includes(recipient)
          ? "suppressed"
          : contact.email !== recipient
            ? `reached at ${contact.email} by then`
            : gateOf(contact, list);
      if (why !== undefined) fail(`${id} to ${recipient} was claimed for a contact that was ${why}`);
    }
  };

  const withMailProvider = ({ n, id, marketing }: ClaimedSend): void => {
    const count = (copies.get(id) ?? 0) + 1;
    copies.set(id, count);
    tell(`mail ${id} leaves`);
    if (count > most(id)) fail(`${id} was sent ${count} times`);
    if (!marketing) return;
    const { contact, message, run } = marketing;
    const passage = `${message} ${contact.id} ${run}`;
    if ((passages.get(passage) ?? id) !== id) fail(`the mail ${passage} was sent as two sends`);
    passages.set(passage, id);
    if (!random.chance(0.4)) return;
    timeline.in(random.int(MINUTE, 2 * DAY), () => {
      const mail = { team: "t", send: n, contact: contact.n, message, run };
      engine().hit({ mail, link: random.int(0, 1), url: "https://example.com/", visitor: "human" });
    });
  };
  return { copies, returned, claimed, withMailProvider, most };
};

type Watched = Pick<Play, "now" | "fail" | "mailers"> & { engine: Pick<Engine, "sql" | "disk" | "current"> };

/** The alarm is set no later than the first task, unless it is at work. */
export const checkAlarm = ({ engine, now, fail, mailers }: Watched): void => {
  const { disk, sql } = engine;
  if (engine.current().isRinging()) return;
  const { at } = sql
    .exec<{ at: number | null }>(
      `SELECT min(at) AS at FROM (
         SELECT (SELECT min(wake) FROM runs WHERE workflow = n AND wake IS NOT NULL) AS at
           FROM workflows WHERE status = 'Sending' AND deleted_at IS NULL
         UNION ALL SELECT min(due) FROM sends WHERE ? AND class = 'marketing' AND state = 'queued' AND due < 1e14)`,
      mailers() > 0 ? 1 : 0,
    )
    .one();
  if (at === null) return;
  const opensAt = engine.current().sends.limits.opensAt("marketing", now());
  const alarm = disk.alarm();
  if (alarm === undefined || alarm > Math.max(at, opensAt, now()) + 1_000)
    fail(`the alarm is set for ${alarm}, and something is due at ${at}`);
};

/** Each state of a mail is true, and no mail waits without a reason. */
export const checkMails = (
  { engine, now, fail, mailers }: Pick<Play, "now" | "fail" | "mailers"> & { engine: Pick<Engine, "sql"> },
  { copies, returned, most }: ReturnType<typeof createPost>,
): void => {
  const rows = engine.sql
    .exec<{ id: string; state: string; due: number | null; status: string | null }>(
      "SELECT s.id, s.state, s.due, w.status FROM sends s LEFT JOIN workflows w ON w.id = s.origin",
    )
    .toArray();
  for (const { id, state, due } of rows) {
    const count = copies.get(id) ?? 0;
    if (state === "sent" && (count === 0 || count > most(id))) fail(`${id} is sent, and left ${count} times`);
    if (["queued", "not_sent", "failed", "bounced"].includes(state) && count > most(id) - 1 && !returned.has(id))
      fail(`${id} is ${state}, and has left`);
    if (state === "queued" && mailers() > 0 && due !== null && due < now() - 10 * MINUTE)
      fail(`${id} is due and was not claimed`);
    if (state === "sending" && mailers() > 0 && due !== null && due < now() - 10 * MINUTE)
      fail(`${id} is still being sent`);
  }
};

const checkStory = ({ stored, check, now, fail }: Play, key: string, story: Passage): void => {
  const { lines, code, text } = story;
  const run = check.state().runs[key];
  if (!run || stored.pending().has(key)) return;
  const [contact, workflow, seq] = key.split(" ").map(Number);
  const queued = lines.filter((line) => line.text.startsWith("Queued ")).length;
  const mails = stored.mailsOf(contact ?? 0, workflow ?? 0, seq ?? 0);
  // The path of a run is deleted 30 days after its end. The clock may have jumped back since.
  const hasPath = run.ended === null || run.since > now() - 28 * DAY;
  if (hasPath && queued !== mails) fail(`the story of run ${key} has ${queued} mails, the ledger ${mails}`);
  if (code !== (run.ended ?? (run.path.length === 0 ? "queued" : "waits")))
    fail(`the story of run ${key} ends with ${code}, the model with ${run.ended}`);
  if (code !== "waits") return;
  const wake = run.wake ?? 0;
  const when =
    wake <= now() ? " is due" : `is due at ${new Date(wake).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
  if (!text.includes(when)) fail(`run ${key} waits until ${wake}, and its story says "${text}"`);
};

/** Every passage is explained by true sentences, with reasons for its end and each mail. */
export const checkStories = (play: Play): void => {
  const { engine, stored, fail } = play;
  const contacts = [...stored.contacts().keys()];
  for (const { n, id } of stored.workflows())
    for (const contact of contacts) {
      const story = engine.story(id, contact);
      for (const run of story?.runs ?? []) checkStory(play, `${contact} ${n} ${run.run}`, run);
      for (const { lines, code, text } of story?.runs ?? [])
        for (const said of [text, ...lines.map((line) => line.text)])
          if (!/^[A-Z"].{10,}\.$/s.test(said) || said.includes("not known") || said.includes("undefined"))
            fail(`contact ${contact} in ${id} (${code}) is explained as "${said}"`);
      if (story && !/^[A-Z"].{10,}\.$/s.test(story.entry.text)) fail(`an entry is explained as "${story.entry.text}"`);
    }
};
