import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { seedTeam } from "../../../scripts/start/seed.ts";
import { loadWorker, workerOptions } from "../../../scripts/workers.ts";
import { secrets } from "../../system/mailspan.ts";
import type { Unreachable } from "./plan.ts";

const emailVars = { ADMIN_TOKEN: secrets.ADMIN_TOKEN, API_KEY_SECRET: "test-key-secret", INBOX: "1" };
/** A name that never resolves (RFC 6761). */
const NO_DNS = "https://mailspan-host.invalid";

/** A server without TLS, at an address with `https`. */
const startWithoutTls = async (): Promise<{ url: string; stop: () => void }> => {
  const server = createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() };
};

/** Both Workers, bundled. The bridge's source `generic` has the rules of this folder. */
export const bundleWorkers = async () => {
  const rules = join(import.meta.dirname, "rules.ts");
  return {
    bridge: await loadWorker("wrangler.toml", { "./mappings/generic.ts": rules }),
    email: await loadWorker("src/email/wrangler.toml"),
  };
};
export type Bundles = Awaited<ReturnType<typeof bundleWorkers>>;

/** A Worker in a separate process group, which can be killed and restarted on the same state. */
export const startProcess = async (file: string) => {
  let child: ChildProcess | undefined;
  let url: string | undefined;
  const start = (options: string = file): Promise<void> =>
    new Promise((resolve, reject) => {
      const started = spawn(process.execPath, [join(import.meta.dirname, "worker-process.ts"), options], {
        detached: true,
        stdio: ["pipe", "pipe", "pipe"],
      });
      child = started;
      let errors = "";
      started.stderr?.on("data", (chunk: Buffer) => {
        errors += chunk.toString();
      });
      started.stdin?.on("error", () => {});
      started.stdout?.on("data", (chunk: Buffer) => {
        const [line] = /^http\S+/.exec(chunk.toString().trim()) ?? [];
        if (line === undefined) return;
        url = line;
        resolve();
      });
      started.once("close", (code, signal) => reject(new Error(`A Worker ended (${code ?? signal}): ${errors}`)));
    });
  const kill = async (): Promise<void> => {
    const killed = child;
    url = undefined;
    if (!killed?.pid || killed.exitCode !== null || killed.signalCode !== null) return;
    const closed = new Promise((resolve) => killed.once("close", resolve));
    // The whole group: node and its workerd.
    process.kill(-killed.pid, "SIGKILL");
    await closed;
  };
  await start();
  return { url: () => url, start, kill };
};

/**
 * The email service and the bridge as two processes. The bridge calls the email service through a proxy.
 *
 * @param folder for their state
 */
export const startProcesses = async ({ bridge, email }: Bundles, folder: string, proxyUrl: string) => {
  const write = async (name: string, worker: object): Promise<string> => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify({ worker, state: join(folder, name.split("-")[0] ?? name) }));
    return file;
  };
  const service = await startProcess(await write("email", workerOptions(email, emailVars, 0)));
  const plain = await startWithoutTls();
  try {
    const key = await seedTeam(service.url() ?? "", secrets.ADMIN_TOKEN, "");
    const { services: _, ...alone } = bridge;
    const bridgeAt = (url: string) => workerOptions(alone, { ...secrets, EMAIL_API_KEY: key, EMAIL_API_URL: url }, 0);
    const without: Readonly<Record<Unreachable, string>> = {
      DNS: await write("bridge-dns", bridgeAt(NO_DNS)),
      TLS: await write("bridge-tls", bridgeAt(plain.url)),
    };
    const running = await startProcess(await write("bridge", bridgeAt(proxyUrl)));
    return {
      service,
      bridge: { ...running, startWithout: (what: Unreachable) => running.start(without[what]) },
      state: { service: join(folder, "email"), bridge: join(folder, "bridge") },
      stop: async () => {
        plain.stop();
        await Promise.all([service.kill(), running.kill()]);
      },
    };
  } catch (error) {
    plain.stop();
    await service.kill();
    throw error;
  }
};
export type Processes = Awaited<ReturnType<typeof startProcesses>>;
