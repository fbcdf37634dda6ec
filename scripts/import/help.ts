export const HELP = `Imports contacts from a CSV file into a team of the email service.

  npm run import -- people.csv                        # the first rows, and what each column would become
  npm run import -- people.csv --dry-run              # the outcome of each row, nothing is written
  npm run import -- people.csv --start --map "E-mail=email" --map "Plan=plan" --map "Notes=-"
  npm run import -- --import imp_1                    # goes on with an import that an earlier command began
  npm run import -- --imports                         # the newest imports of the team
  npm run import -- --cancel imp_1                    # cancels one; a team has at most 10 that are not finished

  --map COLUMN=FIELD    what a column becomes, in place of the guess: a field, a property, list:<id>, or - to ignore it
  --create NAME=TYPE    creates a contact property: string, number, boolean or date
  --list ID             a mailing list that every contact of the file joins
  --start               imports; without it and --dry-run, the file is only looked at
  --dry-run             checks every row
  --only-new            leaves contacts that exist as they are
  --trigger-workflows   new contacts and changes start workflows
  --encoding, --delimiter   in place of what the file says: windows-1252 …; comma, semicolon, tab or pipe
  --outcome FILE        where the outcome of each row goes; people.outcome.csv by default
  --import ID           an import of the service in place of a file: starts it, or follows it to its end
  --team NAME           the team; that of the API key or "demo" by default
  --url URL             the email service, where it is not on this machine

The token is ADMIN_TOKEN in .dev.vars or the environment. Where the service stops, the command waits for it for a minute, and an
upload that broke off begins again. The service goes on with an import by itself, without this command too.`;
