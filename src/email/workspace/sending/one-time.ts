/** Parts of names of variables that stand for something that works once or lets a person in. */
const ONE_TIME =
  /^(?:link|url|href|button_?url)$|code|token|otp|one_?time|pin$|passw|secret|magic|verif|confirm|reset|log_?in|sign_?in|invit|api_?key|two_?factor|two_?fa/i;
/** The same as whole words, because other names have these letters too. */
const WORDS: ReadonlySet<string> = new Set(
  "tan mtan totp hotp mfa 2fa tfa auth sso nonce activation activate unlock recovery recover authenticate authentication authorize authorization".split(
    " ",
  ),
);

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);

/** Names of the variables that may let a person in, or work once. */
export const oneTimeIn = (variables: readonly string[]): string[] =>
  variables
    .map((variable) => variable.slice(variable.indexOf(".") + 1))
    .filter((name) => ONE_TIME.test(name) || wordsOf(name).some((word) => WORDS.has(word)));

/** Parameters of addresses that let a person in, whatever their variable is called. */
const PARAMETER = /(?:token|code|otp|key|sig|signature|secret|ticket|hash|password)=/i;
const PATH =
  /[/_.-](?:log-?in|sign-?in|sign-?up|activat(?:e|ion)|verif(?:y|ication)|validate|reset|recover(?:y)?|unlock|magic|confirm(?:ation)?|invit(?:e|ation)|accept|auth|authorize|otp|sso|token|one-?time|passwordless)(?![a-z\d])/i;
const DIGITS = /^\d{6,8}$|^\d{3,4}[ -]\d{3,4}$/;
const RUN = /[\w~+-]{20,}/g;
const MIXED = /\d(?=[a-z])|[a-z](?=\d)/gi;

/** Letters and digits take turns in a token, and hardly in words. */
const hasRandom = (text: string): boolean =>
  (text.match(RUN) ?? []).some((run) => (run.match(MIXED)?.length ?? 0) >= 3);

/** True for what looks like a code, a token, or an address that lets a person in. */
export const looksOneTime = (value: string): boolean => {
  const text = value.trim();
  if (DIGITS.test(text)) return true;
  return text.split(/[\s"'<>]+/).some((piece) => {
    const at = piece.indexOf("://");
    if (at === -1) return hasRandom(piece) && !piece.includes("@");
    const address = piece.slice(at + 3);
    const path = address.slice(Math.max(0, address.search(/[/?#]/)));
    return PARAMETER.test(path) || (path !== address && (PATH.test(path) || hasRandom(path)));
  });
};
