import type { Env } from "../../env.ts";
import type { MailClass } from "../../types/mail.ts";
import { readChoice } from "./settings.ts";
import { type Account, accountsFor } from "./smtp/accounts.ts";

/** Names the sender of a class and domain. Limits are learned per route. */
export type Routes = {
  routeOf(mailClass: MailClass, domain: string): string | undefined;
  onlyRoute(mailClass: MailClass): string | undefined;
};

const nameOf = (accounts: readonly Account[]): string => accounts.map(({ name }) => name).join(" or ");

export const routesOf = (env: Env): Routes => {
  const choices = { transactional: readChoice(env, "transactional"), marketing: readChoice(env, "marketing") };
  const accountsOf = (mailClass: MailClass): readonly Account[] => {
    const choice = choices[mailClass];
    const accounts = choice && "sender" in choice && choice.sender === "smtp" ? choice.accounts : [];
    return accounts.filter(({ classes }) => !classes || classes.includes(mailClass));
  };
  const onlyRoute = (mailClass: MailClass): string | undefined => {
    const choice = choices[mailClass];
    if (!choice || "problem" in choice || choice.sender === "inbox") return undefined;
    if (choice.sender === "ses") return `Amazon SES ${choice.settings.region}`;
    if (choice.sender === "cloudflare") return "Cloudflare";
    const accounts = accountsOf(mailClass);
    return accounts.some(({ domains }) => domains) ? undefined : nameOf(accounts);
  };
  const only = { transactional: onlyRoute("transactional"), marketing: onlyRoute("marketing") };
  return {
    routeOf: (mailClass, domain) =>
      only[mailClass] ?? (nameOf(accountsFor(accountsOf(mailClass), domain)) || undefined),
    onlyRoute: (mailClass) => only[mailClass],
  };
};
