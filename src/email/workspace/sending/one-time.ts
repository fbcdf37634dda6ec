/** Parts of names of variables that stand for something that works once or lets a person in. */
const ONE_TIME =
  /^(?:link|url|href|button ?url)$|code|token|otp|one ?time|pin$|passw|secret|magic|verif|confirm|reset|login|\blog in\b|signin|\bsign in\b|invit|api ?key|two ?factor|two ?fa\b/;
/** Words with such a part that let no person in. */
const OTHERS =
  /\b(?:post(?:al)?|zip|area|country|region|state|province|city|airport|currency|language|locale|colou?r|product|sort|bar|status|error|dial(?:l?ing)?) ?codes?\b|\b(?:de|en)code\w*|\bcodecs?\b|\bpresets?|\bsecretar\w*|\bfoot(?:print|path|port)\w*|\b(?:as|de|re)?signing|\bcataloging/g;
/** The same as whole words, because other names have these letters too. */
const WORDS: ReadonlySet<string> = new Set(
  "tan mtan totp hotp mfa 2fa tfa auth sso nonce activation activate unlock recovery recover authenticate authentication authorize authorization".split(
    " ",
  ),
);

const inWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, " ")
    .trim();

const isOneTime = (name: string): boolean => {
  const words = inWords(name);
  return ONE_TIME.test(words.replace(OTHERS, " ")) || words.split(" ").some((word) => WORDS.has(word));
};

/** Names of the variables that may let a person in, or work once. */
export const oneTimeIn = (variables: readonly string[]): string[] =>
  variables.map((variable) => variable.slice(variable.indexOf(".") + 1)).filter(isOneTime);

/** Parameters of addresses that let a person in, whatever their variable is called. */
const PARAMETER = /(?:token|code|otp|key|sig|signature|secret|ticket|hash|password)=/i;
const PATH =
  /[/_.-](?:log-?in|sign-?in|sign-?up|activat(?:e|ion)|verif(?:y|ication)|validate|reset|recover(?:y)?|unlock|magic|confirm(?:ation)?|invit(?:e|ation)|accept|auth|authorize|otp|sso|token|one-?time|passwordless)(?![a-z\d])/i;
/** Codes as people read them: `839201`, `839-201`, `8 3 9 2 0 1`, `ABCD-1234`. */
const CODE = /^\d{6,8}$|^\d{3,4}(?:[ -]\d{3,4}){1,2}$|^\d(?:[ -]\d){5,7}$|^[A-Z\d]{4}(?:-[A-Z\d]{4})+$/;
const RUN = /[\w~+-]{6,}/g;
/** Name of a code in a sentence. */
const NAMED =
  /(?<!(?:post|zip|country|area|sort|bar|product) ?)(?:code|pin|password|passwort|kennwort|otp|token|clave|contraseña|mot de passe)(?!\p{L})(?:\s{0,3}[:=]\s{0,3}\S|.{0,200}?(?<![\p{L}\d])\d{4,8}(?![\p{L}\d]))|(?<![\p{L}\d])\d{4,8}(?![\p{L}\d]).{0,60}?(?<!\p{L})(?:code|pin|otp)(?!\p{L})/isu;
const MIXED = /\d(?=[a-z])|[a-z](?=\d)/gi;
const INVISIBLE = /[\u200b-\u200d\u2060\ufeff]/g;
const ADDRESS = /^(?:[a-z][a-z\d+.-]{0,20}:)?\/\/|^(?=[\w-]+\.[\w.-]+(?::\d+)?[/?#])/i;
const LOGIN = /^[^/?#]*:[^/?#]*@/;
/** Characters of a value that may be one code. */
const MAX_CODE = 100;

/** Letters and digits take turns in a token, and hardly in words. */
const hasRandom = (text: string): boolean =>
  (text.match(RUN) ?? []).some((run) => (run.match(MIXED)?.length ?? 0) >= 3);

const isCode = (text: string): boolean =>
  text.length <= MAX_CODE && CODE.test(text.replace(/<[^<>]*>/g, " ").replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, ""));

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const lets = (address: string): boolean => {
  const start = address.search(/[/?#]/);
  if (LOGIN.test(address)) return true;
  if (start === -1) return PARAMETER.test(address);
  const path = decoded(address.slice(start));
  return PARAMETER.test(path) || PATH.test(path) || hasRandom(path);
};

/** True for what looks like a code, a token, or an address that lets a person in. */
export const looksOneTime = (value: string): boolean => {
  const text = value.normalize("NFKC").replace(INVISIBLE, "").trim();
  if (isCode(text) || NAMED.test(text)) return true;
  return text.split(/[\s"'<>]+/).some((piece) => {
    const [scheme] = ADDRESS.exec(piece) ?? [];
    return scheme === undefined ? hasRandom(piece) && !piece.includes("@") : lets(piece.slice(scheme.length));
  });
};
