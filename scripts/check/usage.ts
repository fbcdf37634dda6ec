import { define } from "../lib/command.ts";

export const CHECK = define({
  name: "check",
  about:
    "Checks the types in src, runs every rule over every fixture, and compares the deliveries with the golden files.",
  examples: [
    ["", "every source"],
    ["--only stripe", "one source"],
    ["--update", "writes the golden files; review the diff before you commit"],
    ["--live", "also compares with the email service: finds deliveries that would fail in production"],
  ],
  options: {
    only: { value: "source", about: "only this source, which must have rules (types are always checked)" },
    update: { about: "writes the golden files; never for a fixture with a failed rule" },
    live: { about: "also compares with the configured email service" },
    "create-properties": {
      about: "with --live: the team creates unknown contact properties, so they are notes",
    },
    quiet: { short: "q", about: "only problems and the summary, no table" },
  },
  notes: `A fixture is the body of a webhook as the provider sends it: test/fixtures/<source>/<case>.json, with headers that the
handler reads in <case>.headers.json. A source without a folder of its own uses the folder of its provider. The golden file
is expected/<case>.json beside the fixture.

These are errors: a type error; a difference from a golden file; a rule that throws, has no event type, or matches no
fixture; an event type without a fixture; a template or mailing list that wrangler.toml does not have; a value that is
undefined in every fixture of its rule; an entry of ALLOWED_RECIPIENTS or IGNORED_RECIPIENTS that is no address and no domain; a path in redact that no fixture has; a delivery that the API would refuse.
Types and rules that throw are printed first, differences from golden files last, with a summary by rule.
A rule that looks renamed is a note: its deliveries get new Idempotency-Keys.

--live asks the email service of EMAIL_API_URL and EMAIL_API_KEY (environment or .dev.vars), otherwise EMAIL_API_URL of
wrangler.toml, otherwise the email service of npm start (EMAIL_PORT, 8788). It only reads, with under 10 requests per
second. TEMPLATE_<NAME> in the environment replaces the id of a template in wrangler.toml. These are errors: a template
that is not published; variables that differ from those of the rule; a contact property of another type; a mailing list
that is archived or does not exist; a name with other upper or lower case. Unknown events and event properties of another
type are notes, because the email service accepts them. An unknown contact property is an error, unless the team creates properties
from their first value. The API does not show this setting: use --create-properties. A service on this machine is assumed
to create them.`,
});
