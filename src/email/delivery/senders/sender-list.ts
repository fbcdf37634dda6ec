import { cloudflare } from "./cloudflare/cloudflare.ts";
import type { SenderDefinition } from "./definition.ts";
import { inbox } from "./inbox/inbox.ts";
import { mailgun } from "./mailgun/mailgun.ts";
import { ses } from "./ses/ses.ts";
import { smtp } from "./smtp/smtp.ts";

const all = [inbox, smtp, ses, mailgun, cloudflare];

type NamesOf<Definition> = Definition extends { variables: infer Variables } ? keyof Variables : never;

/** Variables and secrets of all senders. */
export type SenderVariables = { [Name in NamesOf<(typeof all)[number]>]?: string };

export const senders: readonly SenderDefinition[] = all;

export const senderNamed = (name: string): SenderDefinition | undefined =>
  senders.find((sender) => sender.name === name);

const or = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Returns a list in words: `smtp, ses or cloudflare`. */
export const namesInWords = (list: readonly SenderDefinition[]): string => or.format(list.map(({ name }) => name));
