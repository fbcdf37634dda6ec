// False if a state is absent or lacks the column: no transition is known.
type Row = object | null | undefined;
type Column<R extends Row> = keyof NonNullable<R> & string;

const pair = (before: Row, after: Row, column: string): readonly [unknown, unknown] | undefined => {
  const values = [before, after].map((row) => (row as Readonly<Record<string, unknown>> | null | undefined)?.[column]);
  return values.includes(undefined) ? undefined : [values[0], values[1]];
};

const isEmpty = (value: unknown) => value === null || value === "";

/** True if a null or "" column has a value now. */
export const becameSet = <R extends Row>(before: R, after: R, column: Column<R>): boolean => {
  const values = pair(before, after, column);
  return values !== undefined && isEmpty(values[0]) && !isEmpty(values[1]);
};

/** True if the column is null or "" now. */
export const becameEmpty = <R extends Row>(before: R, after: R, column: Column<R>): boolean =>
  becameSet(after, before, column);

/** True if the column has this value now, but not before. */
export const turned = <R extends Row, C extends Column<R>>(
  before: R,
  after: R,
  column: C,
  value: NonNullable<R>[C],
): boolean => {
  const values = pair(before, after, column);
  return values !== undefined && values[0] !== value && values[1] === value;
};

/** Compares values as JSON text, so the order of keys counts. */
export const changed = <R extends Row>(before: R, after: R, column: Column<R>): boolean => {
  const values = pair(before, after, column);
  return values !== undefined && JSON.stringify(values[0]) !== JSON.stringify(values[1]);
};
