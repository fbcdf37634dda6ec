type Read = { path: string; value: unknown };

const watch = (value: unknown, path: string, reads: Read[]): unknown => {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get: (target, key) => {
      const found: unknown = Reflect.get(target, key);
      if (typeof key === "symbol" || typeof found === "function") return found;
      const inside = path === "" ? key : `${path}.${key}`;
      if (!(Array.isArray(target) && key === "length")) reads.push({ path: inside, value: found });
      return watch(found, inside, reads);
    },
  });
};

/** The engine's words for a value that has no properties or cannot be iterated. */
const EMPTY = /\b(null|undefined)\b/;

/** Returns the likely failing path: the last empty field read, of the kind that the error names, else the last field. */
export const causeOf = (run: (body: unknown) => unknown, body: unknown): string | undefined => {
  const { reads, error } = watched(run, body);
  const kind = error instanceof TypeError ? EMPTY.exec(error.message)?.[0] : undefined;
  const { path, value } =
    reads.findLast((read) => String(read.value) === kind) ??
    reads.findLast((read) => read.value === undefined || read.value === null) ??
    reads.at(-1) ??
    {};
  return path === undefined ? undefined : `${path} is ${kindOf(value)}`;
};

/** Returns the path that gave this value, or undefined. */
export const pathOf = (run: (body: unknown) => unknown, body: unknown, value: unknown): string | undefined =>
  watched(run, body).reads.findLast((read) => read.value === value)?.path;

const watched = (run: (body: unknown) => unknown, body: unknown): { reads: Read[]; error?: unknown } => {
  const reads: Read[] = [];
  try {
    run(watch(body, "", reads));
    return { reads };
  } catch (error) {
    return { reads, error };
  }
};

/** Hides the value: messages contain no personal data. */
export const kindOf = (value: unknown): string => {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
};
