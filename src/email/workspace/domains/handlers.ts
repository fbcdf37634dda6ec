import type { Refusal } from "../../../lib/contract/errors.ts";
import { isoOrNull } from "../../../lib/util/dates.ts";
import { zoneFile } from "../../mail/dns/zone.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { type Context, wake } from "../core/context.ts";
import type { Act, AdminHandlers, Answer } from "../core/handler.ts";
import { beginWarmup, changeWarmup, endWarmup, shownWarmup } from "../limits/warmup-settings.ts";
import { expectedOf } from "./check.ts";
import { shownReports } from "./dmarc-reports.ts";
import { addKey, type Domain, findDomain, keysOf, makeDefault, readDomains, recordKey } from "./domain-rows.ts";
import { FIRST_CHECK_MS, isUsable } from "./state.ts";

/** Each domain is checked daily. */
const MAX_DOMAINS = 20;

export const recordsOf = ({ sql, mail }: Context, domain: Domain) =>
  expectedOf(sql, domain, mail.envelope).map((record) => {
    const { kind, type, host, value, purpose, required } = record;
    const finding = domain.findings[recordKey(record)];
    return {
      kind,
      type,
      host,
      value,
      purpose,
      required,
      ...(finding ?? { status: "unchecked" as const, found: [], message: "This record has not been checked yet." }),
    };
  });

const shown = (context: Context, domain: Domain) => ({
  id: domain.id,
  name: domain.name,
  isDefault: domain.isDefault,
  state: domain.state,
  since: isoOrNull(domain.since),
  failingSince: isoOrNull(domain.failingSince),
  checkedAt: isoOrNull(domain.checkedAt),
  nextCheckAt: isoOrNull(domain.nextCheckAt),
  createdAt: isoOrNull(domain.createdAt),
  warmup: shownWarmup(context, domain.name),
  keys: keysOf(context.sql, domain.n).map(({ selector, state, createdAt, retiredAt }) => ({
    selector,
    state,
    createdAt: isoOrNull(createdAt),
    retiredAt: isoOrNull(retiredAt),
  })),
  records: recordsOf(context, domain),
  notes: [...context.mail.notes],
});

const notFound = (id: string): { refusal: Refusal } => {
  const message = `This team has no domain with the id "${id}". GET /admin/teams/{team}/domains lists them.`;
  return { refusal: { code: "domain_not_found", path: "domainId", message } };
};

const withDomain = (
  context: Context,
  id: string,
  change: (domain: Domain) => { refusal: Refusal } | undefined = () => undefined,
) => {
  const domain = findDomain(context.sql, id);
  if (!domain) return notFound(id);
  const refused = change(domain);
  return refused ?? { body: shown(context, findDomain(context.sql, id) ?? domain) };
};

const listDomains = (context: Context) => ({
  body: { data: readDomains(context.sql).map((domain) => shown(context, domain)) },
});

const getDomain = (context: Context, { domainId }: AdminInput<"domains.get">) => withDomain(context, domainId);

/** Adds a domain. Its first key signs once the domain is verified. */
const createDomain = (context: Context, { name, isDefault, warmup, key }: AdminInput<"domains.create">) => {
  const { sql, now } = context;
  const all = readDomains(sql);
  const same = all.find((domain) => domain.name === name);
  if (same) {
    const message = `The team has the domain ${name} already: ${same.id}.`;
    return { refusal: { code: "domain_exists", path: "name", message } as const };
  }
  if (all.length >= MAX_DOMAINS) {
    const message = `A team can have ${MAX_DOMAINS} domains. Delete one that is not needed.`;
    return { refusal: { code: "too_many_domains", path: "name", message } as const };
  }
  const id = context.id("dom");
  const { n } = sql
    .exec<{ n: number }>(
      `INSERT INTO domains (id, name, state, since, is_default, next_check, findings, created_at)
       VALUES (?, ?, 'pending', ?, 0, ?, '{}', ?) RETURNING n`,
      id,
      name,
      now,
      now + FIRST_CHECK_MS,
      now,
    )
    .one();
  addKey(sql, n, "active", key, now);
  if (warmup) beginWarmup(context, name);
  if (isDefault || all.length === 0) makeDefault(sql, n);
  wake(context, now + FIRST_CHECK_MS);
  return { status: 201 as const, ...withDomain(context, id) };
};

