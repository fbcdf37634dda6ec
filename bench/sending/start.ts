import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { startResolver } from "../../test/dns/stand-in.ts";
import { ADMIN_TOKEN } from "../ask.ts";
import { cpuSeconds } from "../cpu.ts";
import { startOnDisk } from "../start.ts";
import type { Arrived, FromSink } from "./sink.ts";

const here = (file: string): string => join(import.meta.dirname, file);

/** `delay`: ms until the SMTP server has taken a mail. */
export const startSink = async (delay = 0) => {
  const child: ChildProcess = fork(here("sink.ts"), [String(delay)]);
  const [first] = (await once(child, "message")) as [FromSink];
  const urgent = new Map<string, number>();
  let answered: (arrived: Arrived) => void = () => {};
  child.on("message", (message: FromSink) => {
    if ("urgent" in message) urgent.set(message.urgent, message.at);
    if ("arrived" in message) answered(message.arrived);
  });
  const ask = (question: "arrived" | "drop") =>
    new Promise<Arrived>((resolve) => {
      answered = resolve;
      child.send(question);
    });
  return {
    port: "port" in first ? first.port : 0,
    arrived: () => ask("arrived"),
    drop: () => ask("drop"),
    /** Seconds. */
    cpu: () => cpuSeconds(child.pid),
    urgent,
    stop: () => child.disconnect(),
  };
};
export type Sink = Awaited<ReturnType<typeof startSink>>;

/** `memory`: no database writes. `worker`: a file that replaces worker.ts. */
export type How = {
  mailers: number;
  isSigned: boolean;
  memory?: boolean;
  inspectorPort?: number | undefined;
  worker?: string;
};

export const startSender = async (sink: Sink, how: How) => {
  const { mailers, isSigned, memory = false, inspectorPort, worker: file = here("worker.ts") } = how;
  const alias = {
    ...(isSigned ? {} : { "../delivery/mailer/sign.ts": here("unsigned.ts") }),
    ...(memory ? { "../delivery/mailer/note.ts": here("not-noted.ts") } : {}),
  };
  const dns = await startResolver();
  const script = await bundle(file, alias);
  const worker = await startOnDisk({
    script,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    vars: {
      ADMIN_TOKEN,
      API_KEY_SECRET: "bench-key-secret",
      DKIM_KEY_SECRET: "bench-dkim-secret",
      TRANSACTIONAL_SENDER: "smtp",
      MARKETING_SENDER: "smtp",
      MAILERS: `2,${mailers}`,
      PUBLIC_URL: "https://mail.acme.example",
      DNS_OVER_HTTPS_URL: dns.url,
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
    },
    objects: {
      WORKSPACE: memory ? "Memory" : "Workspace",
      MAILER: "Mailer",
      INBOX_STORE: "Inbox",
      DIRECTORY: "Directory",
    },
  });
  const stop = async () => {
    await worker.stop();
    await dns.stop();
  };
  return { ...worker, script, dns, stop };
};
export type Running = Awaited<ReturnType<typeof startSender>>;
