import { aboutOf, isReason, isStopped, sellsBy, wordsOfName } from "./names.ts";
import type { Counted } from "./tally.ts";
import { type Kind, kindOf, wordOf } from "./words.ts";

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

/** Answer of each kind of cell: true for a subscribed person, undefined for no answer. */
const ANSWERS: Readonly<Record<Consent["asks"], Readonly<Record<Kind, boolean | undefined>>>> = {
  subscribed: {
    true: true,
    yes: true,
    on: true,
    date: true,
    false: false,
    off: false,
    no: false,
    doubtful: false,
    phrase: false,
    denied: false,
    turned: undefined,
    link: undefined,
    other: undefined,
  },
  unsubscribed: {
    true: false,
    yes: true,
    on: false,
    date: false,
    false: true,
    off: true,
    no: false,
    doubtful: false,
    phrase: false,
    denied: false,
    turned: false,
    link: false,
    other: false,
  },
};

/**
 * Answer of a cell: true for a subscribed person. `says nothing` leaves the contact as it is, and undefined is no
 * answer. A word for "no" is one in each column.
 *
 * @param cell empty only where `words` decide
 */
export const readConsent = ({ asks, words }: Consent, cell: string): boolean | "says nothing" | undefined => {
  if (!words) return ANSWERS[asks][kindOf(cell)];
  const isListed = words.includes(wordOf(cell));
  if (asks === "subscribed") return isListed;
  if (isListed) return false;
  const kind = cell === "" ? "other" : kindOf(cell);
  return kind === "no" || kind === "phrase" ? false : "says nothing";
};

/** Rows with this cell, empty for a blank one. `unknown`: the word does not tell. */
export type SaidCell = { cell: string; rows: number; says: "no" | "unknown" };

/**
 * Column that says who gets no mail. `to`: mapping that reads each of its cells; null where a person has to decide.
 * `says`: rows that say "no". `doubtful`: the column may be about a product or a list. `cells`: cells that a mapping must read.
 */
export type ConsentColumn = {
  column: string;
  to: string | null;
  says: number;
  doubtful: boolean;
  cells: SaidCell[];
};

type Cell = { cell: string; rows: number; kind: Kind };
type Sample = { name: string; cells: readonly Cell[]; filled: number; rows: number; sells: boolean };
type Found = Omit<ConsentColumn, "column"> | undefined;

/** Finds the columns that say who gets no mail, by their names and by each value of the file. */
export const consentColumns = (columns: readonly string[], counted: Counted): ConsentColumn[] => {
  const names = columns.map(wordsOfName);
  const sells = sellsBy(names);
  return columns.flatMap((column, index) => {
    const tally = counted.columns[index];
    if (!tally) return [];
    const cells = Object.entries(tally.cells).map(([cell, rows]): Cell => ({ cell, rows, kind: kindOf(cell) }));
    const found = consentOf({ name: names[index] ?? "", cells, filled: tally.filled, rows: counted.rows, sells });
    return found ? [{ column, ...found }] : [];
  });
};

const sum = (cells: readonly { rows: number }[]): number => cells.reduce((all, { rows }) => all + rows, 0);

const NO: ReadonlySet<Kind> = new Set<Kind>(["no", "phrase"]);
const STATES: ReadonlySet<Kind> = new Set<Kind>(["no", "phrase", "doubtful", "off"]);
const NOT_STATES: ReadonlySet<Kind> = new Set<Kind>(["false", "date", "link", "other", "denied", "turned"]);
const UNKNOWN: ReadonlySet<Kind> = new Set<Kind>(["other", "turned", "link"]);

const said = (cells: readonly Cell[], says: SaidCell["says"]): SaidCell[] =>
  cells.map(({ cell, rows }) => ({ cell, rows, says }));

/** The mapping reads each cell, so that those are counted which it reads as "no". */
const mapped = (to: Consent["asks"], cells: readonly Cell[]): Found => {
  const noes = cells.filter(({ kind }) => ANSWERS[to][kind] === false);
  return { to, says: sum(noes), doubtful: false, cells: said(noes, "no") };
};

type Asked = { noes: readonly Cell[]; unknown?: readonly Cell[]; doubtful?: boolean };

/** A person has to decide, unless nothing is there to lose. */
const toDecide = ({ noes, unknown = [], doubtful = false }: Asked): Found =>
  noes.length + unknown.length > 0
    ? { to: null, says: sum(noes), doubtful, cells: [...said(noes, "no"), ...said(unknown, "unknown")] }
    : undefined;

