import type { MailClass } from "../../types/mail-handover.ts";
import { readChoice, type SenderEnv } from "./settings.ts";

/** Names the sender of a class and domain. Limits are learned per route. */
export type Routes = {
  routeOf(mailClass: MailClass, domain: string): string | undefined;
  onlyRoute(mailClass: MailClass): string | undefined;
};

export const routesOf = (env: SenderEnv): Routes => {
  const choices = { transactional: readChoice(env, "transactional"), marketing: readChoice(env, "marketing") };
  const routeOf = (mailClass: MailClass, domain?: string): string | undefined => {
    const choice = choices[mailClass];
    return choice && "sender" in choice ? choice.sender.route?.(choice.settings, domain) : undefined;
  };
  return { routeOf, onlyRoute: (mailClass) => routeOf(mailClass) };
};
