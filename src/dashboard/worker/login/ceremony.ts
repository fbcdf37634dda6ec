import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { toBytes } from "../../../lib/util/hmac.ts";
import { log } from "../../../lib/util/log.ts";
import type { Passkey } from "../logins/people.ts";
import { isLoopback } from "../session-cookie.ts";

/** Loads lazily: few requests need it. */
const library = () => import("@simplewebauthn/server");

/** EdDSA, ES256 and RS256: browsers and workerd support them. */
const ALGORITHMS = [-8, -7, -257];

/** `rpID` is the host, `origin` the full origin. */
export type Site = { rpID: string; origin: string };

/** Returns the site, or a refusal: passkeys fail at IP addresses. */
export const siteOf = (request: Request): Site | { refusal: Refusal } => {
  const { protocol, hostname, origin, port } = new URL(request.url);
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  if (!isAddress && (protocol === "https:" || isLoopback(hostname))) return { rpID: hostname, origin };
  const there = isLoopback(hostname) ? `http://localhost${port === "" ? "" : `:${port}`}` : "its name over https";
  const message = `Passkeys need a name, which ${hostname} is not. Open the dashboard at ${there}.`;
  return {
    refusal: {
      code: "passkeys_unavailable",
      message: isAddress ? message : "Passkeys need https. Open the dashboard over https.",
    },
  };
};

type Owner = { id: string; name: string };
type Known = Pick<Passkey, "id" | "transports">;

const described = (passkeys: readonly Known[]) =>
  passkeys.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) as never[] }));

/** Returns options for a new passkey; devices in `passkeys` are excluded. */
export const creationOptions = async (
  { rpID }: Site,
  { id, name }: Owner,
  passkeys: readonly Known[],
  challenge: Uint8Array<ArrayBuffer>,
) =>
  (await library()).generateRegistrationOptions({
    rpID,
    rpName: "Mailspan",
    userID: toBytes(id),
    userName: name,
    userDisplayName: name,
    challenge,
    attestationType: "none",
    excludeCredentials: described(passkeys),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    timeout: 300_000,
  });

/** Returns options for `passkeys`, or any of this site. */
export const requestOptions = async ({ rpID }: Site, passkeys: readonly Known[], challenge: Uint8Array<ArrayBuffer>) =>
  (await library()).generateAuthenticationOptions({
    rpID,
    challenge,
    userVerification: "required",
    timeout: 300_000,
    ...(passkeys.length > 0 ? { allowCredentials: described(passkeys) } : {}),
  });

const REFUSED: Refusal = {
  code: "wrong_passkey",
  path: "passkey",
  message: "passkey: it was not accepted. Begin again; a passkey has to be used within five minutes.",
};

const refused = (error: unknown): { refusal: Refusal } => {
  log("passkey_refused", { error: error instanceof Error ? error.message : String(error) });
  return { refusal: REFUSED };
};

/** Refuses answers from a frame in another site. */
const isCrossOrigin = (clientDataJSON: string): boolean => {
  const text = new TextDecoder().decode(Uint8Array.fromBase64(clientDataJSON, { alphabet: "base64url" }));
  return (JSON.parse(text) as { crossOrigin?: unknown }).crossOrigin === true;
};

type IsOurs = (challenge: string) => Promise<boolean>;

export const readNew = async (
  { rpID, origin }: Site,
  credential: unknown,
  isOurs: IsOurs,
): Promise<{ passkey: Omit<Passkey, "person" | "name" | "created" | "used"> } | { refusal: Refusal }> => {
  try {
    const response = credential as RegistrationResponseJSON;
    if (isCrossOrigin(response.response.clientDataJSON)) return refused("from another origin");
    const { registrationInfo } = await (await library()).verifyRegistrationResponse({
      response,
      expectedChallenge: isOurs,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) return refused("not verified");
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const synced = registrationInfo.credentialBackedUp ? 1 : 0;
    return {
      passkey: { id, publicKey: publicKey.slice().buffer, counter, transports: JSON.stringify(transports), synced },
    };
  } catch (error) {
    return refused(error);
  }
};

/** Verifies a use. Logins keeps `counter` if it increased. */
export const readUsed = async (
  { rpID, origin }: Site,
  credential: AuthenticationResponseJSON,
  known: Passkey,
  isOurs: IsOurs,
): Promise<{ counter: number; synced: number } | { refusal: Refusal }> => {
  try {
    const { clientDataJSON, userHandle } = credential.response;
    if (isCrossOrigin(clientDataJSON)) return refused("from another origin");
    const handle = toBytes(known.person).toBase64({ alphabet: "base64url", omitPadding: true });
    if (userHandle && userHandle !== handle) return refused("of another person");
    const { verified, authenticationInfo } = await (await library()).verifyAuthenticationResponse({
      response: credential,
      expectedChallenge: isOurs,
      expectedOrigin: origin,
      expectedRPID: rpID,
      // Logins compares counters, so that only one of two parallel logins passes.
      credential: { id: known.id, publicKey: new Uint8Array(known.publicKey), counter: 0 },
      requireUserVerification: true,
    });
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return verified ? { counter: newCounter, synced: credentialBackedUp ? 1 : 0 } : refused("not verified");
  } catch (error) {
    return refused(error);
  }
};
