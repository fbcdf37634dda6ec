// Transitions of a row or object, from what it was to what it is. Where one of the two is not told, or the column is not
// in it, nothing is known to have happened, and the answer is false.
type Row = object | null | undefined;
type Column<R extends Row> = keyof NonNullable<R> & string;

/** Both values of a column, or undefined where one is not told. */
const pair = (before: Row, after: Row, column: string): readonly [unknown, unknown] | undefined => {
  const values = [before, after].map((row) => (row as Readonly<Record<string, unknown>> | null | undefined)?.[column]);
  return values.includes(undefined) ? undefined : [values[0], values[1]];
};

const isEmpty = (value: unknown) => value === null || value === "";

/** The column was null (or an empty text) and has a value now: `last_sign_in_at` at the first sign-in. */
export const becameSet = <R extends Row>(before: R, after: R, column: Column<R>): boolean => {
  const told = pair(before, after, column);
  return told !== undefined && isEmpty(told[0]) && !isEmpty(told[1]);
};

/** The column had a value and is null (or an empty text) now. */
export const becameEmpty = <R extends Row>(before: R, after: R, column: Column<R>): boolean =>
  becameSet(after, before, column);

/** The column has this value now, and had another: `turned(old, now, "email_verified", true)`. */
export const turned = <R extends Row, C extends Column<R>>(
  before: R,
  after: R,
  column: C,
  value: NonNullable<R>[C],
): boolean => {
  const told = pair(before, after, column);
  return told !== undefined && told[0] !== value && told[1] === value;
};

/** The column has another value than before. JSON is compared by content, with its keys in the order they came. */
export const changed = <R extends Row>(before: R, after: R, column: Column<R>): boolean => {
  const told = pair(before, after, column);
  return told !== undefined && JSON.stringify(told[0]) !== JSON.stringify(told[1]);
};
