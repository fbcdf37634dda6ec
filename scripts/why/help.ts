/** What `--help` prints. */
export const HELP = `Says what came of every webhook about a person, and why a mail was sent or not.

  npm run why -- ada@example.com
  npm run why -- user_42                    a user id, or a provider's own id (cus_…)
  npm run why -- ada@example.com --since 30d --url https://bridge.example.com

All identifiers that webhooks have told to be one person's are looked for, newest webhook first. It only reads.

Options
  --since time   how far back: 7d, 12h, or 2026-01-31 (default: 7d)
  --limit n      webhooks that are shown (default: 50)
  --full         also every step: each try with its status, message and wait
  --url url      the bridge (default: http://127.0.0.1:<PORT>, PORT 8787)
  --token value  ADMIN_TOKEN of that bridge (default: ADMIN_TOKEN in the environment or .dev.vars)
  --json         for programs
  --help         this text

Exits with 1 where the bridge cannot be asked.`;
