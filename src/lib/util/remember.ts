/** Caches a pure function for its `limit` newest arguments, compared as text. */
export const remember = <Arguments extends readonly (string | number)[], Result>(
  make: (...given: Arguments) => Result,
  limit = 200,
): ((...given: Arguments) => Result) => {
  const known = new Map<string, Result>();
  return (...given) => {
    const key = given.join("\u0000");
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(...given);
    if (known.size >= limit) known.delete(known.keys().next().value ?? "");
    known.set(key, made);
    return made;
  };
};
