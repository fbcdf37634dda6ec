import { sameText } from "../../util/hmac.ts";
import { isSignedBy } from "../parts/certificate.ts";
import { fetchText } from "../parts/keys.ts";
import { mismatch, missing, notConfigured, refuse, unavailable } from "../parts/refusal.ts";
import type { SignatureRefusal, SignedRequest, VerifyContext } from "../scheme.ts";

const ARN = /^arn:(aws[a-z-]*):sns:([a-z\d-]+):\d+:[\w.-]+$/;
const CERTIFICATE = /^SimpleNotificationService(-\w+)?\.pem$/;

const CONFIRMATION = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: CONFIRMATION,
  // AWS documents the same fields for both confirmations; aws sns-validator leaves Token out of this one.
  UnsubscribeConfirmation: CONFIRMATION,
};

/** SNS address in the topic's region. Certificates are fetched and subscriptions confirmed only there. */
const snsOf = (topic: string): string | undefined => {
  const [, partition, region] = ARN.exec(topic) ?? [];
  return region && `https://sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}/`;
};

const restAt = (topic: unknown, url: unknown): string | undefined => {
  const start = snsOf(String(topic));
  return start !== undefined && typeof url === "string" && url.startsWith(start) ? url.slice(start.length) : undefined;
};

const isConfirmation = (topic: unknown, url: unknown): url is string =>
  /^\?Action=ConfirmSubscription&[\w=&:.%-]+$/.test(restAt(topic, url) ?? "");

const parsed = (raw: string): Readonly<Record<string, unknown>> => {
  try {
    return (JSON.parse(raw) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
};

/**
 * Checks an Amazon SNS message by its certificate. All AWS accounts share it, so the topic must be in the source's
 * secret.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export const verifySns = async (
  { raw }: SignedRequest,
  topics: readonly string[],
  now: number,
  context: VerifyContext,
): Promise<SignatureRefusal | undefined> => {
  const known = topics.map((topic) => topic.trim()).filter((topic) => ARN.test(topic));
  if (known.length === 0) return notConfigured(topics.length, "the topic's ARN");
  const message = parsed(raw);
  const { Type, TopicArn, Signature, SignatureVersion, SigningCertURL } = message;
  if (typeof Signature !== "string" || Signature === "") return missing(["Signature"], "field");
  let ours = false;
  for (const topic of known) if (await sameText(topic, String(TopicArn))) ours = true;
  if (!ours)
    return refuse("invalid_signature", "The message comes from a topic that is not configured for this source.");
  const fields = typeof Type === "string" && Object.hasOwn(FIELDS, Type) ? FIELDS[Type] : undefined;
  const hash = SignatureVersion === "1" ? "SHA-1" : SignatureVersion === "2" ? "SHA-256" : undefined;
  if (!fields || !hash) return refuse("invalid_signature", "The Type or SignatureVersion is not one of Amazon SNS.");
  if (typeof SigningCertURL !== "string" || !CERTIFICATE.test(restAt(TopicArn, SigningCertURL) ?? "")) {
    return refuse("invalid_signature", "SigningCertURL is not a certificate of Amazon SNS in the region of the topic.");
  }
  const content = fields
    .filter((name) => message[name] !== undefined && message[name] !== null)
    .map((name) => `${name}\n${String(message[name])}\n`)
    .join("");
  const pem = await fetchText(SigningCertURL, now, context);
  if (pem === undefined) return unavailable(SigningCertURL);
  return (await isSignedBy(pem, hash, Signature, content)) ? undefined : mismatch();
};

/** Confirms a subscription. Undefined for other messages; false if SNS did not confirm. */
export const confirmSubscription = async (
  message: unknown,
  fetch: VerifyContext["fetch"],
): Promise<boolean | undefined> => {
  const { Type, TopicArn, SubscribeURL } = Object(message) as Partial<Record<string, unknown>>;
  if (Type !== "SubscriptionConfirmation") return undefined;
  if (!isConfirmation(TopicArn, SubscribeURL)) return false;
  return (await fetch(SubscribeURL).catch(() => undefined))?.ok === true;
};
