/** What `--help` prints. */
export const HELP = `Puts Mailspan on Cloudflare: email Worker, first team and API key, secrets, bridge. Asks, and says what each step does.

  npm run deploy                             both Workers; running it again is safe and keeps every secret
  npm run deploy -- --host https://api.example.com
                                             the bridge alone, for another host of the v1 API
  npm run deploy -- --dry-run                offline: bundles, prints the compressed sizes, deploys nothing
  npm run deploy -- --yes                    asks nothing, answers from environment variables (CI)

Options
  --host url   base address of another host of the API. The bridge is deployed without the binding to the email Worker
               and with CONTACT_PROPERTIES "flat"; asks for that host's API key and its ids of your templates
  --dry-run    with --host: the bridge as it would be deployed for that host
  --yes        every question is answered by its variable, else as Enter would; one that needs an answer stops
  --help       this text

Variables for --yes
  CLOUDFLARE_API_TOKEN    instead of npx wrangler login
  CLOUDFLARE_ACCOUNT_ID   where the login reaches several accounts
  ADMIN_TOKEN             opens /admin. Needed for a new Worker (a generated one would end up in the log of CI), and
                          for an existing one to create a team and key
  API_KEY_SECRET          signs API keys, for a new email Worker; generated where unset, never replaced
  TEAM_NAME, TEAM_SLUG    the first team; the slug is made from the name where unset
  NEW_KEY                 yes: a new API key although the bridge has one
  EMAIL_API_KEY           with --host: the key of that host. Else: a key to use where no team is created
  TEMPLATE_<NAME>         with --host: transactionalId of a template of wrangler.toml, as TEMPLATE_MAGIC_LINK
  EMAIL_URL, BRIDGE_URL   address of a Worker, where wrangler names none (routes)
  SOURCES                 the sources to set up, as "stripe clerk", or all; unset: those whose secret is given
  <secret of each source> as STRIPE_WEBHOOK_SECRET; unset: kept, or the source refuses every webhook`;
