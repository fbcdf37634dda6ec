/** What `--help` prints. */
export const HELP = `Shows what happened to every webhook about a person, and why an email was sent or not.

  npm run why -- ada@example.com
  npm run why -- user_42                    a user id, or a provider's own id (cus_…)
  npm run why -- wh_…                       one webhook with every step; wh_….0 is its first call
  npm run why -- ada@example.com --since 30d --url https://bridge.example.com

The search includes every identifier that webhooks have linked to this person. Newest webhook first. Under a trouble it prints
what to do. Nothing is changed: npm run act acts.

Options
  --since time   how far back: 7d, 12h, or 2026-01-31 (default: 7d)
  --limit n      most webhooks to show (default: 50)
  --full         also shows every step: each attempt with its status, message and wait
  --url url      the bridge (default: http://127.0.0.1:<PORT>, PORT 8787)
  --json         JSON, for programs
  --help         this text

The ADMIN_TOKEN of the bridge comes from the environment or .dev.vars.

Exit code 1 if the bridge gives no answer.`;
