export const HELP = `Acts on the ledger of the bridge. npm run why prints the commands that fit; docs/admin-api.md explains them.

  npm run act -- retry wh_….0               sends a dead or parked call once more, with the same key
  npm run act -- retry snd_…                sends a mail once more whose result is unknown, with the same Message-ID
  npm run act -- send-again wh_….0          sends a call with a new key; says first what is known, sends with --yes
  npm run act -- discard wh_….0             a dead or parked call is never sent
  npm run act -- replay wh_…                runs today's rules on a webhook; says first what it would do, does it with --yes
  npm run act -- pause stripe               pauses the calls of a source; without a source, all delivery
  npm run act -- resume stripe              resumes them
  npm run act -- forget ada@example.com     erases a person (an address or user id) from the ledger, with --host at the email
                                            service too; says first what it would erase, does it with --yes
  npm run act -- unsuppress ada@example.com removes an address from the suppression list of the email service

Options
  --yes           with send-again, replay and forget: does it
  --host          with forget: at the email service too
  --actions list  with replay: the calls to make, for example contact,event,transactional,delete (default: contact)
  --url url       the bridge (default: http://127.0.0.1:<PORT>, PORT 8787)
  --email-url url, --team slug   with retry snd_…: the email service and the team, as in npm run why
  --help          this text

ADMIN_TOKEN of the bridge, and for unsuppress EMAIL_API_KEY, are read from the environment or .dev.vars.
Exit code 1 if the bridge refuses or gives no answer.`;
