import { statSync } from "node:fs";

/** Ms between two looks. An editor saves in several steps, so a change counts when two looks are alike. */
const PAUSE = 100;

/** Identity, size and time of files, as one text. A file that does not exist has one too: it may be made. */
const versionOf = (paths: readonly string[]): string =>
  paths
    .map((path) => {
      const file = statSync(path, { bigint: true, throwIfNoEntry: false });
      return `${path} ${file?.ino} ${file?.size} ${file?.mtimeNs}`;
    })
    .join("\n");

type Made = { readonly files: readonly string[] };

/** What was made, and the version of its files before it was made: a later save gives another one. */
export type Watched<T extends Made> = { made: T; version: string };

/** Makes something from files. The files are known only afterwards, so it is made again until their list stays the same. */
export const makeWatched = <T extends Made>(make: () => T, files: readonly string[] = []): Watched<T> => {
  const version = versionOf(files);
  const made = make();
  return made.files.join("\n") === files.join("\n") ? { made, version } : makeWatched(make, made.files);
};

/**
 * Makes it again after a save of any of its files, and shows it. `fs.watch` misses saves that put a new file in the place of
 * the old one, so the files are looked at.
 *
 * @returns ends the watching
 */
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
