import { remember } from "../../../lib/util/remember.ts";
import type { Feedback } from "../../types/feedback.ts";
import { classify, codesIn, isClear, readRefusal } from "./classify.ts";
import { withoutAddresses } from "./mask-names.ts";
import { tokenIn } from "./return-path-token.ts";
import { told } from "./told.ts";
import { lastRefusal, repliesIn } from "./transcript.ts";

/** A program, a person with the name of a mail server, such as a postmaster, or anyone. */
export type Sender = "daemon" | "office" | "other";

/** A possible server notice. `failed` is the header X-Failed-Recipients. `from`: its own address. */
export type Notice = {
  sender: Sender;
  from: string;
  subject: string;
  text: string;
  failed: string | undefined;
  /** Its header is that of an automatic answer. */
  isAutomatic: boolean;
  /** The mail returns another one as a part. */
  hasReturned: boolean;
};

const MAX_RECIPIENTS = 20;

const SERVER =
  /^(?:mailerdaemon|maildaemon|mdaemon|maildelivery|mailsystem|deliverysubsystem|internetmaildelivery|bounce(?:s|d)?$|mailrouter|emaildelivery)/;

const OFFICE = /^(?:postmaster|mailadmin|systemadministrator)/;

/** Tells a mail server's address or name. Both are empty in the null sender of a server. */
export const senderOf = ({ address, name }: { address: string; name: string }): Sender => {
  const names = [address, name].map((one) =>
    one
      .replace(/@.*$/s, "")
      .toLowerCase()
      .replace(/[^a-z]/g, ""),
  );
  if ((address === "" && name === "") || names.some((one) => SERVER.test(one))) return "daemon";
  return names.some((one) => OFFICE.test(one)) ? "office" : "other";
};

const QMAIL =
  /this is the qmail-send program|mail[- ]?delivery (sub)?system|message (that )?you sent could not be delivered/i;

const DELAYED =
  /\bdelay(ed)?\b|not yet been delivered|warning: (message|could not send)|still (trying|being retried)|will (be retried|continue to try|keep trying|try again)|no action is required|verzögert|noch nicht zugestellt|retard[ée]|demorad|non ancora consegnat|задерж|遅延/i;
const ENDED =
  /permanent (error|fail)|giv(?:en|ing) up|will not (be retried|try)|final attempt|no longer (try|attempt)/i;

/** Subjects of notices about failed delivery. */
const SUBJECT =
  /^\W{0,3}(?:undeliver|delivery (?:status )?(?:notif|fail|report|error|problem|unsucc)|delivery has failed|(?:mail |email |message )?(?:delivery )?failure|failed (?:mail|delivery)|failed to deliver|return(?:ed|ing) (?:mail|message|email|to)|(?:e?mail|message) (?:delivery|system error|could not|not delivered|undeliver|returned|status|error)|non-?deliver|could not deliver|unable to deliver|not delivered|bounce|unzustellbar|zustell(?:ung|fehler)|nicht zugestellt|(?:remise|livraison) impossible|non remis|[ée]chec|no (?:se pudo )?entreg|correo devuelto|devuelto|error de entrega|mancata consegna|messaggio non|n[aã]o entreg|falha|niet bezorg|kan niet worden bezorgd|nie dostarcz|niedostarcz|недостав|не достав|配信|送信エラー|メール送信|退信|系统退信|投递失败|无法投递|無法傳遞|전송 실패|반송)/i;

const FAILED =
  /undeliver|(?:could|can|was|were|has|had|have)(?: ?not|n.t) (?:be(?:en)? )?deliver|delivery (?:has |to .{1,200} )?fail|not (?:be )?able to deliver|unable to (?:be )?deliver|failed to deliver|error with your mail|could not deliver|unzustellbar|nicht zugestellt|nicht (?:aus|zu)geliefert|non remis|n.a pas pu [êe]tre (?:remis|livr|distribu)|no se pudo entregar|no (?:ha podido|pudo) ser entregad|non (?:è stato|può essere) (?:possibile )?(?:consegnat|recapitat)|n[aã]o (?:p[ôo]de|foi) (?:ser )?entregue|kon niet worden (?:bezorgd|afgeleverd)|не (?:может|удалось|был[ао]?) (?:быть )?достав|配信できません|配信されません|送信できません|お届けできません|无法投递|投递失败|退回|전달할 수 없/i;

/**
 * Reads a text notice (qmail, old Exim), one entry per address. A stranger's notice needs the words of a failure and
 * its reason. Returns undefined if it is none.
 */
export const readNotice = (notice: Notice): Feedback[] | undefined => {
  const { subject, failed } = notice;
  const read = createReading();
  const body = told(notice.text);
  const isDelayed = failed === undefined && DELAYED.test(`${subject}\n${body.slice(0, 1_000)}`) && !ENDED.test(body);
  const named = sectionsOf(body, notice.from);
  if (!isNotice(notice, body, named)) return undefined;
  const listed = failed?.match(/[^\s<>,;]+@[^\s<>,;]+/g) ?? [];
  const missing = listed
    .filter((address) => named.every(({ recipient }) => recipient.toLowerCase() !== address.toLowerCase()))
    .map((recipient) => ({ recipient, words: body }));
  const sections = [...named, ...missing].slice(0, MAX_RECIPIENTS);
  if (sections.length > 0) return sections.map(({ recipient, words }) => feedbackOf(read, words, isDelayed, recipient));
  if (!isDelayed && !hasReason(body) && !FAILED.test(body)) return undefined;
  return [feedbackOf(read, body, isDelayed)];
};

