/** What a person has changed and not saved, by field. `was`: what was stored when they began. */
export type Kept<D> = { [Name in keyof D]?: { was: D[Name]; now: D[Name] } };

/** Whether two values that are kept as JSON are the same. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The toast of a save that would have put something in the place of what another person saved. */
export const NOT_SAVED = "Nothing was saved: another person has saved this meanwhile.";

type Any = Readonly<Record<string, { was: unknown; now: unknown } | undefined>>;

const namesIn = <D>(kept: Kept<D>): (keyof D)[] => Object.keys(kept) as (keyof D)[];

/** What is stored, with what a person has typed over it. */
export const typedOver = <D extends object>(stored: D, kept: Kept<D>): D => ({
  ...stored,
  ...(Object.fromEntries(Object.entries(kept as Any).map(([name, one]) => [name, one?.now])) as Partial<D>),
});

/** What is kept after another change. A field keeps what was stored when it was changed first; one that is as it was then is not kept. */
export const keptWith = <D extends object>(kept: Kept<D>, stored: D, changes: Partial<D>): Kept<D> => {
  const added = (Object.keys(changes) as (keyof D)[]).map((name) => [
    name,
    { was: (kept[name] ?? { was: stored[name] }).was, now: changes[name] },
  ]);
  const all = Object.entries({ ...kept, ...Object.fromEntries(added) } as Any);
  return Object.fromEntries(all.filter(([, one]) => !isSame(one?.was, one?.now))) as Kept<D>;
};

/** The changed fields that another person has saved otherwise since this person began to change them. */
export const conflictsIn = <D extends object>(stored: D, kept: Kept<D>): (keyof D)[] =>
  namesIn(kept).filter((name) => !isSame(kept[name]?.was, stored[name]) && !isSame(kept[name]?.now, stored[name]));

/** Whether a save would put something in the place of what another person saved, and what is shown does not have that. */
export const isUnseen = <D extends object>(shown: D, read: D, kept: Kept<D>): boolean =>
  conflictsIn(read, kept).some((name) => !isSame(read[name], shown[name]));

/** What is kept after a person took what another one saved in these fields. */
export const keptWithout = <K extends object>(kept: K, names: readonly (keyof K)[]): K =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => !names.includes(name as keyof K))) as K;

/** The values of `typed` that are not those of `sent`. */
export const changedSince = <T extends object>(sent: T, typed: T): T =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => !isSame(value, sent[name as keyof T]))) as T;

/**
 * What is kept after `sent` was saved: what was typed since, over what is stored now.
 *
 * @param together the fields that are saved with a field, which are kept with it
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
