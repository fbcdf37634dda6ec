import { join } from "node:path";
import { bundle } from "../scripts/bundle.ts";
import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { sampleFiles } from "../scripts/lib/sample-files.ts";
import { ADMIN_TOKEN, ask, createTeam } from "./ask.ts";
import { median } from "./median.ts";
import { startOnDisk } from "./start.ts";

const CASCADE = define({
  name: "bench:cascade",
  about: `Changes a theme that many messages use, and measures how long API calls wait meanwhile. Fails if
the median or the 99th percentile is more than 3 times that of the calls before the change, and 20 ms
more, or if a call takes more than 100 ms although none before the change took more than 50 ms.`,
  examples: [[""], ["--messages 5000 --large 100 --bytes 99000"], ["--quick", "the time of calls has no bound"]],
  options: {
    messages: { value: "n", default: "1000", about: "messages that use the theme; 100 with --quick" },
    large: { value: "n", default: "20", about: "how many of them are large; at most 2 with --quick" },
    bytes: { value: "n", default: "60000", about: "bytes of a large one" },
    quick: { about: "fewer messages; the time of calls has no bound" },
  },
});

type Sizes = { messages: number; large: number; bytes: number };

/** Applies only if no call before the change takes `QUIET_MS`. */
const LIMIT_MS = 100;
const QUIET_MS = 50;
const FACTOR = 3;
const MARGIN_MS = 20;
/** The limit of a team is 10 calls per second. */
const PACE_MS = 1_000 / 9;

const [OLD, NEW, OWN] = ["#a1b2c3", "#c3b2a1", "#123321"];

const start = async () =>
  startOnDisk({
    script: await bundle(join(import.meta.dirname, "worker.ts")),
    vars: { ADMIN_TOKEN, API_KEY_SECRET: "bench-key-secret", INBOX: "1" },
    objects: { WORKSPACE: "Workspace", INBOX_STORE: "Inbox", DIRECTORY: "Directory" },
  });

const newTeam = async (url: string) => {
  const call = await createTeam(url, "bench");
  return {
    get: (path: string) => call("GET", path),
    post: (path: string, body: object) => call("POST", path, body),
    rows: (query: string) => ask("GET", `${url}/bench?team=bench&query=${encodeURIComponent(query)}`, ""),
  };
};
type Team = Awaited<ReturnType<typeof newTeam>>;

const CARD =
  '<Section><H3>Title</H3><Paragraph>Hello {data.name}, <Strong>some words</Strong> and a <Link href="https://example.com/{data.id}">link</Link>.</Paragraph><Button href="https://example.com">Go</Button></Section>\n';

const documentOf = (i: number, theme: string, { large, bytes }: Sizes): string => {
  const style = `<Style themeId="${theme}"${i % 10 === 9 ? ` textLinkColor="${OWN}"` : ""} />\n`;
  const body = (sampleFiles[i % sampleFiles.length]?.lmx ?? "").replace(/<Style[^>]*>\n?/, "");
  const more = '<Paragraph><Link href="https://example.com">More</Link></Paragraph>\n';
  const cards = CARD.repeat(i < large ? Math.floor((bytes - body.length) / CARD.length) : 0);
  return style + body + more + cards;
};