const isNotice = (notice: Notice, body: string, named: readonly Section[]): boolean => {
  const { sender, subject, failed, isAutomatic } = notice;
  if (failed !== undefined || QMAIL.test(body)) return true;
  const tells = () => isProven(notice, body) || named.some(({ words }) => isClear(words)) || namesAddress(notice, body);
  // Some servers send their notices as automatic answers.
  const isOfFailure = () => SUBJECT.test(subject) || FAILED.test(body) || SMTP_CODE.test(body);
  if (isAutomatic) return sender !== "other" && isOfFailure() && tells();
  if (sender === "daemon") return true;
  if (sender === "office")
    return named.length > 0 || SUBJECT.test(subject) || FAILED.test(body) || isProven(notice, body);
  const isAnswer = /^\W{0,2}(re|aw|sv|antw|fwd?|wg|tr|rv) ?:/i.test(subject);
  const isFailure = SUBJECT.test(subject) || (FAILED.test(body) && !isAnswer);
  return isFailure && tells();
};

/** A code of SMTP, no other number: `order 550`, `error 500`, `until 5.1.27`. */
const SMTP_CODE =
  /(?<![\w.])[45]\.[0-6]\.(?:\d|10)(?!\w|\.\w)|[45]\d\d[ -]#?[45]\.7\.\d|(?:^[^\p{L}\d\n]{0,10}|(?:said|says?|reply|replied|response|answer(?:ed)?|returned|error|code|reason|diagnostic|smtp|because|server|:)[\s"'(:#[=-]{1,6})[45][1-7]\d(?=[ -]\S|[ \t:;)\r]{0,9}$)/imu;

/** A person tells a failure too, but has neither code nor the returned mail. */
const isProven = ({ text, hasReturned }: Notice, body: string): boolean =>
  hasReturned || SMTP_CODE.test(body) || OF_RETURNED.test(text.slice(body.length, body.length + 20_000));

const OF_RETURNED = /^(?:return-path|received|message-id|dkim-signature|list-unsubscribe):/im;

const ADDRESS = /[^\s<>@:'"(),;]{1,64}@[^\s<>@:'"(),;]{1,255}/;
const MAIL =
  /mail(?! ?box)|message|nachricht|mensaje|correo|mensagem|messaggio|courriel|bericht|wiadomo|сообщ|письм|メール|邮件|郵件|메일|메시지/i;

/** True if a sentence says that a mail to an address failed. People sign with their own. */
const namesAddress = ({ from }: Notice, body: string): boolean =>
  (from === "" ? body : body.toLowerCase().replaceAll(from, ""))
    .split(/[.!?。]\s|\n[ \t\r]{0,9}\n/)
    .some((sentence) => ADDRESS.test(sentence) && FAILED.test(sentence) && MAIL.test(withoutAddresses(sentence)));

const hasCode = (body: string): boolean => {
  const { code, replyCode } = codesIn(body);
  return code !== undefined || replyCode !== undefined;
};

const hasReason = (body: string): boolean => hasCode(body) || classify({}, body) !== "soft";

/** Functions that read equal words of many recipients once. */
const createReading = () => ({ repliesOf: remember(repliesIn, MAX_RECIPIENTS), refusalOf: remember(readRefusal) });

const feedbackOf = (
  { repliesOf, refusalOf }: ReturnType<typeof createReading>,
  words: string,
  isDelayed: boolean,
  recipient?: string,
): Feedback => {
  const { codes, failure, message } = refusalOf(lastRefusal(words, recipient, repliesOf), "");
  return {
    kind: isDelayed ? "delayed" : failure,
    ...(recipient === undefined ? {} : { recipient }),
    ...codes,
    message,
  };
};

type Section = { recipient: string; words: string };

const ADDRESS_LINE =
  /^[ \t*•-]{0,12}(?:(?:recipient|original|final|failed|destination|e-?mail|empfänger|destinata\w{2,4}|получатель|收件人|宛先)[\w -]{0,20}[:：][ \t]*)?['"]?<?([^\s<>@:'"()：（）、，。；]{1,64}@[^\s<>@:'"()：（）、，。；]{1,255})>?['"]?(?:[ \t]*:)?[ \t]*(?:\([^)]{0,200}\))?[ \t]*(.*)$/i;

/** Words by address. A repeated address continues its words; ours and that of the sender are no recipients. */
const sectionsOf = (body: string, from = ""): Section[] => {
  const sections = new Map<string, Section>();
  let last: Section | undefined;
  for (const line of body.split(/\r?\n/)) {
    const [, recipient, rest = ""] = ADDRESS_LINE.exec(line) ?? [];
    const isOther = recipient !== undefined && tokenIn(recipient) === undefined && recipient.toLowerCase() !== from;
    if (isOther) {
      const key = recipient.toLowerCase();
      last = sections.get(key) ?? { recipient, words: "" };
      sections.set(key, last);
      last.words += last.words === "" ? rest : `\n${rest}`;
    } else if (last) last.words += `\n${line}`;
  }
  return [...sections.values()];
};

/** Reads a report's part for people once, and returns its words about a recipient, without the returned mail. */
export const createWordsFor = (text: string) => {
  let read: { body: string; sections: Section[] } | undefined;
  const repliesOf = remember(repliesIn, MAX_RECIPIENTS);
  return (recipient: string | undefined): string => {
    const body = read?.body ?? told(text);
    read ??= { body, sections: sectionsOf(body) };
    const address = recipient?.toLowerCase();
    const section = read.sections.find((one) => one.recipient.toLowerCase() === address);
    return lastRefusal(section?.words.trim() ? section.words : body, recipient, repliesOf);
  };
};
