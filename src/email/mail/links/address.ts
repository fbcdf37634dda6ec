import { sha256 } from "@noble/hashes/sha2.js";
import { emailKey } from "../../../lib/util/email-key.ts";
import { toBytes, toHex } from "../../../lib/util/hmac.ts";

/** Returns a short digest, so that a link to a former address does not subscribe the current one. */
export const addressDigest = (email: string): string => toHex(sha256(toBytes(emailKey(email)))).slice(0, 16);
