/** A repository command. `name`: in package.json. */
export type Command = { name: string; args?: readonly string[]; options?: readonly string[] };

/** Control characters can end a paste or a line, so `printf` writes them at run time. */
const printed = (character: string): string => {
  const octal = [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  return character === "\0" ? "" : `'"$(printf '${octal.join("")}')"'`;
};

/** Quotes text for a POSIX shell. */
export const quoted = (text: string): string =>
  `'${text.replaceAll("'", "'\\''").replaceAll(/[^\P{Cc}\n]/gu, printed)}'`;

const word = (text: string): string => (/^[\w@.:,/+=-]+$/.test(text) && !text.startsWith("=") ? text : quoted(text));

/** Terminal line of a command. Arguments with a leading dash follow "--". */
export const lineOf = ({ name, args = [], options = [] }: Command): string => {
  const words = args.some((arg) => arg.startsWith("-")) ? [...options, "--", ...args] : [...args, ...options];
  return [`npm run ${name}`, ...(words.length > 0 ? ["--"] : []), ...words.map(word)].join(" ");
};
