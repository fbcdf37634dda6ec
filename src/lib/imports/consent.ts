import type { ColumnTally } from "./tally.ts";
import { isBlank, isNoPhrase, type Meaning, meaningOf, wordOf } from "./words.ts";

/** Reading of a column that says who is subscribed. `words`: only these cells answer what `asks` asks. */
export type Consent = { asks: "subscribed" | "unsubscribed"; words?: readonly string[] };

const CONSENT = /^(subscribed|unsubscribed)(?::(.+))?$/s;

/** Reads `subscribed`, `unsubscribed`, `subscribed:yes please|x` or `unsubscribed:cleaned|gone`. */
export const consentIn = (to: string): Consent | undefined => {
  const [, asks, words] = CONSENT.exec(to) ?? [];
  if (asks === undefined) return undefined;
  const listed = words?.split("|").map(wordOf);
  return { asks: asks as Consent["asks"], ...(listed ? { words: listed } : {}) };
};

const NO: ReadonlySet<Meaning | undefined> = new Set<Meaning>(["no", "doubtful"]);
const saysNo = (cell: string, meaning = meaningOf(cell)): boolean =>
  NO.has(meaning) || (meaning === undefined && isNoPhrase(cell));

/**
 * Answer of a cell: true for a subscribed person. `says nothing` leaves the contact as it is, and undefined is no
 * answer. A word for "no" is one in each column.
 *
 * @param cell empty only where `words` decide
 */
export const readConsent = (
  { asks, words }: Consent,
  cell: string,
  isDate: (cell: string) => boolean,
): boolean | "says nothing" | undefined => {
  const meaning = cell === "" ? undefined : meaningOf(cell);
  if (words) {
    const isListed = words.includes(wordOf(cell));
    if (asks === "subscribed") return isListed;
    return isListed || meaning === "no" || (meaning === undefined && isNoPhrase(cell)) ? false : "says nothing";
  }
  if (asks === "unsubscribed") return meaning === "false" || meaning === "yes";
  if (saysNo(cell, meaning) || meaning === "false") return false;
  return meaning !== undefined || isDate(cell) ? true : undefined;
};

/** Words of a name in lower case, without accents: `UNSUB_TIME` is `unsub time`. */
const wordsOfName = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const NEGATIVE =
  /\bun ?sub|\bopt(ed)? ?outs?\b|\boptout|\bdo ?not ?(e ?mail|mail|contact|send)|\bdnc\b|\b(no|not|non|never|nicht|niet) ?(e ?mails?|mailings?|newsletter|marketing|subscrib|opted|abonn|suscri|iscritt|inscri|ingeschreven)|abgemeldet|abmelde|ausgetragen|desabonn|desinscri|desuscri|disiscri|\bbaja\b|descadastr|uitgeschreven|uitschrij|afgemeld|\bclean(ed)?\b|bounce|quarantin|\bineligib|\bun ?(?:deliverable|mailable)|suppress|\bexclu(ded|sion)|black ?list|block ?list|complain|\bspam|\bjunk\b|(e ?mail|mail|newsletter|marketing|sending|delivery) ?(is )?(disabled|blocked|off|stopped|suspended|invalid)|wider(ruf|spr)|revoked|withdrawn|отпис/;
const POSITIVE =
  /subscri|\bopt(ed)? ?in|\boptin|consent|\baccepts?\b|\ballow|\bagree|permission|e ?mail ?marketing|marketing ?(e ?mails?|ok|allowed|status|contact)|\bnewsletters?\b|\bgdpr|\bdsgvo|einwilligung|angemeldet|abonn|\binscri|suscri|iscritt|ingeschreven|mailable|contactable|\bcan (e ?)?mail|(e ?mail|contact) ?(is )?enabled|подпис/;
const DOUBTFUL_NO =
  /\b(cancel|inactiv|disabled|deactivat|deleted|removed|archived|blocked|banned|invalid|inaktiv|gekundigt|gesperrt|geloscht|resili|annul|inactif|inattiv|churn)/;
const DOUBTFUL_YES = /\b(active|enabled|confirmed|aktiv|actif|activo|attivo|ativo)\b/;
const STATE = /\b(status|state|estado|statut|stato|estatus|situacao|zustand)\b/;
/** Columns that go with an answer and are none. */
const ASIDE =
  /\b(track|tracking|link|url|uri|href|token|hash|page|score|risk|rate|percent|soft|text|wording|ip|version|method|plan|digest \w+|subscriptions? (type|id|name|price|amount|start|end|tier|item|count))s?\b/;
/** Columns about another way to reach a person. */
const OTHER_WAY = /\b(sms|phone|mobile|push|whats ?app|calls?|postal|fax|viber)\b/;
const PURCHASE = /\b(active|paid|paying|premium) subscri|\b(paid|paying|is premium)\b/;
const SELLS =
  /\b(plan|billing|stripe|trial|premium|tier|membership|payment|invoice|orders?|price|amount|currency|mrr|arr|product|interval|seats|quantity|customer id|subscription (status|state))\b/;
