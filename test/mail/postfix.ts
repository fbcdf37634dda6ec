import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../port.ts";
import { PYTHON } from "./debian.ts";

const POSTFIX = "/usr/sbin/postfix";

const hasPython = () => spawnSync(PYTHON, ["--version"]).status === 0;

/** Installs Debian's Postfix and Python, but does not start or configure the machine's Postfix. */
const install = (): void => {
  if (existsSync(POSTFIX) && hasPython()) return;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new Error(
      "Postfix or Python is missing, and only root on Debian or Ubuntu can install them here: apt-get install postfix python3",
    );
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = (command: string, args: string[], input = "") =>
    execFileSync(command, args, { env, input, stdio: ["pipe", "ignore", "inherit"] });
  run("debconf-set-selections", [], "postfix postfix/main_mailer_type select No configuration\n");
  run("apt-get", ["update", "-q"]);
  // No service starts: this machine's mail is not ours.
  const policy = "/usr/sbin/policy-rc.d";
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "postfix", "python3"]);
  } finally {
    if (isOurs) rmSync(policy);
  }
};

const main = (folder: string, certificates: string) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
myhostname = relay.postfix.test
mydestination =
mynetworks = 127.0.0.1/32
smtpd_relay_restrictions = reject_unauth_destination
smtpd_tls_cert_file = ${certificates}/certificate.pem
smtpd_tls_key_file = ${certificates}/key.pem
smtpd_tls_received_header = yes
virtual_mailbox_domains = postfix.test
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = inline:{ ada@postfix.test=inbox/, bob@postfix.test=bob/, jürgen@postfix.test=inbox/ }
virtual_uid_maps = static:postfix-uid
virtual_gid_maps = static:postfix-gid
message_size_limit = 2000000
virtual_mailbox_limit = 0
default_transport = error:no mail leaves this machine
smtpd_client_connection_count_limit = 0
`;

const master = (ports: Ports) => `
127.0.0.1:${ports.plain} inet n - n - - smtpd -o smtpd_tls_security_level=none
127.0.0.1:${ports.starttls} inet n - n - - smtpd -o smtpd_tls_security_level=encrypt
127.0.0.1:${ports.tls} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
smtp unix - - n - - smtp
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
tlsmgr unix - - n 1000? 1 tlsmgr
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
flush unix n - n 1000? 0 flush
postlog unix-dgram n - n - 1 postlogd
`;

type Ports = { plain: number; starttls: number; tls: number };

/**
 * A private Postfix: own configuration and queue, loopback only, free ports. It delivers into maildirs of its folder.
 *
 * @param settings lines of main.cf that replace the usual ones
 */
export const startPostfix = async (settings = "") => {
  install();
  if (process.getuid?.() !== 0) throw new Error("Postfix starts as root only. Run this command as root.");
  const folder = mkdtempSync(join(tmpdir(), "mailspan-postfix-"));
  chmodSync(folder, 0o755);
  const ports = { plain: await freePort(), starttls: await freePort(), tls: await freePort() };
  for (const name of ["config", "queue", "data", "mail"]) mkdirSync(join(folder, name));
  const [uid = "", gid = ""] = ["-u", "-g"].map((flag) =>
    execFileSync("id", [flag, "postfix"], { encoding: "utf8" }).trim(),
  );
  execFileSync("chown", ["-R", "postfix:postfix", join(folder, "data"), join(folder, "mail")]);
  const certificates = join(import.meta.dirname, "../fixtures/tls");
  const text = main(folder, certificates).replace("postfix-uid", uid).replace("postfix-gid", gid);
  writeFileSync(join(folder, "config/main.cf"), `${text.trimStart()}${settings}\n`);
  writeFileSync(join(folder, "config/master.cf"), master(ports).trimStart());
  const run = (command: string) => spawnSync(POSTFIX, ["-c", join(folder, "config"), command], { encoding: "utf8" });
  const { status, stderr, stdout } = run("start");
  if (status !== 0) throw new Error(`Postfix did not start: ${stdout}${stderr}${readLog(folder)}`);
  return {
    ports,
    log: () => readLog(folder),
    mails: (name = "inbox"): { path: string; raw: Buffer }[] => {
      const at = join(folder, "mail", name, "new");
      return existsSync(at)
        ? readdirSync(at).map((file) => ({ path: join(at, file), raw: readFileSync(join(at, file)) }))
        : [];
    },
    stop: () => {
      run("stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const readLog = (folder: string): string =>
  existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8") : "";
