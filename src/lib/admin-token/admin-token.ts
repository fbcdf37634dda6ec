import { keyRefusal, type Refusal } from "../contract/errors.ts";
import { bearerOf } from "../util/bearer.ts";
import { sameText } from "../util/hmac.ts";

/** Characters: a guessed token opens everything. */
export const MIN_TOKEN = 24;

const FIX = "Set a longer one on all Workers: openssl rand -hex 32 | npx wrangler secret put ADMIN_TOKEN";

/** Returns why an ADMIN_TOKEN admits no one; undefined if it can be used. */
export const tokenProblem = (token = ""): string | undefined => {
  if (token.length >= MIN_TOKEN) return undefined;
  return `ADMIN_TOKEN ${token === "" ? "is not set" : `has fewer than ${MIN_TOKEN} characters`}. ${FIX}`;
};

/** Returns why a request is none of the operator. `isWrong`: it had another token. */
export const refusalOfToken = async (
  request: Request,
  token = "",
): Promise<{ refusal: Refusal; isWrong: boolean } | undefined> => {
  const given = bearerOf(request);
  if (given === undefined)
    return {
      refusal: keyRefusal("missing_api_key", "Send Authorization: Bearer with the value of ADMIN_TOKEN."),
      isWrong: false,
    };
  const problem = token === "" ? undefined : tokenProblem(token);
  if (problem) return { refusal: { code: "admin_token_unusable", message: problem }, isWrong: false };
  if (token !== "" && (await sameText(given, token))) return undefined;
  const message = "This admin token is not valid: it must be the value of ADMIN_TOKEN.";
  return { refusal: keyRefusal("invalid_api_key", message), isWrong: true };
};
