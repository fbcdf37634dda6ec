/** What `--help` prints. */
export const HELP = `Workflows of a team. A workflow is named by its id or its name. docs/workflows.md explains them.

  npm run workflow                                lists the workflows with their status
  npm run workflow -- start trial                 starts it, or says everything that it lacks; --dry-run only says it
  npm run workflow -- pause trial                 contacts stay where they are, new ones are queued for 24 hours
  npm run workflow -- resume trial                goes on
  npm run workflow -- stop trial                  pauses it without queueing new contacts
  npm run workflow -- status trial                where contacts wait, what was sent; --watch shows it every 2 seconds
  npm run workflow -- explain trial ada@example.com  what happened to a contact, or why it did not enter
  npm run workflow -- remove trial ada@example.com   takes a contact out

  npm run workflow -- simulate trial --property plan=pro --event trialStarted plan=pro --assume 3:plan=team --days 60
                                                  plays the coming days for a contact (or --contact ada@example.com)
  npm run workflow -- dry-run trial --days 7      what it would have done with the events of the last days
  npm run workflow -- diff trial                  what changed since it last ran, and what that does to waiting contacts

  npm run workflow -- export trial trial.yaml     writes it as a file (JSON for a name that ends in .json)
  npm run workflow -- plan trial.yaml             what apply would change
  npm run workflow -- apply trial.yaml            creates or changes the workflow as the file says

Options
  --discard           with apply: contacts who wait at a step that is deleted leave the workflow
  --pause-and-resume  with apply: pauses a workflow that is sending for the time of the change
  --workflow id       with plan and apply: the workflow to change, where its name is another than in the file
  --from rev, --to rev  with diff: two revisions
  --at time           with simulate: the time of the entry, ISO 8601
  --json              prints the answer as JSON
  --team slug         the team (default: that of EMAIL_API_KEY, else demo)
  --url url           the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)
  --help              this text

ADMIN_TOKEN, and for files EMAIL_API_KEY, are read from the environment or .dev.vars.
Exit code 1 if a workflow cannot start, or the service refuses or gives no answer.`;
