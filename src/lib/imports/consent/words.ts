import { orderIn, readDate } from "../dates.ts";

/**
 * Kind of a cell: a truth, or a state of a person. `on`, `off`: states of an answer. `doubtful`: states of products too.
 * `phrase`, `denied`: longer words for "no"; the second may concern something else. `turned`: no "no". `link`: an address.
 */
export type Kind =
  | "true"
  | "false"
  | "yes"
  | "on"
  | "off"
  | "no"
  | "doubtful"
  | "phrase"
  | "denied"
  | "turned"
  | "date"
  | "link"
  | "other";

type Word = Exclude<Kind, "phrase" | "denied" | "turned" | "link" | "other">;

const WORDS_OF: Readonly<Record<Word, string>> = {
  true: "true|t|yes|y|1|x|on|ja|j|wahr|oui|o|vrai|si|s|verdadero|vero|sim|verdadeiro|tak|да|так|ano|kylla|igen|evet|はい|是|예|✓|✔|✔️|✅|☑|☑️",
  false:
    "false|f|no|n|0|off|nein|falsch|non|faux|falso|nao|nee|nei|nej|onwaar|nie|нет|ні|ne|ei|nem|hayir|いいえ|否|아니요|never|none|not set|[]|{}|-|--|–|—|✗|✘|❌|✖|✖️|☐|⬜|🚫|0000 00 00|0000 00 00 00:00:00",
  yes: [
    "subscribed|opted in|opt in|optin|single opt in|double opt in|singleoptin|doubleoptin|marketing contact|marketable",
    "angemeldet|abonniert|abonne|abonnee|inscrit|inscrite|suscrito|suscrita|iscritto|iscritta|inscrito|inscrita|ingeschreven|aangemeld|подписан",
    "tilmeldt|pameldt|prenumerant|tilattu|odebirane|prihlasen|prihlaseny|feliratkozott|abonat|abone|підписаний|配信中|購読中|希望する|受け取る|受信する|已订阅|已訂閱|구독",
  ].join("|"),
  on: [
    "subscriber|regular|premium|express|implied|implicit|explicit|active|confirmed|enabled|accepted|granted|given|allow|allowed|approved|requested|all|in|current|always",
    "eligible|valid|verified|deliverable|mailable|single|double|daily|weekly|monthly|sure|ok|aktiv|bestatigt|actif|activo|attivo|ativo|actief|aktywny|aktivni|aktivny",
  ].join("|"),
  off: "inactive|disabled|out|inaktiv|inactif|inactivo|inattivo|inativo|inactief|nieaktywny|неактивен",
  no: [
    "unsubscribed|unsubscribe|unsub|opted out|opt out|optout|optedout|cleaned|bounced|bounce|bouncing|hard bounced|hard bounce|hardbounce",
    "hardbounced|soft bounced|softbounced|complained|complaint|complainer|spam|spam complaint|spamcomplaint|spam report|marked as spam|reported spam|reported",
    "abuse|junk|suppressed|blacklisted|blocklisted|globally unsubscribed|do not contact|do not email|do not mail|do not allow|donotcontact|dnc|not subscribed",
    "never subscribed|non subscribed|nonsubscribed|unsubscribed from all|email disabled|undeliverable|unconfirmed|not confirmed|not opted in",
    "no consent|no permission|non marketing contact|revoked|withdrawn|unsubbed|removed by user|manual unsubscribe|unreachable|not eligible|ineligible|no email|no mail",
    "abgemeldet|ausgetragen|nicht abonniert|nicht angemeldet|nicht bestatigt|unbestatigt|desabonne|desabonnee|desinscrit|desinscrite",
    "non abonne|non inscrit|dado de baja|dada de baja|baja|desuscrito|desuscrita|no suscrito|no suscrita|rebotado|disiscritto|disiscritta|non iscritto",
    "non iscritta|descadastrado|nao inscrito|uitgeschreven|afgemeld|niet ingeschreven|wypisany|wypisana|отписан|отписался|відписаний|відписався",
    "avregistrerad|avprenumererad|afmeldt|avmeldt|frameldt|peruutettu|peruttu|odhlasen|odhlaseny|odhlaseno|leiratkozott|dezabonat|abonelikten cıktı|abonelikten cikti",
    "希望しない|受け取らない|受信しない|配信停止|配信停止中|配信解除|購読解除|登録解除|退会|已退订|退订|取消订阅|已取消订阅|退訂|已退訂|取消訂閱|已取消訂閱|수신거부|구독취소|구독 취소|απεγγραμμενος",
  ].join("|"),
  doubtful: [
    "cancelled|canceled|cancel|deleted|removed|archived|pending|unverified|invalid|rejected|blocked|banned|suspended|deactivated|held|on hold|stopped|former|lapsed|gone|left|quit|churned|resigned|austritt|ausgetreten",
    "expired|denied|declined|refused|paused|dead|failed|unpaid|transactional|validating|past due|gesperrt|gekundigt|geloscht|storniert|ausstehend|abgelehnt|deaktiviert|bloque|supprime",
    "annule|resilie|refuse|en attente|cancelado|cancelada|bloqueado|eliminado|pendiente|rechazado|cancellato|cancellata|bloccato|in attesa|rifiutato",
    "pendente|geannuleerd|geblokkeerd|geweigerd",
  ].join("|"),
  date: "(date)",
};

