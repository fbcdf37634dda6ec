import { define } from "../lib/command.ts";

export const EMAIL = define({
  name: "email",
  about:
    "Compiles a mail that is a file, with its sample values, and shows it on a page of this machine that reloads when you save.",
  arguments: ["<files...>"],
  examples: [
    ["src/email/samples/receipt.lmx"],
    ["receipt.lmx --set data.name=Ada --set data.amount=9.00"],
    ["--check src/email/samples", "checks all .lmx files of a folder, for CI"],
    ["receipt.lmx --out dist/mails", "writes receipt.html and receipt.txt"],
  ],
  options: {
    check: { about: "only checks; several files and folders are allowed" },
    out: { value: "folder", about: "writes the HTML and the text of each file, and ends" },
    set: { value: "name=value", many: true, about: "the value of a variable, such as data.name=Ada; may be repeated" },
    data: { value: "file.json", about: 'values of variables: { "data": { "name": "Ada" } }' },
    from: {
      value: "sender",
      about: 'the team\'s sender, such as "Acme <hello>", for files without fromName or fromEmail',
    },
    theme: { value: "name", about: "shows the mail with themes/<name>.json, not with its own theme" },
    port: { value: "n", about: "port of the page (default: the first free one from 8790)" },
    open: { about: "opens the page in the browser" },
  },
  notes: `The page shows the mail on a large and a small screen, in light and dark mode, its text part, its HTML, its line in an
inbox, its values, and what to correct. Themes are in themes/<name>.json beside the file, components in components/<name>.lmx.
Without a terminal, as in CI, the files are only checked, unless --port or --open is given.

NO_COLOR in the environment: no colors in the output.

Exit code 1 if a file has an error. Ctrl-C ends the page.`,
});
