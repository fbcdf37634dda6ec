import type { Envelope } from "../../mail/dns/records.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import { type Choice, marketingObstacle, readChoice, type SenderEnv, whyNothingIsHeard } from "./settings.ts";

const CLASSES: readonly MailClass[] = ["transactional", "marketing"];

/**
 * `envelope`: bounce records. `envelopeClasses`: classes with that return path. `inboxOnly`: captured classes.
 * `notes`: for the operator. `marketingObstacle`: why no marketing mail is sent.
 */
export type MailSettings = {
  envelope: Envelope | undefined;
  envelopeClasses: readonly MailClass[];
  inboxOnly: readonly MailClass[];
  notes: readonly string[];
  marketingObstacle?: string;
};

const NO_SENDER =
  "No sender but the local inbox is configured. The SPF and MX records depend on the sender: set it first.";

export const mailSettingsOf = (env: SenderEnv): MailSettings => {
  const choices = CLASSES.flatMap((mailClass) => {
    const choice = readChoice(env, mailClass);
    return choice && "sender" in choice ? [{ mailClass, ...choice }] : [];
  });
  const leaving = choices.filter(({ sender }) => !sender.local);
  const envelopes = leaving.flatMap(({ mailClass, sender, settings }) => {
    const envelope = sender.envelope?.(settings);
    return envelope ? [{ mailClass, ...envelope }] : [];
  });
  const { mx } = envelopes.find(({ onlyMx }) => onlyMx) ?? envelopes[0] ?? {};
  const obstacle = marketingObstacle(env);
  return {
    envelope: mx && { mechanisms: [...new Set(envelopes.flatMap(({ mechanisms }) => mechanisms))], mx },
    envelopeClasses: envelopes.map(({ mailClass }) => mailClass),
    ...(obstacle === undefined ? {} : { marketingObstacle: obstacle }),
    inboxOnly: choices.filter(({ sender }) => sender.local).map(({ mailClass }) => mailClass),
    notes: leaving.length === 0 ? [NO_SENDER] : notesOf(leaving, env),
  };
};

const notesOf = (leaving: readonly Choice[], env: SenderEnv): string[] => {
  const notes = leaving.flatMap(({ sender: { title, note, feedback = "" }, settings }) => [
    note?.(settings) ?? [],
    `Bounces and complaints of ${title} come by ${feedback.replaceAll("`", "")}.`,
  ]);
  const unheard = whyNothingIsHeard(env).map((why) => `N${why.slice(1)}.`);
  return [...new Set([...notes.flat(), ...unheard])];
};
