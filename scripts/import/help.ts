export const HELP = `Imports contacts from a CSV file into a team of the email service.

  npm run import -- people.csv                        # the first rows, and what each column would become
  npm run import -- people.csv --dry-run              # the outcome of each row, nothing is written
  npm run import -- people.csv --start --map "E-mail=email" --map "Plan=plan" --map "Notes=-"

  --map COLUMN=FIELD    what a column becomes, in place of the guess: a field, a property, list:<id>, or - to ignore it
  --create NAME=TYPE    creates a contact property: string, number, boolean or date
  --list ID             a mailing list that every contact of the file joins
  --start               imports; without it and --dry-run, the file is only looked at
  --dry-run             checks every row
  --only-new            leaves contacts that exist as they are
  --trigger-workflows   new contacts and changes start workflows
  --encoding, --delimiter   in place of what the file says: windows-1252 …; comma, semicolon, tab or pipe
  --outcome FILE        where the outcome of each row goes; people.outcome.csv by default
  --team NAME           the team; "demo" by default
  --url URL             the email service, where it is not on this machine

The token is ADMIN_TOKEN in .dev.vars or the environment. A run that is interrupted goes on in the service.`;
