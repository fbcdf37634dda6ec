import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";

type Options = { challenge: string };
type Credential = { toJSON: () => never };

/** True if browser and address support passkeys. */
export const knowsPasskeys = (): boolean =>
  globalThis.PublicKeyCredential !== undefined && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** Returns this origin by name: passkeys fail at http://127.0.0.1. */
export const namedOrigin = ({ origin, hostname }: Pick<Location, "origin" | "hostname">): string =>
  /^(127\.0\.0\.1|\[::1\])$/.test(hostname) ? origin.replace(hostname, "localhost") : origin;

const inWords = (error: unknown): unknown => {
  const { name = "" } = error instanceof DOMException ? error : {};
  const words: Readonly<Record<string, string>> = {
    NotAllowedError: "No passkey was used: it was cancelled, or took too long. Try again.",
    InvalidStateError: "This device has a passkey of yours already. Use another device or a security key.",
    NotSupportedError: "This device can make no passkey that the dashboard takes. Use another one.",
    SecurityError: "The browser makes no passkeys at this address.",
  };
  const message = words[name];
  return message === undefined ? error : new RequestError(0, { code: name, message });
};

const asked = async (what: () => Promise<unknown>): Promise<never> => {
  if (!knowsPasskeys()) {
    const message = "This browser knows no passkeys here. Use a newer one, over https.";
    throw new RequestError(0, { code: "no_passkeys", message });
  }
  try {
    return ((await what()) as Credential).toJSON();
  } catch (error) {
    throw inWords(error);
  }
};

export const makePasskey = (options: Options): Promise<never> =>
  asked(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never) }),
  );

/** Uses any site passkey for a login, a person's for a proof. */
export const showPasskey = async (use: "login" | "proof"): Promise<never> => {
  const { options } = await api.dashboard.session.options({ for: use });
  return asked(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never) }),
  );
};
