/** Unsaved changes by field. `was`: stored value at the first edit. */
export type Kept<D> = { [Name in keyof D]?: { was: D[Name]; now: D[Name] } };

/** Compares values as JSON. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const NOT_SAVED = "Nothing was saved: another person has saved this meanwhile.";

type Any = Readonly<Record<string, { was: unknown; now: unknown } | undefined>>;

const namesIn = <D>(kept: Kept<D>): (keyof D)[] => Object.keys(kept) as (keyof D)[];

/** Stored values with typed ones applied. */
export const typedOver = <D extends object>(stored: D, kept: Kept<D>): D => ({
  ...stored,
  ...(Object.fromEntries(Object.entries(kept as Any).map(([name, one]) => [name, one?.now])) as Partial<D>),
});

/** Adds a change. A field keeps its first stored value; reverted fields are dropped. */
export const keptWith = <D extends object>(kept: Kept<D>, stored: D, changes: Partial<D>): Kept<D> => {
  const added = (Object.keys(changes) as (keyof D)[]).map((name) => [
    name,
    { was: (kept[name] ?? { was: stored[name] }).was, now: changes[name] },
  ]);
  const all = Object.entries({ ...kept, ...Object.fromEntries(added) } as Any);
  return Object.fromEntries(all.filter(([, one]) => !isSame(one?.was, one?.now))) as Kept<D>;
};

/** Edited fields that another person saved differently meanwhile. */
export const conflictsIn = <D extends object>(stored: D, kept: Kept<D>): (keyof D)[] =>
  namesIn(kept).filter((name) => !isSame(kept[name]?.was, stored[name]) && !isSame(kept[name]?.now, stored[name]));

/** True if a save would overwrite unseen changes. */
export const isUnseen = <D extends object>(shown: D, read: D, kept: Kept<D>): boolean =>
  conflictsIn(read, kept).some((name) => !isSame(read[name], shown[name]));

/** Drops edits of fields taken from another person. */
export const keptWithout = <K extends object>(kept: K, names: readonly (keyof K)[]): K =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => !names.includes(name as keyof K))) as K;

/** Values of `typed` that differ from `sent`. */
export const changedSince = <T extends object>(sent: T, typed: T): T =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => !isSame(value, sent[name as keyof T]))) as T;

/**
 * Edits typed after `sent` was saved.
 *
 * @param together fields saved together with a field
 */
export const keptSince = <K extends object>(
  sent: K,
  typed: K,
  stored: { readonly [Name in keyof K]: unknown },
  together: (name: keyof K) => readonly (keyof K)[] = (name) => [name],
): K => {
  const nowOf = (kept: K, name: keyof K) => (kept as Any)[name as string]?.now;
  const isTyped = (name: keyof K) => name in typed && !isSame(nowOf(typed, name), nowOf(sent, name));
  const names = (Object.keys(typed) as (keyof K)[]).filter((name) => together(name).some(isTyped));
  return Object.fromEntries(names.map((name) => [name, { was: stored[name], now: nowOf(typed, name) }])) as K;
};
