export const HELP = `Reads what was at a provider before its first webhook, and brings the contacts up to date: each object goes through the
rules of the deployed bridge as the webhook that would have told of it. Updates of contacts only, in the lowest lane.

  npm run backfill -- stripe --since 30d            customers and subscriptions created in the last 30 days
  npm run backfill -- stripe --since all --dry-run  reads everything and says what would be done
  npm run backfill -- stripe --resume               goes on where an interrupted run stopped

Options
  --since when    objects created since: 12h, 30d, 2026-01-31, 2026-01-31T12:00:00Z, or all
  --events        also sends the events that rules want. Workflows start on them, for every person there is.
                  Mail is never sent. What left the journal (RETENTION_DAYS) is sent again by a later run.
  --dry-run       changes nothing
  --resume        goes on with the interrupted run of this source, with what that was given
  --url url       where the bridge is (default: http://127.0.0.1:<PORT>, PORT 8787)
  --token token   the bridge's ADMIN_TOKEN (default: from the environment or .dev.vars)
  --state file    where progress is kept (default: .wrangler/backfill/<source>.json)
  --help          this text

The provider's key is read from the environment or .dev.vars: for Stripe STRIPE_API_KEY, a restricted key with read access
to customers and subscriptions. STRIPE_API_URL is another address of the API. It may be run again at any time: what is in the
bridge's journal already, unchanged, is not done again.`;
