import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";

/** What the server asks a browser with: JSON for WebAuthn. */
type Options = { challenge: string };
type Credential = { toJSON: () => never };

/** True in a browser that knows passkeys and their JSON, at an address where it makes some. */
export const knowsPasskeys = (): boolean =>
  globalThis.PublicKeyCredential !== undefined && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** The origin of this page by a name. Passkeys belong to a name, so that there are none at http://127.0.0.1. */
export const namedOrigin = ({ origin, hostname }: Pick<Location, "origin" | "hostname">): string =>
  /^(127\.0\.0\.1|\[::1\])$/.test(hostname) ? origin.replace(hostname, "localhost") : origin;

/** What a person is told where the browser, or the person, did not go on. Other errors stay as they are. */
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

/** Lets the browser make a passkey. */
export const makePasskey = (options: Options): Promise<never> =>
  asked(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never) }),
  );

/** Lets the browser use a passkey: any of this site for a login, one of the person for a proof. */
export const showPasskey = async (use: "login" | "proof"): Promise<never> => {
  const { options } = await api.dashboard.session.options({ for: use });
  return asked(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never) }),
  );
};
