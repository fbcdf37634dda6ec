import type { DateOrder } from "../contract/import-choices.ts";
import { DAY_MS, isoOf, toIsoDate } from "../util/dates.ts";

const AMBIGUOUS = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const LONGEST_DATE = 40;

/** Order that a date such as 13/02/2024 proves; `either` for 01/02/2024, undefined for other cells. */
export const orderIn = (cell: string): "dayFirst" | "monthFirst" | "either" | undefined => {
  const second = cell.charCodeAt(1);
  const third = cell.charCodeAt(2);
  const isLikely = second === 0x2f || second === 0x2d || third === 0x2f || third === 0x2d;
  if (!isLikely || cell.length > LONGEST_DATE) return undefined;
  const [, first = "", , next = ""] = AMBIGUOUS.exec(cell) ?? [];
  const [one, two] = [Number(first), Number(next)];
  if (one === 0 || two === 0 || one > 31 || two > 31 || (one > 12 && two > 12)) return undefined;
  if (one === two && one <= 12) return undefined;
  return one > 12 ? "dayFirst" : two > 12 ? "monthFirst" : "either";
};

/** Order of a column by its counted cells: undefined where no cell needs one, `unclear` where a person has to choose. */
export const orderOf = (counted: {
  dayFirst: number;
  monthFirst: number;
  either: number;
}): DateOrder | "unclear" | undefined => {
  const { dayFirst, monthFirst, either } = counted;
  if (dayFirst > 0 && monthFirst > 0) return "unclear";
  if (dayFirst > 0) return "day-first";
  if (monthFirst > 0) return "month-first";
  return either > 0 ? "unclear" : undefined;
};

/** Beginnings of the names of months, in several languages. */
const MONTHS = [
  "jan|ene|gen|gennaio|sty|янв",
  "feb|fev|fév|lut|фев",
  "mar|mär|mae|maer|mrz|mrt|maa|мар",
  "apr|avr|abr|kwi|апр",
  "may|mai|mei|mag|maj|май|мая",
  "jun|juin|giu|cze|июн",
  "jul|juil|lug|lip|июл",
  "aug|aou|aoû|ago|sie|авг",
  "sep|set|wrz|сен",
  "oct|okt|ott|out|paź|окт",
  "nov|ноя",
  "dec|dez|déc|dic|gru|дек",
].map((names) => names.split("|"));

const monthOf = (word: string): number => {
  const lower = word.toLowerCase();
  return MONTHS.findIndex((names) => names.some((name) => lower.startsWith(name))) + 1;
};

const TIME =
  /(?:[T ,]|\bat\b|\bà\b|\bum\b)\s*(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*([ap]\.?m\.?)?\s*(?:(Z|UTC|GMT)?\s*([+-]\d{2}(?::?\d{2})?)?)(?:\s*\([^()]*\))?$/i;
const WEEKDAY =
  /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom)\p{L}{0,8}\.?,?\s+(?=\S)/iu;
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const WITH_NAME =
  /^(?:(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[ -](?:of |de )?(\p{L}{3,12})\.?,?[ -](?:de |del )?(\d{4}|\d{2})|(\p{L}{3,12})\.?[ -](\d{1,2})(?:st|nd|rd|th)?,?[ -](\d{4})|(\d{4})[ -](\p{L}{3,12})\.?[ -](\d{1,2}))$/iu;
const WITH_DOTS = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})\.?$/;
const NUMBERS = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})$/;
/** `Tue Jan  2 03:04:05 2024`, also with a zone before the year. */
const YEAR_LAST = /(\p{L}{3} \d{1,2}) (\d{2}:\d{2}:\d{2})(?: (UTC|GMT))? (\d{4})$/iu;

const yearOf = (digits: string): number => {
  const year = Number(digits);
  return digits.length > 2 ? year : year < 70 ? 2_000 + year : 1_900 + year;
};

type Day = readonly [year: number, month: number, day: number];

