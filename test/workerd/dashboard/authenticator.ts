import { ORIGIN } from "./bench.ts";

const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;
const encoder = new TextEncoder();
const utf8 = { encode: (text: string) => new Uint8Array(encoder.encode(text)) };
const toText = (bytes: Uint8Array) => bytes.toBase64(BASE64URL);
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const joined = (...parts: (Uint8Array | readonly number[])[]) => new Uint8Array(parts.flatMap((part) => [...part]));
const number = (value: number, bytes: number) =>
  new Uint8Array(Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 255));

const cborText = (text: string) => joined([0x60 + text.length], utf8.encode(text));
const cborBytes = (bytes: Uint8Array) => joined([0x59], number(bytes.length, 2), bytes);

const der = (signature: Uint8Array) => {
  const half = (bytes: Uint8Array) => {
    const from = Math.min(bytes.findIndex((byte) => byte !== 0) + 1 || bytes.length, bytes.length) - 1;
    const short = bytes.slice(from);
    return joined([2, short.length + ((short[0] ?? 0) > 127 ? 1 : 0)], (short[0] ?? 0) > 127 ? [0] : [], short);
  };
  const body = joined(half(signature.slice(0, 32)), half(signature.slice(32)));
  return joined([0x30, body.length], body);
};

/** Faults of an authenticator, or a page in another place. */
export type Wrong = {
  origin?: string;
  rpID?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  unverified?: boolean;
  absent?: boolean;
  userHandle?: string;
};

type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } };

/** A software passkey by WebAuthn level 3. Its counter goes up by one with each use. */
export const newAuthenticator = async (counts = true) => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const { publicKey, privateKey } = (await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const raw = new Uint8Array((await crypto.subtle.exportKey("raw", publicKey)) as ArrayBuffer);
  const id = crypto.getRandomValues(new Uint8Array(16));
  let counter = 0;
  let handle: string | undefined;

  const clientData = (challenge: string, type: string, wrong: Wrong) =>
    utf8.encode(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? ORIGIN,
        crossOrigin: wrong.crossOrigin ?? false,
      }),
    );
  const authData = async (rpID: string, flags: number, rest: Uint8Array, wrong: Wrong) => {
    const shown = (wrong.absent ? 0 : 1) | (wrong.unverified ? 0 : 4) | flags;
    return joined(await sha256(utf8.encode(wrong.rpID ?? rpID)), [shown], number(counter, 4), rest);
  };

  const create = async (options: Options, wrong: Wrong = {}) => {
    handle = options.user?.id;
    // A key for COSE: EC2, ES256, P-256, x, y.
    const key = joined(
      [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32],
      raw.slice(1, 33),
      [0x22, 0x58, 32],
      raw.slice(33, 65),
    );
    const attested = joined(new Uint8Array(16), number(id.length, 2), id, key);
    const data = await authData(options.rp?.id ?? "", 0x40, attested, wrong);
    const object = joined(
      [0xa3],
      cborText("fmt"),
      cborText("none"),
      cborText("attStmt"),
      [0xa0],
      cborText("authData"),
      cborBytes(data),
    );
    return {
      id: toText(id),
      rawId: toText(id),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: toText(clientData(options.challenge, "webauthn.create", wrong)),
        attestationObject: toText(object),
        transports: ["internal", "hybrid"],
      },
    };
  };

  const get = async (options: Options, wrong: Wrong = {}) => {
    if (counts) counter += 1;
    const client = clientData(options.challenge, "webauthn.get", wrong);
    const data = await authData(options.rpId ?? "", 0, new Uint8Array(), wrong);
    const signed = joined(data, await sha256(client));
    const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, signed);
    return {
      id: toText(id),
      rawId: toText(id),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: toText(client),
        authenticatorData: toText(data),
        signature: toText(der(new Uint8Array(signature))),
        userHandle: wrong.userHandle ?? handle,
      },
    };
  };

  const setCounter = (value: number) => {
    counter = value;
  };
  return { create, get, id: toText(id), setCounter };
};