const LETTER = /\p{L}/u;

const plain = (cell: string): string =>
  cell
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const KINDS: ReadonlyMap<string, Word> = new Map(
  (Object.entries(WORDS_OF) as [Word, string][]).flatMap(([kind, words]) =>
    words.split("|").flatMap((word): [string, Word][] => [
      [word, kind],
      [LETTER.test(word) && kind !== "date" ? plain(word) : word, kind],
    ]),
  ),
);

const WHOLE = /^"?0*([01])(?:[.,]0+)?"?$/;

/** Spelling by which a cell is compared: `Opted_Out` and `OptedOut.` are `opted out`, `1.0` is `1`. */
export const wordOf = (cell: string): string => {
  const lower = cell.toLowerCase();
  if (KINDS.has(lower)) return lower;
  if (LETTER.test(cell)) return plain(cell);
  return WHOLE.exec(cell)?.[1] ?? lower.replaceAll(/[\s_-]+/g, " ").trim();
};

/** Parts of a longer phrase for "no": `Isp complained`, `Unsubscribed (by admin)`, `550 5.1.1`. */
const NO_PHRASE =
  /\bun ?(subscri|subbed)|\bopt(ed)? ?out|\b(ge)?boun[cz]|\bcomplain|\bspam|suppress|\bblack ?list|\bblock(ed|list)|\bdo ?n[o ]?t ?(e ?mail|mail|contact|send|want)|\bno[nt] ?(e ?mail|mail|market|subscri|consent|confirm|activ|opted|verif|eligib|permi)|\bun(confirm|activ|verif|deliver)|\b(awaiting|pending) (confirm|opt|verif)|quarantin|\bexcluded\b|\bineligib|abgemeldet|ausgetragen|des(abonn|inscri)|odhlas|leiratkoz|avmeld|afmeld|退订|退訂|配信停止/;
/** Phrases that say "no" in a column of any name. */
const PLAIN_NO = /\bunsubscribed\b|\bopted ?out\b|\bdo ?n[o ]?t ?(e ?mail|mail|contact|send)\b/;
const NO_CODE = /^(?:5\.\d{1,3}\.\d{1,3}\b|5[0-5]\d[ -])/;
const DENIED =
  /^(no|nope|not|never|nein|nicht|kein|keine|non|pas|aucun|nao|nee|niet|geen|nie|nei|nej|ikke|inte|dont|нет|не)( |$)/;
const AGREED = /^(yes|yep|yeah|ja|oui|si|sim|tak|da|sure|ok|okay|of course|true|granted|given|accepted)( |$)/;
const NEGATED = /(^| )(no|not|never|nicht|kein|keine|non|pas|un\w+|only|but) /;
const NOT_NO = /\b(not|never|nicht|no|non) (un ?subscri|opted out|bounc|complain|spam|suppress|block)/;

/** No more characters of a cell decide. */
export const MAX_READ = 80;