const consentOf = (sample: Sample): Found => {
  const { name, cells } = sample;
  const of = (kinds: ReadonlySet<Kind>) => cells.filter(({ kind }) => kinds.has(kind));
  const noBy = (asks: Consent["asks"]) => cells.filter(({ kind }) => ANSWERS[asks][kind] === false);
  switch (aboutOf(name)) {
    case "another way":
      return undefined;
    case "aside":
      return toDecide({ noes: cells.filter(({ kind }) => kind === "no") });
    case "both": {
      const unknown = cells.filter(({ kind }) => kind !== "yes" && !NO.has(kind));
      return unknown.length > 0 ? toDecide({ noes: of(NO), unknown }) : mapped("subscribed", cells);
    }
    case "no":
      return ofNegative(sample);
    case "yes":
      return ofPositive(sample);
    case "state":
      return ofState(sample);
    case "perhaps no":
      return toDecide({ noes: noBy("unsubscribed"), doubtful: of(NO).length === 0 });
    case "perhaps yes":
      return toDecide({ noes: noBy("subscribed"), doubtful: of(NO).length === 0 });
    case "wish":
      return isAnswer(cells) ? ofPositive(sample) : byValues(sample);
    case "mail":
      return isAnswer(cells)
        ? toDecide({ noes: noBy("subscribed"), unknown: of(UNKNOWN), doubtful: of(NO).length === 0 })
        : byValues(sample);
    default:
      return byValues(sample);
  }
};

/** True where truths and states are more than other cells, such as names, addresses and dates. */
const isAnswer = (cells: readonly Cell[]): boolean => {
  const others = cells.filter(({ kind }) => UNKNOWN.has(kind) || kind === "date");
  return sum(others) * 2 < sum(cells);
};

const ofNegative = ({ name, cells }: Sample): Found => {
  const isDenial = (kind: Kind) => (kind === "denied" || kind === "turned") && !isReason(name);
  const unknown = cells.filter(({ kind }) => isDenial(kind) || (kind === "off" && isStopped(name)));
  const found = mapped("unsubscribed", cells);
  if (!found || unknown.length === 0) return found;
  const noes = cells.filter((cell) => !unknown.includes(cell) && ANSWERS.unsubscribed[cell.kind] === false);
  return toDecide({ noes, unknown });
};

const ofPositive = ({ name, cells, filled, rows, sells }: Sample): Found => {
  const unknown = cells.filter(({ kind }) => kind === "other" || kind === "turned");
  const noes = cells.filter(({ kind }) => ANSWERS.subscribed[kind] === false);
  const isDoubtful = sells && noes.some(({ kind }) => kind === "doubtful") && !noes.some(({ kind }) => NO.has(kind));
  if (unknown.length > 0 || isDoubtful) return toDecide({ noes, unknown, doubtful: isDoubtful });
  const [only] = cells;
  const isOneYes = cells.length === 1 && only !== undefined && ["true", "yes", "on"].includes(only.kind);
  const isOwn = name === "subscribed" || name === "is subscribed";
  if (isOneYes && !isOwn && filled < rows) return onlyWhere(only, rows - filled);
  const says = cells.some(({ kind }) => kind !== "date" && kind !== "link");
  return says ? mapped("subscribed", cells) : undefined;
};

/** One word for "yes" beside blanks, such as a cross, makes the blanks a "no". */
const onlyWhere = ({ cell }: Cell, blanks: number): Found => ({
  to: `subscribed:${cell}`,
  says: blanks,
  doubtful: false,
  cells: [{ cell: "", rows: blanks, says: "no" }],
});

const ofState = ({ cells, filled, sells }: Sample): Found => {
  const states = cells.filter(({ kind }) => STATES.has(kind));
  const noes = states.filter(({ kind }) => NO.has(kind));
  if (states.length > 0) {
    if (noes.length === 0 && sells) return toDecide({ noes: states, doubtful: true });
    const unknown = cells.filter(({ kind }) => UNKNOWN.has(kind) || kind === "denied");
    return unknown.length > 0 ? toDecide({ noes: states, unknown }) : mapped("subscribed", cells);
  }
  const codes = cells.filter(({ cell, kind }) => kind === "false" || (cell.length === 1 && kind !== "true"));
  const trues = cells.filter(({ kind }) => kind === "true");
  if (sum(codes) + sum(trues) === filled && !sells) return toDecide({ noes: [], unknown: codes });
  // "IN" is a state of another kind.
  const isState = ({ cell, kind }: Cell) => kind === "yes" || (kind === "on" && cell.length > 2);
  if (sells || !cells.some(isState)) return undefined;
  const unknown = cells.filter(({ kind }) => NOT_STATES.has(kind));
  return unknown.length > 0 ? toDecide({ noes: [], unknown }) : mapped("subscribed", cells);
};

/** A column of any name is about mail where a cell is a plain word for "no", or one for "yes" beside states. */
const byValues = ({ cells }: Sample): Found => {
  const isOfMail = ({ kind }: Cell) => kind === "no" || kind === "yes";
  if (!cells.some(isOfMail) || !cells.some(({ kind }) => STATES.has(kind))) return undefined;
  const isRead = cells.every(({ kind }) => kind === "yes" || kind === "on" || STATES.has(kind));
  return isRead ? mapped("subscribed", cells) : toDecide({ noes: cells.filter(({ kind }) => STATES.has(kind)) });
};
