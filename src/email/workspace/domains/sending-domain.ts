import type { Refusal } from "../../../lib/contract/errors.ts";
import type { MailSettings } from "../../delivery/senders/mail-settings.ts";
import { envelopeDomain } from "../../mail/dns/records.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import type { SigningKey } from "../../types/mailer-rpc.ts";
import type { Context } from "../core/context.ts";
import { readTeam } from "../team/team.ts";
import { defaultDomain } from "./domain-rows.ts";
import { isUsable } from "./state.ts";

/** Returns the verified default domain. The local inbox also accepts MAIL_DOMAIN. */
export const sendingDomainOf = (context: Context, mailClass: MailClass): { domain: string } | { refusal: Refusal } => {
  const domain = defaultDomain(context.sql);
  if (domain && isUsable(domain)) return { domain: domain.name };
  if (context.mail.inboxOnly.includes(mailClass)) return { domain: context.domain };
  const address = `${context.publicUrl}/admin/teams/${readTeam(context.sql).slug}/domains`;
  if (!domain) {
    const message = `This team has no domain to send from. Its operator adds one with POST ${address}.`;
    return { refusal: { code: "domain_not_verified", message, detail: { records: address } } };
  }
  const records = `${address}/${domain.id}`;
  const why = domain.state === "pending" ? "is not verified yet" : "has lost DNS records that it needs";
  const message = `The sending domain ${domain.name} ${why}, so no mail is sent from it. Its records and what to change: GET ${records}.`;
  return { refusal: { code: "domain_not_verified", message, detail: { records } } };
};

export const signingKeyOf = (
  sql: SqlStorage,
  domain: string,
  { envelopeClasses }: MailSettings,
  mailClass: MailClass,
): SigningKey | undefined => {
  const [row] = sql
    .exec<{ selector: string; sealed_key: string }>(
      `SELECT selector, sealed_key FROM domains JOIN dkim_keys ON domain = n
       WHERE name = ? AND dkim_keys.state = 'active'`,
      domain,
    )
    .toArray();
  return (
    row && {
      selector: row.selector,
      sealedKey: row.sealed_key,
      ...(envelopeClasses.includes(mailClass) ? { envelope: envelopeDomain(domain) } : {}),
    }
  );
};