const NOTED = /\([^()]*\)|\[[^[\]]*\]/g;
const DATED = /\b(?:on |since |at |am |le |el |op |den )?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*$/i;
const PARTS = /[;,|/+]/;
const WORST = ["no", "phrase", "doubtful"] as const;

const kindOfParts = (cell: string): Kind | undefined => {
  if (!PARTS.test(cell)) return undefined;
  const kinds = new Set(
    cell
      .split(PARTS)
      .slice(0, 20)
      .map((part) => KINDS.get(wordOf(part.trim()))),
  );
  const worst = WORST.find((kind) => kind !== "phrase" && kinds.has(kind));
  if (worst) return worst;
  return [...kinds].every((kind) => kind === "on" || kind === "yes") ? "on" : undefined;
};

const LIMITING: ReadonlySet<Kind | undefined> = new Set<Kind>(["false", "off", "no", "doubtful"]);

/** Kind of a word beside a date or a note: `Yes (2024-01-02)`. A note may say "no": `Subscribed (inactive)`. */
const kindBeside = (cell: string): Kind | undefined => {
  const bare = cell.replaceAll(NOTED, " ").replace(DATED, " ").trim();
  if (bare === cell) return undefined;
  const notes = (cell.match(NOTED) ?? []).map((note) => KINDS.get(wordOf(note.slice(1, -1))));
  const kind = KINDS.get(wordOf(bare));
  return kind === "date" ? undefined : kind && notes.some((note) => LIMITING.has(note)) ? "doubtful" : kind;
};

const DIGIT = /\d/;

const foundKind = (cell: string): Kind => {
  const word = wordOf(cell);
  const known = KINDS.get(word);
  if (known) return known;
  if (cell.includes("@") || cell.includes("://")) return "link";
  if (DIGIT.test(cell)) {
    if (orderIn(cell) !== undefined || readDate(cell, "day-first") !== undefined) return "date";
    if (NO_CODE.test(cell)) return "phrase";
  }
  const parts = kindOfParts(cell);
  if (parts) return parts;
  const isTurned = NOT_NO.test(word);
  if (NO_PHRASE.test(word) && !isTurned) return PLAIN_NO.test(word) ? "no" : "phrase";
  const beside = kindBeside(cell);
  if (beside) return beside;
  if (isTurned) return "turned";
  if (DENIED.test(word)) return "denied";
  return AGREED.test(word) && !NEGATED.test(`${word} `) ? "on" : "other";
};

/** Kinds of the cells that were read last: a column has few different ones. */
const remembered = new Map<string, Kind>();
const MAX_REMEMBERED = 4_000;
/** Dates and addresses are many, and need no memory. */
const DAY = /^[12]\d{3}-[01]\d-[0-3]\d(?:$|[T ]\d)/;

/** Kind of a cell by its first characters. An upload and an import read cells by this alone, so that both agree. */
export const kindOf = (cell: string): Kind => {
  const read = cell.length > MAX_READ ? cell.slice(0, MAX_READ) : cell;
  if (DAY.test(read)) return "date";
  if (read.includes("@") && !read.includes(" ")) return "link";
  const before = remembered.get(read);
  if (before) return before;
  const kind = foundKind(read);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(read, kind);
  return kind;
};

const NOTHING = new Set(
  "NULL null (null) <null> [null] \\N #N/A #NV #NULL! #VALUE! #REF! #NAME? #DIV/0! N/A n/a NaN undefined".split(" "),
);
const MAX_NOTHING = 9;

/** True for an empty cell, and for the words of databases and spreadsheets for one. "Null" is a surname. */
export const isBlank = (cell: string): boolean => cell === "" || (cell.length <= MAX_NOTHING && NOTHING.has(cell));

/** Truth of a cell: `true`, `ja`, `WAHR`, `subscribed`; undefined for another word. */
export const toBoolean = (cell: string): boolean | undefined => {
  const word = wordOf(cell);
  switch (KINDS.get(word)) {
    case "true":
      return true;
    case "false":
      return cell.startsWith("-") ? undefined : false;
    default:
      return { subscribed: true, unsubscribed: false }[word];
  }
};