const updateDomain = (context: Context, { domainId, isDefault, ...change }: AdminInput<"domains.update">) =>
  withDomain(context, domainId, ({ n, name }) => {
    const { warmup, warmupDay, capsTransactional } = change;
    if (isDefault) makeDefault(context.sql, n);
    if ([warmup, warmupDay, capsTransactional].some((one) => one !== undefined)) changeWarmup(context, name, change);
    return undefined;
  });

/** Deletes a domain and its keys, unless waiting mail needs them. */
const removeDomain = ({ sql, now }: Context, { domainId }: AdminInput<"domains.remove">) => {
  const domain = findDomain(sql, domainId);
  if (!domain) return notFound(domainId);
  const { waiting } = sql
    .exec<{ waiting: number }>(
      `SELECT count(*) AS waiting FROM sends WHERE due IS NOT NULL AND state IN ('queued', 'sending')
         AND message_id LIKE '%@' || ? || '>'`,
      domain.name,
    )
    .one();
  if (waiting > 0) {
    const message = `${waiting} mails from ${domain.name} wait and could not be signed any more. Delete the domain when they have left: at the latest in 24 hours, and mail of a paused workflow after the workflow is resumed or deleted.`;
    return { refusal: { code: "domain_in_use", path: "domainId", message } as const };
  }
  sql.exec("DELETE FROM dkim_keys WHERE domain = ?", domain.n);
  endWarmup({ sql, now }, domain.name);
  sql.exec("DELETE FROM domains WHERE n = ?", domain.n);
  const rest = readDomains(sql);
  const heir = rest.find(isUsable) ?? rest[0];
  if (domain.isDefault && heir) makeDefault(sql, heir.n);
  return { body: { success: true } };
};

/** DNS records as a zone file, without DMARC if one exists. */
export const zoneOf = (context: Context, domain: Domain): string => {
  const records = recordsOf(context, domain)
    .filter(({ kind, status }) => kind !== "dmarc" || status !== "right")
    .map((record) => ({ ...record, commented: record.kind === "dmarc" && record.status !== "missing" }));
  return zoneFile(domain.name, records);
};

const zoneOfDomain = (context: Context, { domainId }: AdminInput<"domains.zone">) => {
  const domain = findDomain(context.sql, domainId);
  return domain ? { body: zoneOf(context, domain) } : notFound(domainId);
};

const rotateKey = (context: Context, { domainId, key }: AdminInput<"domains.rotate">) =>
  withDomain(context, domainId, ({ n, nextCheckAt }) => {
    const { sql, now } = context;
    if (keysOf(sql, n).some(({ state }) => state === "next")) return undefined;
    addKey(sql, n, "next", key, now);
    const at = Math.min(nextCheckAt ?? Number.POSITIVE_INFINITY, now + FIRST_CHECK_MS);
    sql.exec("UPDATE domains SET next_check = ? WHERE n = ?", at, n);
    wake(context, at);
    return undefined;
  });

/** Before, the warm-up counts are written; after, they are read again. */
const changing = <Input>(change: (context: Context, input: Input) => Answer): Act<Input> => ({
  prepare({ now }, input, { writeWarmups }) {
    writeWarmups(now);
    return (context) => {
      context.after.domains = true;
      return change(context, input);
    };
  },
});

export const domains: AdminHandlers<"domains"> = {
  list: (context, _input, { writeWarmups }) => {
    writeWarmups(context.now);
    return listDomains(context);
  },
  create: changing(createDomain),
  get: (context, input, { writeWarmups }) => {
    writeWarmups(context.now);
    return getDomain(context, input);
  },
  update: changing(updateDomain),
  remove: changing(removeDomain),
  check: async (context, input, { checkDomain, writeWarmups }) => {
    await checkDomain(input.domainId);
    writeWarmups(context.now);
    return getDomain(context, input);
  },
  zone: zoneOfDomain,
  rotate: changing(rotateKey),
  share: getDomain,
  reports: (context, { domainId }) => {
    const domain = findDomain(context.sql, domainId);
    return domain ? { body: { domain: domain.name, ...shownReports(context, domain.name) } } : notFound(domainId);
  },
};
