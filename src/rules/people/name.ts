import type { Guess, GuessedFrom } from "../types.ts";
import { clip } from "../values/clip.ts";

type Name = string | null | undefined;

// Right for most Western names, wrong for companies. Use it as a `guess`.
const words = (name: Name) => name?.trim().split(/\s+/).filter(Boolean) ?? [];

export const firstName = (name: Name): string | undefined => words(name)[0];

export const lastName = (name: Name): string | undefined => words(name).slice(1).join(" ") || undefined;

type Guesses<E> = { firstName: Guess<E>; lastName: Guess<E> };

/** Guesses `firstName` and `lastName` from a full name. */
export const guessedName = <E>(name: (e: E) => Name, from: GuessedFrom): Guesses<E> => ({
  firstName: { guess: (e) => clip(firstName(name(e))), from },
  lastName: { guess: (e) => clip(lastName(name(e))), from },
});

type Parts = { first_name?: Name; last_name?: Name };

/** Guesses `firstName` and `lastName` from the first of several objects that has one of them. */
export const guessedParts = <E>(
  among: (e: E) => readonly (Parts | null | undefined)[],
  from: GuessedFrom,
): Guesses<E> => {
  const named = (e: E) => among(e).find((one) => one?.first_name?.trim() || one?.last_name?.trim());
  return {
    firstName: { guess: (e) => clip(named(e)?.first_name?.trim()) || undefined, from },
    lastName: { guess: (e) => clip(named(e)?.last_name?.trim()) || undefined, from },
  };
};
