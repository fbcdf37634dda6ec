import { awake, freeInspectorPort, type Inspector, inspect } from "../inspector.ts";
import type { Figure } from "../outbox/report.ts";
import type { Sink } from "./start.ts";
import { withSender } from "./throughput.ts";

/** Chrome DevTools Protocol. */
type Frame = { functionName: string; url: string; lineNumber: number };
type Profile = {
  nodes: { id: number; callFrame: Frame; children?: number[] }[];
  samples: number[];
  /** Microseconds since the previous sample. */
  timeDeltas: number[];
};

/** Microseconds. */
const INTERVAL = 250;
const LEAST = 0.005;

const profiler = async ({ call }: Inspector) => {
  await call("Profiler.enable");
  await call("Profiler.setSamplingInterval", { interval: INTERVAL });
  return {
    start: () => call("Profiler.start"),
    stop: async (): Promise<Profile> => {
      const { profile } = await call<{ profile: Profile }>("Profiler.stop");
      return profile;
    },
  };
};

const NATIVE: Readonly<Record<string, string>> = {
  "(idle)": "idle",
  "(program)": "the runtime: sockets, calls between objects",
  "(garbage collector)": "garbage",
  exec: "SQLite",
  transactionSync: "SQLite",
  setTimeout: "timers",
  clearTimeout: "timers",
};

/** The first matching path prefix wins. */
const FILES: readonly (readonly [path: string, part: string])[] = [
  ["src/email/mail/mime/dkim/", "DKIM signature"],
  ["src/email/mail/mime/", "MIME form"],
  ["src/email/delivery/senders/smtp/data.ts", "SMTP: dots and line ends"],
  ["src/email/delivery/senders/smtp/", "SMTP session"],
  ["src/email/delivery/senders/", "SMTP session"],
  ["src/lib/lmx/", "filling the template"],
  ["src/email/delivery/mailer/compose-mail.ts", "filling the template"],
  ["src/email/delivery/mailer/", "Mailer"],
  ["src/email/objects/", "Mailer"],
  ["src/email/mail/bounces/", "signed links and return paths"],
  ["src/email/mail/links/", "signed links and return paths"],
  ["src/email/mail/tracking/", "signed links and return paths"],
  ["src/lib/seal.ts", "signed links and return paths"],
  ["src/lib/util/hmac.ts", "signed links and return paths"],
  ["src/email/workspace/campaigns/", "campaign"],
  ["src/email/workspace/", "Workspace"],
  ["node_modules/zod", "checks of addresses"],
];

/** esbuild writes a path comment before each file. */
const filesOf = (script: string): string[] => {
  let file = "";
  return script.split("\n").map((line) => {
    file = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(line)?.[1] ?? file;
    return file;
  });
};

/** Idle time is excluded. */
const shares = (profile: Profile, script: string): [part: string, share: number][] => {
  const files = filesOf(script);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const partOf = ({ functionName, url, lineNumber }: Frame): string | undefined =>
    url === "" ? NATIVE[functionName] : FILES.find(([path]) => files[lineNumber]?.includes(path))?.[1];
  const times = new Map<string, number>();
  profile.samples.forEach((sample, n) => {
    let part: string | undefined;
    for (let at: number | undefined = sample; at !== undefined && part === undefined; at = parents.get(at)) {
      const frame = nodes.get(at)?.callFrame;
      part = frame && partOf(frame);
    }
    times.set(part ?? "other", (times.get(part ?? "other") ?? 0) + (profile.timeDeltas[n] ?? 0));
  });
  times.delete("idle");
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([part, time]): [string, number] => [part, time / total]).sort((a, b) => b[1] - a[1]);
};

/** Returns CPU time shares of a Worker while `work` runs. */
export const profileDuring = async (port: number, script: string, work: () => Promise<unknown>): Promise<Figure[]> => {
  const inspector = await inspect(port);
  const { start, stop } = await profiler(inspector);
  await start();
  await work();
  const profile = await stop();
  inspector.close();
  const found = shares(profile, script).filter(([, share]) => share >= LEAST);
  return found.map(([part, share]) => ({ what: part, value: `${(share * 100).toFixed(1)} %` }));
};

/** Ms per call, from samples. */
const callsOf = ({ nodes, samples, timeDeltas }: Profile, name: string): number[] => {
  const within = new Set<number>();
  const frames = new Map(nodes.map((node) => [node.id, node]));
  const add = (id: number): void => {
    within.add(id);
    for (const child of frames.get(id)?.children ?? []) add(child);
  };
  for (const { id, callFrame } of nodes) if (callFrame.functionName === name) add(id);
  const calls: number[] = [];
  samples.forEach((sample, n) => {
    if (!within.has(sample)) return;
    const isNew = !within.has(samples[n - 1] ?? -1);
    const took = (timeDeltas[n] ?? 0) / 1_000;
    if (isNew) calls.push(took);
    else calls.push((calls.pop() ?? 0) + took);
  });
  return calls;
};

type Profiled = { inspector: Inspector; url: string };

/** Returns the ms of each call of a function while `work` runs. */
export const callsDuring = async ({ inspector, url }: Profiled, name: string, work: () => Promise<unknown>) => {
  const { start, stop } = await awake(url, profiler(inspector));
  await awake(url, start());
  await work();
  return callsOf(await awake(url, stop()), name);
};

/** Profiles a Worker with 4 Mailers while it sends mails. */
export const profileOf = async (sink: Sink, mails: number, isSigned: boolean): Promise<Figure[]> => {
  const inspectorPort = freeInspectorPort();
  return withSender(sink, { mailers: 4, isSigned, inspectorPort }, mails, (run, { script }) =>
    profileDuring(inspectorPort, script, () => run(mails)),
  );
};
