import * as z from "zod";
import type { MailClass } from "../../../types/mail-handover.ts";
import type { Tls } from "../definition.ts";

/** SMTP account. Without `classes` or `domains` it serves all of them. */
export type Account = {
  /** Default: host and port. */
  name: string;
  host: string;
  port: number;
  tls: Tls;
  login?: { user: string; password: string };
  classes?: readonly MailClass[];
  domains?: readonly string[];
  maxConnections: number;
  maxMails: number;
  perSecond?: number;
};

/** Prefers accounts that name the domain. `domain`: in lower case. */
export const accountsFor = <Entry extends Pick<Account, "domains">>(all: readonly Entry[], domain: string): Entry[] => {
  const named = all.filter(({ domains }) => domains?.includes(domain));
  return named.length > 0 ? named : all.filter(({ domains }) => !domains);
};

/** A Worker may have six connections; one is reserved for other requests. */
export const MAX_CONNECTIONS = 6;
const CONNECTIONS = 5;
const MAILS = 100;

const entry = z.strictObject({
  url: z.string(),
  name: z.string().min(1).max(60).optional(),
  classes: z
    .array(z.enum(["transactional", "marketing"]))
    .min(1)
    .optional(),
  domains: z.array(z.string().min(1)).min(1).optional(),
  maxConnections: z.int().min(1).max(MAX_CONNECTIONS).optional(),
  maxMails: z.int().min(1).optional(),
  perSecond: z.number().positive().optional(),
});

type Read<T> = T | { problem: string };

/** Reads one URL, or a JSON list of URLs and objects. Problems never repeat the value: it has a password. */
export const readAccounts = (value: string): Read<{ accounts: Account[] }> => {
  const text = value.trim();
  if (!text.startsWith("[")) {
    const account = readUrl(text, "SMTP_URL");
    return "problem" in account ? account : { accounts: [account] };
  }
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return { problem: "SMTP_URL begins with [ and is not JSON: write a list of URLs or objects" };
  }
  if (!Array.isArray(list) || list.length === 0)
    return { problem: "SMTP_URL is an empty list: write at least one URL" };
  const accounts: Account[] = [];
  for (const [n, item] of list.entries()) {
    const account = readEntry(item, `SMTP_URL[${n}]`);
    if ("problem" in account) return account;
    accounts.push(account);
  }
  return { accounts };
};

const readEntry = (item: unknown, at: string): Read<Account> => {
  const { success, data, error } = entry.safeParse(typeof item === "string" ? { url: item } : item);
  if (!success) {
    const [issue] = error.issues;
    const path = issue?.path.join(".");
    return { problem: `${at}${path ? `.${path}` : ""}: ${issue?.message}` };
  }
  const { url, domains, ...rest } = data;
  const account = readUrl(url, at);
  if ("problem" in account) return account;
  const given = Object.fromEntries(Object.entries(rest).filter(([, part]) => part !== undefined));
  return { ...account, ...given, ...(domains ? { domains: domains.map((domain) => domain.toLowerCase()) } : {}) };
};

const FORM = "write smtps://user:password@host:465 or smtp://user:password@host:587, user and password percent-encoded";

const readUrl = (text: string, at: string): Read<Account> => {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: `${at} is not a URL: ${FORM}` };
  }
  const implicit = url.protocol === "smtps:";
  if ((!implicit && url.protocol !== "smtp:") || url.hostname === "")
    return { problem: `${at} is not a URL of SMTP: ${FORM}` };
  if (!["", "/"].includes(url.pathname) || url.hash !== "") {
    return { problem: `${at} has something after the port: if the password has /, ? or #, percent-encode it` };
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const local = /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
  const port = Number(url.port || (implicit ? 465 : 587));
  const { tls, ...unknown } = Object.fromEntries(url.searchParams);
  if (Object.keys(unknown).length > 0 || (tls !== undefined && tls !== "off")) {
    return { problem: `${at} has a parameter other than tls=off` };
  }
  if (tls === "off" && (implicit || !local)) {
    return { problem: `${at} has tls=off: that is for smtp:// to 127.0.0.1, ::1 or localhost only` };
  }
  if (port === 25 && !local)
    return { problem: `${at} has port 25, which Cloudflare blocks: use 465 (smtps://) or 587 (smtp://)` };
  if (port === 465 && !implicit) return { problem: `${at} has port 465, which expects TLS at once: write smtps://` };
  if (port === 587 && implicit) return { problem: `${at} has port 587, which begins without TLS: write smtp://` };
  if ((url.username === "") !== (url.password === "")) {
    return { problem: `${at} has only one of user and password: ${FORM}` };
  }
  const login = loginOf(url);
  if (login === undefined)
    return { problem: `${at} has a user or a password that is not percent-encoded UTF-8, or that has a NUL` };
  return {
    name: `${host}:${port}`,
    host,
    port,
    tls: tls === "off" ? "off" : implicit ? "on" : "starttls",
    ...(login.user === "" ? {} : { login }),
    maxConnections: CONNECTIONS,
    maxMails: MAILS,
  };
};

const loginOf = ({ username, password }: URL): Account["login"] => {
  try {
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    // AUTH PLAIN separates user and password by NUL.
    return `${login.user}${login.password}`.includes("\0") ? undefined : login;
  } catch {
    return undefined;
  }
};
