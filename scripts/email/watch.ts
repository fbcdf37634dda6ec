import { statSync } from "node:fs";

/** Ms. An editor saves in several steps, so a change needs two equal checks. */
const PAUSE = 100;

/** A missing file has a version too. */
const versionOf = (paths: readonly string[]): string =>
  paths
    .map((path) => {
      const file = statSync(path, { bigint: true, throwIfNoEntry: false });
      return `${path} ${file?.ino} ${file?.size} ${file?.mtimeNs}`;
    })
    .join("\n");

type Made = { readonly files: readonly string[] };

/** A result, and the version of its files before it was made. */
export type Watched<T extends Made> = { made: T; version: string };

/** Makes a result, and repeats until its file list is stable. */
export const makeWatched = <T extends Made>(make: () => T, files: readonly string[] = []): Watched<T> => {
  const version = versionOf(files);
  const made = make();
  return made.files.join("\n") === files.join("\n") ? { made, version } : makeWatched(make, made.files);
};

/** Repeats the work after each save. Polls, because `fs.watch` misses replaced files. Returns a stop function. */
export const watchFiles = <T extends Made>(first: Watched<T>, make: () => T, show: (made: T) => void): (() => void) => {
  let watched = first;
  let seen = first.version;
  const look = () => {
    const now = versionOf(watched.made.files);
    const isSettled = now === seen;
    seen = now;
    if (!isSettled || now === watched.version) return;
    watched = makeWatched(make, watched.made.files);
    seen = watched.version;
    show(watched.made);
  };
  const timer = setInterval(look, PAUSE);
  return () => clearInterval(timer);
};
