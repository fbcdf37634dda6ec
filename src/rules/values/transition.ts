// Transitions of a row or object between its former and its current state. False where either state is absent or lacks
// the column: then no transition is known.
type Row = object | null | undefined;
type Column<R extends Row> = keyof NonNullable<R> & string;

/** The former and the current value of a column, or undefined where one is absent. */
const pair = (before: Row, after: Row, column: string): readonly [unknown, unknown] | undefined => {
  const values = [before, after].map((row) => (row as Readonly<Record<string, unknown>> | null | undefined)?.[column]);
  return values.includes(undefined) ? undefined : [values[0], values[1]];
};

const isEmpty = (value: unknown) => value === null || value === "";

/** The column was null or "" and has a value now, such as `last_sign_in_at` at the first sign-in. */
export const becameSet = <R extends Row>(before: R, after: R, column: Column<R>): boolean => {
  const values = pair(before, after, column);
  return values !== undefined && isEmpty(values[0]) && !isEmpty(values[1]);
};

/** The column had a value and is null or "" now. */
export const becameEmpty = <R extends Row>(before: R, after: R, column: Column<R>): boolean =>
  becameSet(after, before, column);

/** The column has this value now and had another one before: `turned(old, now, "email_verified", true)`. */
export const turned = <R extends Row, C extends Column<R>>(
  before: R,
  after: R,
  column: C,
  value: NonNullable<R>[C],
): boolean => {
  const values = pair(before, after, column);
  return values !== undefined && values[0] !== value && values[1] === value;
};

/** The column's value differs from the former one. Values are compared as JSON text, so the order of keys counts. */
export const changed = <R extends Row>(before: R, after: R, column: Column<R>): boolean => {
  const values = pair(before, after, column);
  return values !== undefined && JSON.stringify(values[0]) !== JSON.stringify(values[1]);
};
