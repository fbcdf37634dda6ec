/** What `--help` prints. */
export const HELP = `Type-checks src, runs every rule over every fixture, and compares the calls with the golden files.

  npm run check                     every source
  npm run check -- --only stripe    one source
  npm run check -- --update         writes the golden files anew: look at them in the diff before you commit
  npm run check -- --live           also compares with the email service: what a call would fail on in production

A fixture is the body of a webhook as the provider sends it, test/fixtures/<source>/<case>.json (<case>.headers.json for
headers the handler reads); sources without a folder of their own use that of their provider. Its golden file is
expected/<case>.json beside it.

Fails on a type error, a difference, a rule that throws, that is on nothing or that no fixture reaches, an event type that
no fixture has, a template or list that wrangler.toml does not name, a value that is undefined in every fixture of its
rule, a path in redact that no fixture of its source has, and a call that the API would refuse. A rule that looks renamed
is mentioned: its calls have new Idempotency-Keys.

--live asks the host that EMAIL_API_URL and EMAIL_API_KEY name, in the environment or .dev.vars, else EMAIL_API_URL of
wrangler.toml, else the email service of npm start (EMAIL_PORT, 8788). It only reads, under 10 requests per second.
TEMPLATE_<NAME> in the environment is another id of a template than wrangler.toml has. Fails on a template that is not
published there, on variables that are not those of the rule, on a contact property of another type, on a list that is
not there or archived, and on a name in another case. Events the host has not seen, and event properties of another type
than it has learnt, are only mentioned: it takes them.
A contact property it does not have is an error, unless the team creates properties from their first value; the API
does not tell, so say it with --create-properties. Of a service on this machine it is assumed.

Options
  --only source   this source alone, which has to have rules (types are checked all the same)
  --update        writes what the rules give now; never what fails
  --live          compares with the configured host too
  --create-properties
                  with --live: the team creates unknown contact properties, so they are only mentioned
  --quiet, -q     problems and the summary, no table
  --help          this text`;
