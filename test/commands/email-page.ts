import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

export const MAIL = `---
subject: Receipt for {data.amount}
previewText: Thank you
fromName: Acme
fromEmail: billing
theme: calm
data.amount: $49.00
---
<H1>Thank you</H1>
<Paragraph>You paid {data.amount}. <Link href="https://acme.example/">Open</Link></Paragraph>
<Component componentId="footer"/>
`;

export let folder = "";

export const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
export const theme = (color: string) => JSON.stringify({ name: "Calm", styles: { bodyColor: color } });
export const createFolder = (): void => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-email-"));
  write("receipt.lmx", MAIL);
  write("themes/calm.json", theme("#ffeeee"));
  write("components/footer.lmx", "<Paragraph>Acme Ltd</Paragraph>");
};

const children: ChildProcess[] = [];
export const cleanUp = (): void => {
  // The whole process group: npm, its shell and node.
  for (const { pid, exitCode, signalCode } of children.splice(0))
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
};

const NPM = ["npm", "run", "--silent", "email", "--"] as const;
/** The command that npm runs. npm itself ends with the signal that it gets. */
export const NODE = [join(root, "node_modules", ".bin", "node"), "scripts/email.ts"] as const;

/** Runs the command in a separate process group, without a terminal. */
export const email = (args: readonly string[], { cwd = root, by = NPM as typeof NPM | typeof NODE } = {}) => {
  const [command, ...first] = by;
  const child = spawn(command, [...first, ...args], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let text = "";
  let look = () => {};
  const hear = (chunk: Buffer) => {
    text += chunk.toString();
    look();
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const prints = (wanted: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      look = () => {
        const found = wanted.exec(text);
        if (found !== null) resolve(found);
      };
      look();
      code.then((ended) => reject(new Error(`ended with ${ended}:\n${text}`)));
    });
  const interrupt = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    return code;
  };
  return { code, prints, interrupt, output: () => text };
};

export const openPage = async (...args: string[]) => {
  const running = email([join(folder, "receipt.lmx"), "--port", "0", ...args], { by: NODE });
  const [, url = ""] = await running.prints(/(http:\/\/127\.0\.0\.1:\d+\/)/);
  return { ...running, url };
};