/** Two thirds are published; half of these also have a draft. */
const write = async (team: Team, theme: string, sizes: Sizes): Promise<string> => {
  const one = async (i: number): Promise<string> => {
    const { id, draftEmailMessageId } = await team.post("/transactional-emails", { name: `Mail ${i}` });
    const fields = { subject: "Hello", fromName: "Acme", fromEmail: "hello", lmx: documentOf(i, theme, sizes) };
    await team.post(`/email-messages/${draftEmailMessageId}`, fields);
    if (i % 3 > 0) await team.post(`/transactional-emails/${id}/publish`, {});
    if (i % 6 === 1) await team.post(`/transactional-emails/${id}/draft`, {});
    return id;
  };
  let sent = "";
  const open = Array.from({ length: sizes.messages }, (_, i) => i);
  const lane = async () => {
    for (let i = open.shift(); i !== undefined; i = open.shift()) {
      const id = await one(i);
      if (i === 1) sent = id;
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
  return sent;
};

const callsUntil = async (team: Team, isDone: () => boolean): Promise<number[]> => {
  const calls = [
    (n: number) => team.post("/events/send", { userId: `u${n % 50}`, eventName: "opened", eventProperties: { n } }),
    (n: number) => team.get(`/contacts/find?userId=u${n % 50}`),
    (n: number) => team.post("/contacts/create", { email: `p${performance.now()}-${n}@example.com` }),
    () => team.get("/transactional-emails?perPage=20"),
  ];
  const times: number[] = [];
  const open: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; !isDone(); n++) {
    const due = began + n * PACE_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    // A late timer is a delay of this process, so the due time does not count.
    const sent = performance.now();
    const call = calls[n % calls.length] as (n: number) => Promise<unknown>;
    open.push(call(n).then(() => void times.push(performance.now() - sent)));
  }
  await Promise.all(open);
  return times;
};

const colors = async (team: Team): Promise<Record<string, number>> => {
  const has = (color: string) => `sum(instr(compiled, '${color}') > 0)`;
  const [row] = await team.rows(
    `SELECT count(*) AS "all", ${has(OLD)} AS old, ${has(NEW)} AS new, ${has(OWN)} AS own FROM message_revisions
     WHERE n IN (SELECT revision FROM email_messages UNION SELECT published FROM templates WHERE published IS NOT NULL)`,
  );
  return row;
};

const within = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

const shown = (times: readonly number[]): string => {
  const [most, longest] = [within(times, 0.99), within(times, 1)].map((ms) => ms.toFixed(1));
  return `${times.length} calls: median ${median(times).toFixed(1)} ms, 99 % in ${most} ms, longest ${longest} ms`;
};

const slownessOf = (before: readonly number[], during: readonly number[]): string[] => {
  const measures = { median, "99th percentile": (times: readonly number[]) => within(times, 0.99) };
  const compared = Object.entries(measures).flatMap(([name, of]) => {
    // The longest call, if there are fewer than 100.
    if (name !== "median" && during.length < 100) return [];
    const bound = FACTOR * of(before) + MARGIN_MS;
    return of(during) <= bound ? [] : [`The ${name} is more than ${bound.toFixed(1)} ms.`];
  });
  const isQuiet = Math.max(...before) <= QUIET_MS;
  if (!isQuiet) console.log(`A call before the change took more than ${QUIET_MS} ms: the longest call has no bound.`);
  const isLong = isQuiet && Math.max(...during) > LIMIT_MS;
  return [...compared, ...(isLong ? [`A call waited longer than ${LIMIT_MS} ms.`] : [])];
};

await runCommand(CASCADE, async ({ values: { quick, ...given } }) => {
  const messages = wholeNumber("messages", given.messages, { min: 10 });
  const large = wholeNumber("large", given.large);
  const bytes = wholeNumber("bytes", given.bytes, { min: 3_001, max: 99_999 });
  const sizes = quick ? { messages: 100, large: Math.min(large, 2), bytes } : { messages, large, bytes };
  const worker = await start();
  try {
    const team = await newTeam(worker.url);
    const { id: theme } = await team.post("/themes", { name: "Brand", styles: { textLinkColor: OLD } });
    const transactionalId = await write(team, theme, sizes);
    for (let n = 0; n < 50; n++) await team.post("/events/send", { userId: `u${n}`, eventName: "opened" });
    const { dataVariables } = await team.get(`/transactional-emails/${transactionalId}`);
    const values = Object.fromEntries((dataVariables as string[]).map((name) => [name, "https://example.com"]));
    await team.post("/transactional", { transactionalId, email: "ada@example.com", dataVariables: values });
    const sentNow = () => team.rows("SELECT r.n, r.compiled FROM sends s JOIN message_revisions r ON r.n = s.revision");
    const sentBefore = JSON.stringify(await sentNow());
    const before = await colors(team);

    const end = performance.now() + (quick ? 5_000 : 60_000);
    const baseline = await callsUntil(team, () => performance.now() > end);
    console.log(`before the change:      ${shown(baseline)}`);

    const began = performance.now();
    const { affectedEmailCount } = await team.post(`/themes/${theme}`, { styles: { textLinkColor: NEW } });
    const changeMs = performance.now() - began;
    let pending = affectedEmailCount as number;
    const watch = (async () => {
      while (pending > 0) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        pending = (await team.get(`/themes/${theme}`)).pendingEmailCount;
      }
    })();
    const during = await callsUntil(team, () => pending === 0);
    await watch;
    const seconds = (performance.now() - began) / 1_000;
    console.log(`while it is compiled:   ${shown(during)}`);
    console.log(
      `${affectedEmailCount} messages in ${seconds.toFixed(1)} s; the change itself was answered in ${changeMs.toFixed(1)} ms`,
    );

    const after = await colors(team);
    console.log(`colors before: ${JSON.stringify(before)}; after: ${JSON.stringify(after)}`);
    const faults = [
      ...(after.old === 0 && after.new === before.old ? [] : ["A message in use has not got the new color."]),
      ...(after.own === before.own && after.all === before.all ? [] : ["A message has lost a value of its own."]),
      ...(JSON.stringify(await sentNow()) === sentBefore ? [] : ["Mail that was accepted has changed."]),
      ...(quick ? [] : slownessOf(baseline, during)),
    ];
    for (const fault of faults) console.log(fault);
    return faults.length === 0;
  } finally {
    await worker.stop();
  }
});
