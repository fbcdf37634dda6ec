export const HELP = `Compiles a mail that is a file, with its sample values, and shows it on a page of this machine that reloads when you save.

  npm run email -- src/email/samples/receipt.lmx
  npm run email -- receipt.lmx --set data.name=Ada --set data.amount=9.00
  npm run email -- --check src/email/samples        checks all .lmx files of a folder, for CI
  npm run email -- receipt.lmx --out dist/mails     writes receipt.html and receipt.txt

The page shows the mail on a large and a small screen, in light and dark mode, its text part, its HTML, its line in an inbox, its
values, and what to correct. Themes are in themes/<name>.json beside the file, components in components/<name>.lmx.
Without a terminal, as in CI, the files are only checked, unless --port or --open is given.

Options
  --check            only checks; several files and folders are allowed
  --out folder       writes the HTML and the text of each file, and ends
  --set name=value   the value of a variable, such as data.name=Ada; may be repeated
  --data file.json   values of variables: { "data": { "name": "Ada" } }
  --from sender      the team's sender, such as "Acme <hello>", for files without fromName or fromEmail
  --theme name       shows the mail with themes/<name>.json, not with its own theme
  --port n           port of the page (default: the first free one from 8790)
  --open             opens the page in the browser
  --help             this text

Environment
  NO_COLOR           no colours in the output

Exit code 1 if a file has an error. Ctrl-C ends the page.`;
