/** A command of this repository: its name in package.json, its arguments, and its options. */
export type Command = { name: string; args?: readonly string[]; options?: readonly string[] };

/** A control character as a terminal never gets it: some end a paste, or the line. `printf` writes it when the command runs. */
const printed = (character: string): string => {
  const octal = [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  // No argument of a program can hold a NUL.
  return character === "\0" ? "" : `'"$(printf '${octal.join("")}')"'`;
};

/** A word for a POSIX shell, whatever is in it. Nothing in single quotes is special. */
export const quoted = (text: string): string =>
  `'${text.replaceAll("'", "'\\''").replaceAll(/[^\P{Cc}\n]/gu, printed)}'`;

/** Quoted only where a shell would take it for something else: an address stays readable. */
const word = (text: string): string => (/^[\w@.:,/+=-]+$/.test(text) && !text.startsWith("=") ? text : quoted(text));

/** The line for a terminal. An argument that begins with a dash comes after "--": it is no option. */
export const lineOf = ({ name, args = [], options = [] }: Command): string => {
  const words = args.some((one) => one.startsWith("-")) ? [...options, "--", ...args] : [...args, ...options];
  return [`npm run ${name}`, ...(words.length > 0 ? ["--"] : []), ...words.map(word)].join(" ");
};
