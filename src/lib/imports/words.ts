/** Meaning of a word: a truth, or a state of a person. `doubtful` states are those of products too. */
export type Meaning = "true" | "false" | "yes" | "no" | "doubtful";

const WORDS_OF: Readonly<Record<Meaning, string>> = {
  true: "true|t|yes|y|1|x|on|ja|j|wahr|oui|o|vrai|si|sí|s|verdadero|vero|sim|verdadeiro|tak|да|✓|✔",
  false:
    "false|f|no|n|0|off|nein|falsch|non|faux|falso|não|nao|nee|onwaar|nie|нет|never|none|not set|[]|{}|-|--|–|—|✗|✘|0000 00 00|0000 00 00 00:00:00",
  yes: [
    "subscribed|subscriber|regular|premium|express|implied|implicit|active|confirmed|opted in|opt in|optin|enabled|accepted|granted|single opt in|double opt in|marketing contact",
    "angemeldet|abonniert|aktiv|bestätigt|abonné|abonnée|inscrit|inscrite|actif|suscrito|suscrita|activo|iscritto|iscritta|attivo",
    "inscrito|inscrita|ativo|ingeschreven|actief|aangemeld|aktywny|подписан",
  ].join("|"),
  no: [
    "unsubscribed|unsubscribe|unsub|opted out|opt out|optout|optedout|cleaned|bounced|bounce|bouncing|hard bounced|hard bounce|hardbounce",
    "hardbounced|soft bounced|softbounced|complained|complaint|complainer|spam|spam complaint|spamcomplaint|spam report|marked as spam|reported spam|reported",
    "abuse|junk|suppressed|blacklisted|blocklisted|globally unsubscribed|do not contact|do not email|do not mail|donotcontact|dnc|not subscribed",
    "never subscribed|non subscribed|nonsubscribed|unsubscribed from all|email disabled|undeliverable|unconfirmed|not confirmed|not opted in",
    "no consent|no permission|non marketing contact|revoked|withdrawn|unsubbed|removed by user|manual unsubscribe|unreachable",
    "abgemeldet|ausgetragen|nicht abonniert|nicht angemeldet|nicht bestätigt|unbestätigt|désabonné|désabonnée|desabonne|désinscrit|désinscrite|desinscrit",
    "non abonné|non inscrit|dado de baja|dada de baja|baja|desuscrito|desuscrita|no suscrito|no suscrita|rebotado|disiscritto|disiscritta|non iscritto",
    "non iscritta|descadastrado|não inscrito|uitgeschreven|afgemeld|niet ingeschreven|wypisany|wypisana|отписан|отписался",
  ].join("|"),
  doubtful: [
    "inactive|cancelled|canceled|cancel|disabled|deleted|removed|archived|pending|unverified|invalid|rejected|blocked|banned|suspended|deactivated",
    "expired|denied|declined|refused|paused|dead|failed|unpaid|transactional|validating|past due|inaktiv|gesperrt|gekündigt|gelöscht|storniert|ausstehend|inactif|bloqué|supprimé",
    "annulé|résilié|en attente|inactivo|cancelado|cancelada|bloqueado|eliminado|pendiente|inattivo|cancellato|cancellata|bloccato|in attesa|inativo",
    "pendente|inactief|geannuleerd|geblokkeerd|nieaktywny|неактивен",
  ].join("|"),
};

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  (Object.entries(WORDS_OF) as [Meaning, string][]).flatMap(([meaning, words]) =>
    words.split("|").map((word): [string, Meaning] => [word, meaning]),
  ),
);

const LONGEST = 40;

/** Spelling by which a cell is compared: `Opted_Out` is `opted out`. */
export const wordOf = (cell: string): string => {
  const lower = cell.toLowerCase();
  return MEANINGS.has(lower) ? lower : lower.replaceAll(/[\s_-]+/g, " ").trim();
};

/** Meaning of a cell, or undefined where it is no known word. */
export const meaningOf = (cell: string): Meaning | undefined =>
  cell.length > LONGEST ? undefined : (MEANINGS.get(cell) ?? MEANINGS.get(wordOf(cell)));

/** Parts of a longer phrase for "no": `Isp complained`, `Unsubscribed (by admin)`, `5.1.1`. */
const NO_PHRASE =
  /\bun ?subscri|\bopt(ed)? ?out|\b(ge)?boun[cz]|\bcomplain|\bspam|suppress|\bblack ?list|\bblock(ed|list)|\bdo ?not ?(e ?mail|mail|contact|send)|\bno[nt] ?(e ?mail|mail|market|subscri|consent|confirm|activ|opted|verif)|\bun(confirm|activ|verif|deliver)|\b(awaiting|pending) (confirm|opt|verif)|quarantin|\bexcluded\b|abgemeldet|ausgetragen|d[eé]s(abonn|inscri)|^5\.\d{1,3}\.\d{1,3}\b|^5[0-5]\d[ -]/;
const NOT_NO = /\b(not|never|nicht|no) (un ?subscri|opted out|bounc|complain|spam|suppress|block)/;
const MAX_PHRASE = 60;

/** True for a phrase without a known meaning that says "no". Only for columns that are about mail: elsewhere it may be a name or a topic. */
export const isNoPhrase = (cell: string): boolean => {
  if (cell.length > MAX_PHRASE) return false;
  const word = wordOf(cell);
  return NO_PHRASE.test(word) && !NOT_NO.test(word);
};

const NOTHING = new Set(
  "NULL null (null) <null> [null] \\N #N/A #NV #NULL! #VALUE! #REF! #NAME? #DIV/0! N/A n/a NaN undefined".split(" "),
);
const MAX_NOTHING = 9;

/** True for an empty cell, and for the words of databases and spreadsheets for one. "Null" is a surname. */
export const isBlank = (cell: string): boolean => cell === "" || (cell.length <= MAX_NOTHING && NOTHING.has(cell));

/** Truth of a cell: `true`, `ja`, `WAHR`, `subscribed`; undefined for another word. */
export const toBoolean = (cell: string): boolean | undefined => {
  switch (meaningOf(cell)) {
    case "true":
      return true;
    case "false":
      return cell.startsWith("-") ? undefined : false;
    default:
      return { subscribed: true, unsubscribed: false }[wordOf(cell)];
  }
};
