import { importSigningKey } from "../../mail/mime/dkim/keys.ts";
import { openKey } from "../../mail/mime/dkim/seal.ts";
import { signMessage } from "../../mail/mime/dkim/sign.ts";
import type { Message } from "../../mail/mime/mime-message.ts";
import type { Mail } from "../../types/mail-handover.ts";
import { dkimKeyOwner, type SigningKey } from "../../types/mailer-rpc.ts";
import { domainOf } from "./compose-mail.ts";
import { backAddressesOf, returnPathOf } from "./return-path.ts";

/** Milliseconds; retired keys stay published for days. */
const KEPT_MS = 300_000;
const KEPT = 100;

/** DKIM_KEY_SECRET values, current first. */
type Dependencies = {
  team: string;
  secrets: readonly string[];
  signingKey(domain: string): Promise<SigningKey | undefined>;
  tokenOf(mail: Mail): Promise<string | undefined>;
  now(): number;
};

type Opened = { selector: string; envelope?: string; key: CryptoKey } | { problem: string };

/** Creates a signer that sets the return path. */
export const createFinish = (dependencies: Dependencies) => {
  const keyOf = remembered(dependencies);
  return async (mail: Mail, { replaces = [] }: { replaces?: readonly string[] }) => {
    const domain = domainOf(mail.messageId);
    const opened = await keyOf(domain);
    if ("problem" in opened) return opened;
    const { selector, key, envelope } = opened;
    const token = await dependencies.tokenOf(mail);
    const back = backAddressesOf(envelope, token);
    return {
      ...(token === undefined ? {} : { token }),
      ...(back ? { back } : {}),
      async sign(message: Message) {
        // The mail's date makes retries identical.
        const signed = await signMessage(message, { domain, selector, key, now: mail.date, without: replaces });
        return { ...signed, envelope: { ...signed.envelope, from: returnPathOf(mail, back) } };
      },
    };
  };
};

const remembered = (dependencies: Dependencies) => {
  const known = new Map<string, { until: number; opened: Promise<Opened> }>();
  return (domain: string): Promise<Opened> => {
    const now = dependencies.now();
    const found = known.get(domain);
    if (found && found.until > now) return found.opened;
    known.delete(domain);
    if (known.size >= KEPT) known.delete(known.keys().next().value ?? "");
    const opened = open(dependencies, domain);
    known.set(domain, { until: now + KEPT_MS, opened });
    // Failures are not cached, because a person may fix the cause.
    const drop = () => known.delete(domain);
    opened.then((result) => "problem" in result && drop(), drop);
    return opened;
  };
};

const open = async ({ team, secrets, signingKey }: Dependencies, domain: string): Promise<Opened> => {
  const signing = await signingKey(domain);
  if (!signing)
    return { problem: `${domain} is no sending domain of this team, so that this mail cannot be signed. Add it.` };
  const { selector, sealedKey, ...rest } = signing;
  const pkcs8 = await openKey(sealedKey, secrets, dkimKeyOwner(team, selector));
  if (!pkcs8) {
    return {
      problem: `The DKIM key of ${domain} cannot be decrypted: DKIM_KEY_SECRET is another than when it was made. Set the former secret after a comma.`,
    };
  }
  return { selector, ...rest, key: await importSigningKey(pkcs8) };
};