const MAILS =
  /\b(utm|opens?|opened|clicks?|clicked|campaigns?|newsletters?|lists?|tags?|referr\w*|opt ?in|subscribers?)\b/;

type Answers = Record<Meaning | "filled" | "known" | "phrase" | "code", number>;

const answersOf = (cells: readonly string[]): Answers => {
  const answers = { true: 0, false: 0, yes: 0, no: 0, doubtful: 0, filled: cells.length, known: 0, phrase: 0, code: 0 };
  for (const cell of cells) {
    const meaning = meaningOf(cell);
    if (cell.length === 1 && meaning !== "true") answers.code += 1;
    if (meaning === undefined) {
      if (isNoPhrase(cell)) answers.phrase += 1;
      continue;
    }
    answers[meaning] += 1;
    answers.known += 1;
  }
  return answers;
};

/**
 * Column that says who gets no mail. `to`: mapping that keeps it; null where a person has to decide. `says`: cells that
 * say "no", of the whole file where they were counted.
 */
export type ConsentColumn = { column: string; to: string | null; says: number };

/** Counts of a whole file. */
export type Counted = { rows: number; columns: readonly ColumnTally[] };

type Sample = { name: string; cells: readonly string[]; tally: ColumnTally | undefined; rows: number };
type Found = Omit<ConsentColumn, "column"> | undefined;

/** Finds the columns that say who gets no mail, by names and by values. */
export const consentColumns = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  counted?: Counted,
): ConsentColumn[] => {
  const names = columns.map(wordsOfName);
  const sells = names.some((name) => SELLS.test(name)) && !names.some((name) => MAILS.test(name));
  return columns.flatMap((column, index) => {
    const cells = rows.flatMap((row) => (isBlank(row[index] ?? "") ? [] : (row[index] ?? "")));
    const sample = {
      name: names[index] ?? "",
      cells,
      tally: counted?.columns[index],
      rows: counted?.rows ?? rows.length,
    };
    const found = consentOf(sample, sells);
    return found ? [{ column, ...found }] : [];
  });
};

const consentOf = (sample: Sample, sells: boolean): Found => {
  const { name, cells, tally } = sample;
  const seen = answersOf(cells);
  const all: Answers = tally ? { ...tally, known: seen.known } : seen;
  const states = all.no + all.doubtful;
  const statesOfMail = states + all.phrase;
  const toDecide = (says: number): Found => (says > 0 ? { to: null, says } : undefined);
  if (OTHER_WAY.test(name) && !/mail/.test(name)) return undefined;
  if (ASIDE.test(name) || PURCHASE.test(name)) return toDecide(all.no);
  if (NEGATIVE.test(name)) return { to: "unsubscribed", says: all.filled - all.false - all.yes };
  const isDoubtful = all.no + all.phrase === 0 && sells;
  if (POSITIVE.test(name)) {
    const says = statesOfMail + all.false;
    if (isDoubtful && all.doubtful > 0) return toDecide(says);
    return seen.known === 0 && says === 0 ? undefined : answered(says, seen, all, sample);
  }
  if (STATE.test(name)) {
    if (statesOfMail > 0) return isDoubtful ? toDecide(states) : mapped(statesOfMail, seen, cells);
    if (all.code + all.true === all.filled && !sells) return toDecide(all.code);
    return all.yes > 0 && !sells && seen.known === seen.filled ? { to: "subscribed", says: 0 } : undefined;
  }
  if (DOUBTFUL_NO.test(name)) return toDecide(all.filled - all.false - all.yes);
  if (DOUBTFUL_YES.test(name)) return toDecide(states + all.false);
  if (all.no === 0) return undefined;
  return seen.known * 2 >= seen.filled ? mapped(states, seen, cells) : toDecide(all.no);
};

const MAX_WORDS = 400;

/** A state that has unknown words too is read by those for "no". */
const mapped = (says: number, seen: Answers, cells: readonly string[]): Found => {
  if (seen.known + seen.phrase === seen.filled) return { to: "subscribed", says };
  const words = [...new Set(cells.map(wordOf))].filter((word) => saysNo(word));
  const listed = `unsubscribed:${words.join("|")}`;
  return { to: words.length === 0 || listed.length > MAX_WORDS ? null : listed, says };
};

/** One word for "yes" beside blanks, such as a cross, makes the blanks a "no". */
const answered = (says: number, seen: Answers, all: Answers, { name, cells, rows }: Sample): Found => {
  const words = new Set(cells.map(wordOf));
  const isOneYes = words.size === 1 && seen.true + seen.yes === seen.filled && says === 0;
  const isOwn = name === "subscribed" || name === "is subscribed";
  return isOneYes && !isOwn && all.filled < rows
    ? { to: `subscribed:${[...words].join("")}`, says: rows - all.filled }
    : { to: "subscribed", says };
};

const CLEAN = /\bclean\b/g;

/** True where the name of a file says that its people get no mail: `unsubscribed_members_export.csv`. */
export const isNoByName = (file: string): boolean => NEGATIVE.test(wordsOfName(file).replaceAll(CLEAN, " "));
