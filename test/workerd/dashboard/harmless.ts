const onBoth = (...names: string[]) => names.flatMap((name) => [`bridge.v1.${name}`, `email.v1.${name}`]);

/**
 * Changing operations that need no proof younger than 15 minutes, with reasons. A new operation belongs here,
 * or into `DANGEROUS` or `DANGEROUS_WHEN` of the dashboard Worker.
 */
export const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  "it only looks: it is no GET, because its question is long, or because it asks others": [
    "bridge.rules.run",
    "email.audience.estimate",
    "email.campaigns.estimate",
    "email.domains.check",
    "email.insight.simulate",
    "email.insight.dryRun",
    "email.imports.preview",
  ],
  "a person with the dashboard can set it back": [
    "email.teams.update",
    "email.domains.update",
    "email.lists.update",
    "email.properties.update",
    "email.audience.updateSegment",
    "email.tracking.set",
    "email.suppressions.add",
    "email.suppressions.remove",
    "dashboard.views.save",
    "dashboard.views.delete",
    ...onBoth("suppression.remove"),
  ],
  "it adds something that is empty, not in use, or of one contact, and replaces nothing": [
    "email.teams.create",
    "email.teams.addSamples",
    "email.domains.create",
    "email.lists.create",
    // Rows of a file. No contact changes before its import is started.
    "email.imports.begin",
    "email.imports.addRows",
    "email.imports.complete",
    "email.campaigns.duplicate",
    ...onBoth("contacts.create", "contactProperties.create", "audienceSegments.create", "uploads.create"),
    ...onBoth("uploads.complete", "themes.create", "components.create", "transactionalGroups.create"),
    ...onBoth("campaignGroups.create", "workflowGroups.create", "campaigns.create", "workflows.create"),
    ...onBoth("transactionalEmails.create", "transactionalEmails.draft", "workflows.createNode", "workflows.addBranch"),
  ],
  "it edits one thing, which can be edited again": [
    "email.revisions.restore",
    ...onBoth("contacts.update", "themes.update", "components.update", "transactionalGroups.update"),
    ...onBoth("campaignGroups.update", "workflowGroups.update", "campaigns.update", "workflows.update"),
    ...onBoth("transactionalEmails.update", "transactionalEmails.publish", "emailMessages.update"),
    ...onBoth("workflows.updateNode", "workflows.reroute"),
  ],
  "it is for one person: one mail, one event": [
    "email.confirmations.send",
    ...onBoth("events.send", "transactional.send", "emailMessages.preview"),
  ],
  "a brake, which must work at once": [
    "bridge.dispatch.pause",
    "email.campaigns.pause",
    "email.campaigns.unschedule",
    "email.imports.cancel",
    "email.imports.pause",
    "email.workflows.pause",
    "email.workflows.stop",
  ],
  "people enter from now on: nobody gets a mail at once": ["email.workflows.start"],
  "it goes on with what was started before": [
    "bridge.dispatch.resume",
    "email.workflows.resume",
    "email.imports.resume",
  ],
  "nothing happens twice: a retry has the key of before, and an event the id of before": [
    "bridge.deliveries.retry",
    "bridge.deliveries.retryAll",
    "email.webhooks.replay",
  ],
  "a discarded delivery can be retried": ["bridge.deliveries.discard"],
  "a test event, which names nobody": ["email.webhooks.test"],
  "the DKIM key of before signs until the record of the new one is found, and no answer shows either": [
    "email.domains.rotate",
  ],
  "the link shows what the DNS is to show to everybody, and ends by itself": ["email.domains.share"],
  "about the person's own login, which the next login makes good": [
    "dashboard.session.create",
    "dashboard.session.prove",
    "dashboard.session.delete",
    "dashboard.sessions.delete",
    "dashboard.session.options",
    "dashboard.invites.open",
    "dashboard.invites.accept",
  ],
};