const dayOf = (text: string, order: DateOrder | undefined): Day | undefined => {
  const [, y = "", m = "", d = ""] = YEAR_FIRST.exec(text) ?? [];
  if (y !== "") return [Number(y), Number(m), Number(d)];
  const [, dayDot = "", monthDot = "", yearDot = ""] = WITH_DOTS.exec(text) ?? [];
  if (dayDot !== "") return [yearOf(yearDot), Number(monthDot), Number(dayDot)];
  const named = WITH_NAME.exec(text);
  if (named) {
    const [, day1 = "", name1 = "", year1 = "", name2 = "", day2 = "", year2 = "", year3 = "", name3 = "", day3 = ""] =
      named;
    return [yearOf(year1 || year2 || year3), monthOf(name1 || name2 || name3), Number(day1 || day2 || day3)];
  }
  const [, one = "", , two = "", year = ""] = NUMBERS.exec(text) ?? [];
  if (one === "") return undefined;
  const [first, second] = [Number(one), Number(two)];
  const proven = first > 12 ? "day-first" : second > 12 || first === second ? "month-first" : order;
  if (proven === undefined) return undefined;
  return proven === "day-first" ? [yearOf(year), second, first] : [yearOf(year), first, second];
};

const msOfTime = (found: RegExpExecArray): number | undefined => {
  const [, hours = "", minutes = "", seconds = "0", half = "", , zone = "+00"] = found;
  const isHalf = half !== "";
  const hour = Number(hours);
  if (hour > (isHalf ? 12 : 23) || (isHalf && hour === 0) || Number(minutes) > 59 || Number(seconds) > 60)
    return undefined;
  const ofDay = isHalf ? (hour % 12) + (/^p/i.test(half) ? 12 : 0) : hour;
  const [, sign, ahead = "", more = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const offset = (Number(ahead) * 60 + Number(more)) * (sign === "-" ? -1 : 1);
  if (Math.abs(offset) > 14 * 60) return undefined;
  return ((ofDay * 60 + Number(minutes) - offset) * 60 + Number(seconds)) * 1_000;
};

const instantOf = ([year, month, day]: Day, ms: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = year >= 1_000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay ? isoOf(date.getTime() + ms) : undefined;
};

/** Day 0 of Excel, and the days that a serial number of 1954 to 2119 has. */
const EXCEL_START = Date.UTC(1899, 11, 30);
const EXCEL = { from: 20_000, to: 80_000 };

const ofNumber = (cell: string): string | undefined => {
  const [year, month, day] = [cell.slice(0, 4), cell.slice(4, 6), cell.slice(6, 8)].map(Number) as [
    number,
    number,
    number,
  ];
  const isYear = year >= 1_900 && year < 2_100;
  if (/^\d{8}$/.test(cell)) return isYear ? instantOf([year, month, day], 0) : undefined;
  if (/^\d{14}$/.test(cell) && isYear) {
    const [hours, minutes, seconds] = [cell.slice(8, 10), cell.slice(10, 12), cell.slice(12)].map(Number) as [
      number,
      number,
      number,
    ];
    if (hours < 24 && minutes < 60 && seconds < 60)
      return instantOf([year, month, day], ((hours * 60 + minutes) * 60 + seconds) * 1_000);
  }
  if (/^\d{10}$/.test(cell)) return isoOf(Number(cell) * 1_000);
  if (/^\d{11,15}$/.test(cell)) return toIsoDate(Number(cell));
  const days = Number(cell.replace(",", "."));
  return days >= EXCEL.from && days <= EXCEL.to
    ? isoOf(Math.round((EXCEL_START + days * DAY_MS) / 1_000) * 1_000)
    : undefined;
};

/**
 * Reads a date of any form that means one thing, as ISO 8601; UTC by default. With `order`, 01/02/2024 too. Numbers are
 * days such as 20240102, Unix seconds and milliseconds, and serial numbers of Excel.
 */
export const readDate = (cell: string, order?: DateOrder): string | undefined => {
  const known = toIsoDate(cell);
  if (known !== undefined) return known;
  if (cell.length > 80) return undefined;
  if (/^\d+(?:[.,]\d+)?$/.test(cell)) return ofNumber(cell);
  const text = cell.replaceAll(/ {2,}/g, " ").replace(YEAR_LAST, "$1 $4 $2 $3");
  // "mar" is Tuesday in Spanish and March in English.
  return readText(text, order) ?? readText(text.replace(WEEKDAY, ""), order);
};

const readText = (text: string, order: DateOrder | undefined): string | undefined => {
  const time = TIME.exec(text);
  const ms = time ? msOfTime(time) : 0;
  const date = (time ? text.slice(0, time.index) : text).trim().replace(/,$/, "");
  const day = dayOf(date, order);
  return day === undefined || ms === undefined ? undefined : instantOf(day, ms);
};
