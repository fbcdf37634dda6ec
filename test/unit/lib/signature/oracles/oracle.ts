import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A part of a request: the first match in a header, or in the body without a header. */
type Part = { header?: string; match: RegExp };

export type Signed = {
  raw: string;
  headers: Record<string, string>;
  secret: string;
  url?: string;
  texts?: Record<string, string>;
};

export type Oracle = {
  provider: string;
  package: string;
  /** Signs with the vendor's package. If that can only verify (`accepts`), signs by the documented rule. */
  make(now: number): Promise<Signed> | Signed;
  accepts?(request: Signed, now: number): Promise<boolean> | boolean;
  parts: Readonly<Partial<Record<"body" | "timestamp" | "id" | "signature" | "address", Part>>>;
};

/** Flips the lowest bit of a part's `nth` character. Throws if the part is absent. */
export const flipped = (request: Signed, { header, match }: Part, nth: number): Signed => {
  const text = header === undefined ? request.raw : (request.headers[header] ?? "");
  const found = match.exec(text);
  const span = found?.[1] ?? found?.[0] ?? "";
  const at = (found?.index ?? 0) + (found?.[0] ?? "").indexOf(span) + Math.min(nth, span.length - 1);
  if (span === "") throw new Error(`nothing to flip in ${header ?? "the body"}`);
  const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
  return header === undefined
    ? { ...request, raw: changed }
    : { ...request, headers: { ...request.headers, [header]: changed } };
};

/** False if a check throws or returns false or null. */
export const holds = async (check: () => unknown): Promise<boolean> => {
  try {
    const result = await check();
    return result !== false && result !== null;
  } catch {
    return false;
  }
};

const der = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

/** A certificate (PEM) for a key. Its signature is empty: no test checks it. */
export const certificateOf = (key: KeyObject): string => {
  const rsaSha256 = der(0x30, der(0x06, Buffer.from("2a864886f70d01010b", "hex")), der(0x05));
  const name = der(0x30);
  const dates = der(0x30, der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z")));
  const spki = key.export({ type: "spki", format: "der" });
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const signed = der(0x30, version, der(0x02, Buffer.from([1])), rsaSha256, name, dates, name, spki);
  const whole = der(0x30, signed, rsaSha256, der(0x03, Buffer.alloc(257)));
  return `-----BEGIN CERTIFICATE-----\n${whole
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n")}\n-----END CERTIFICATE-----\n`;
};

export const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

export const snsMessage = (more: Record<string, string> = {}, version: "1" | "2" = "2"): Record<string, string> => {
  const message: Record<string, string> = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: "arn:aws:sns:eu-central-1:123456789012:mail",
    Subject: "Hello",
    Message: '{"a":1}',
    Timestamp: "2025-10-09T08:53:20.000Z",
    SigningCertURL: "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-test.pem",
    SignatureVersion: version,
    UnsubscribeURL: "https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe",
    ...more,
  };
  const fields = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
  const names =
    message.Type === "Notification"
      ? fields.filter((f) => f !== "SubscribeURL" && f !== "Token")
      : fields.filter((f) => f !== "Subject");
  const content = names.filter((field) => field in message).map((field) => `${field}\n${message[field]}\n`);
  const signature = sign(version === "1" ? "sha1" : "sha256", Buffer.from(content.join("")), rsa.privateKey);
  return { ...message, Signature: signature.toString("base64") };
};
