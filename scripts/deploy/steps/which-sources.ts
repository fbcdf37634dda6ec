import { handlerOf, type Source, sources } from "../../../src/sources.ts";
import { meant, table } from "../../lib/cli.ts";
import type { State } from "../state.ts";

type Named = readonly [name: string, source: Source];

/** Asks for the sources to set up. `given`: the secrets in the environment decide. */
export const chosen = async ({ io, bridge, unattended }: State): Promise<Named[] | "given"> => {
  const all: Named[] = Object.entries(sources);
  const isSet = ([, { secret }]: Named) => bridge.secrets.has(secret);
  if (!unattended) {
    const rows = all.map((named, i) => {
      const [name, source] = named;
      return [String(i + 1), name, handlerOf(source).about.title, isSet(named) ? "has its secret" : ""];
    });
    io.print(table(["", "source", "provider", ""], rows));
  }
  const there = all.filter(isSet).map(([name]) => name);
  const enter = there.length > 0 ? `keeps ${there.join(", ")} as they are` : "sets up no source";
  const answer = await io.ask({
    variable: "SOURCES",
    text: `Sources to set up: names or numbers with spaces, or all (Enter ${enter})`,
    initial: "",
    check: (given) => unknownIn(given, all),
  });
  if (answer === "" && unattended) return "given";
  if (answer === "" && there.length === 0) {
    io.print(
      "  No source: the bridge refuses every webhook until a source has its secret. To set one, run this again.",
    );
  }
  const words = wordsOf(answer);
  return all.filter(([name], i) => words.includes("all") || words.includes(name) || words.includes(String(i + 1)));
};

const wordsOf = (answer: string): string[] => answer.split(/[\s,]+/).filter(Boolean);

const unknownIn = (answer: string, all: readonly Named[]): string | undefined => {
  const names = all.map(([name]) => name);
  const unknown = wordsOf(answer).find(
    (word) => word !== "all" && !names.includes(word) && !names.some((_, i) => word === String(i + 1)),
  );
  if (unknown === undefined) return undefined;
  return `There is no source "${unknown}". ${meant(unknown, names)}`;
};
