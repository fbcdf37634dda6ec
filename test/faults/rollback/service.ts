import { join, relative } from "node:path";
import { startResolver, type Zone } from "../../dns/stand-in.ts";
import { createMailProvider } from "../../mail-provider/relay.ts";
import { listen } from "../../mail-provider/tcp.ts";
import { type Entry, type simulated, startSimulated, type WorkerName } from "../../platform/simulated.ts";
import { secrets } from "../../system/mailspan.ts";
import type { Order, Starts, Version } from "./orders.ts";
import { startReceiver } from "./receiver.ts";

const root = join(import.meta.dirname, "../../..");
const platform = join(root, "test/platform");
const pathTo = (file: string): string => JSON.stringify(relative(platform, file).replace(/^(?!\.)/, "./"));

/** A Worker with the code of two versions. */
export const bothVersions =
  (previous: string): Entry =>
  ({ main, durable_objects }) => {
    const classes = durable_objects.bindings.map(({ class_name: name }) => {
      const of = (version: string) => (name === "Workspace" ? `watched(${version}.${name})` : `${version}.${name}`);
      return `export const ${name} = either("${name}", ${of("older")}, ${of("newer")});`;
    });
    return `import older_, * as older from ${pathTo(join(previous, relative(root, main)))};
import newer_, * as newer from ${pathTo(main)};
import { either, eitherHandler, watched } from ${pathTo(join(import.meta.dirname, "either.ts"))};
${classes.join("\n")}
const handler = eitherHandler(older_, newer_);`;
  };

type Workers = Awaited<ReturnType<typeof startSimulated>>;
/** Functions that give objects of a Worker a version and reset them, and that count starts. */
export const deployments = (workers: Pick<Workers, "url" | "die">, worker: WorkerName) => {
  const ask = async (order?: Order): Promise<Starts> => {
    const request = order && { method: "POST", body: JSON.stringify(order) };
    return (await (await fetch(`${workers.url(worker)}/__versions`, request)).json()) as Starts;
  };
  return {
    starts: () => ask(),
    deploy: async (version: Version, objects: Order["objects"]): Promise<void> => {
      await ask({ version, objects });
      await Promise.all(objects.map(([binding, name]) => workers.die(worker, binding, name)));
    },
  };
};

/** Ms until the mail provider has a mail: claims are open when objects are reset. */
const DELAY = 120;

/** The email Worker of both versions, with an SMTP server and a resolver. */
export const startBoth = async (load: typeof simulated) => {
  const dns = await startResolver();
  const { serve, seen } = createMailProvider({ delay: DELAY });
  const mailProvider = await listen(serve);
  const receiver = await startReceiver();
  const email = {
    ADMIN_TOKEN: secrets.ADMIN_TOKEN,
    API_KEY_SECRET: "rollback-key-secret",
    DKIM_KEY_SECRET: "rollback-dkim-secret",
    TRANSACTIONAL_SENDER: "smtp",
    MARKETING_SENDER: "smtp",
    PUBLIC_URL: "https://mail.acme.example",
    SMTP_URL: `smtp://127.0.0.1:${mailProvider.port}?tls=off`,
    DNS_OVER_HTTPS_URL: dns.url,
    WEBHOOKS_ALLOW_PRIVATE: "1",
  };
  const workers = await startSimulated({ email }, load);
  await workers.rules("email", { subrequests: 10_000 });
  const url = workers.url("email");
  let zones: Zone = {};
  let [read, copies] = [0, new Map<string, number>()];
  return {
    url,
    receiver,
    logs: workers.logs,
    dns: {
      ...dns,
      /** Adds to the records of other teams. */
      serve: (zone: Zone) => {
        zones = { ...zones, ...zone };
        dns.serve(zones);
      },
    },
    ...deployments(workers, "email"),
    claimsWithoutRow: async (team: string): Promise<number> =>
      (await (await fetch(`${url}/__claims?team=${team}`)).json()) as number,
    /** Mails that the mail provider has, by address. */
    copies: (): ReadonlyMap<string, number> => {
      for (; read < seen.mails.length; read++) {
        const to = seen.mails[read]?.to[0] ?? "";
        copies.set(to, (copies.get(to) ?? 0) + 1);
      }
      return copies;
    },
    forget: (): void => {
      receiver.forget();
      seen.mails.length = 0;
      seen.lines.length = 0;
      [read, copies] = [0, new Map()];
    },
    stop: async () => {
      await workers.stop();
      mailProvider.stop();
      receiver.stop();
      await dns.stop();
    },
  };
};
export type Both = Awaited<ReturnType<typeof startBoth>>;
