/** An accepted finding of schemathesis, at all or some operations. Any other finding fails. */
export type Accepted = { code: string; reason: string; operations?: readonly string[] };

export const own: readonly Accepted[] = [
  {
    code: "ST202",
    reason:
      "only the team's data can tell: a mailing list, a template, a cursor, a taken name, a file, LMX and styles, a quota",
    operations: [
      "POST /v1/contacts/create",
      "PUT /v1/contacts/update",
      "POST /v1/events/send",
      "POST /v1/transactional",
      "POST /v1/contacts/properties",
      "GET /v1/event-patterns",
      "GET /v1/transactional",
      "GET /v1/transactional-emails",
      "DELETE /v1/contacts/suppression",
      "GET /v1/audience-segments",
      "GET /v1/campaign-groups",
      "GET /v1/campaigns",
      "GET /v1/components",
      "GET /v1/themes",
      "GET /v1/transactional-groups",
      "GET /v1/workflow-groups",
      "GET /v1/workflows",
      "POST /v1/audience-segments",
      "POST /v1/campaign-groups/{campaignGroupId}",
      "POST /v1/workflow-groups/{workflowGroupId}",
      "POST /v1/transactional-groups/{transactionalGroupId}",
      "POST /v1/transactional-emails/{transactionalId}/publish",
      "POST /v1/uploads/{emailAssetId}/complete",
      "POST /v1/workflows",
      "POST /v1/workflows/{workflowId}",
      "POST /v1/workflows/{workflowId}/mailing-list",
      "POST /v1/components",
      "POST /v1/components/{componentId}",
      "POST /v1/themes",
      "POST /v1/themes/{themeId}",
      "POST /v1/email-messages/{emailMessageId}",
      "POST /v1/email-messages/{emailMessageId}/preview",
    ],
  },
  {
    code: "ST202",
    reason:
      "generators read no form that ties two fields: timestamp to method, node ids to the insert mode, one of a name and an id",
    operations: [
      "POST /v1/campaigns",
      "POST /v1/campaigns/{campaignId}",
      "POST /v1/workflows/{workflowId}/nodes",
      "POST /v1/workflows/{workflowId}/nodes/{nodeId}",
      "POST /v1/transactional-emails/{transactionalId}",
      // Chains of the operations above have a name of their own.
      "Stateful tests",
    ],
  },
  {
    code: "ST202",
    reason: "OpenAPI cannot say that a query needs one of two parameters",
    operations: ["GET /v1/contacts/find", "GET /v1/contacts/suppression", "DELETE /v1/contacts/suppression"],
  },
  {
    code: "ST201",
    reason:
      "published clients send an empty query value for a parameter that is not given; the published schema is silent",
    operations: [
      "GET /v1/contacts/find",
      "GET /v1/contacts/properties",
      "GET /v1/contacts/suppression",
      "GET /v1/event-patterns",
      "GET /v1/transactional",
      "GET /v1/transactional-emails",
      "DELETE /v1/contacts/suppression",
    ],
  },
  {
    code: "ST201",
    reason: "published clients send null, an empty list or an empty identifier for a field that is not given",
    operations: [
      "POST /v1/contacts/create",
      "PUT /v1/contacts/update",
      "POST /v1/contacts/delete",
      "POST /v1/events/send",
      "POST /v1/transactional",
    ],
  },
  {
    code: "ST302",
    reason: "404 is about a group that the body names, not about the mail that was created",
    operations: ["Stateful tests"],
  },
];

/** Findings by the published schema, from pyloops. */
export const published: readonly Accepted[] = [
  { code: "ST103", reason: "it documents neither 401, 429 and 500 nor every 400 that its own host answers" },
  {
    code: "ST202",
    reason: "it names hardly any limit: not the form of an address or of a property's name, nor lengths",
  },
  { code: "ST201", reason: "as by openapi.json: null, empty lists and empty query values are not given" },
  {
    code: "ST111",
    reason: "the discriminator of its conditions has no mapping from `optIn` to the schema that names it",
    operations: [
      "GET /v1/audience-segments",
      "POST /v1/audience-segments",
      "GET /v1/audience-segments/{audienceSegmentId}",
      "GET /v1/campaigns",
      "POST /v1/campaigns",
      "GET /v1/campaigns/{campaignId}",
      "POST /v1/campaigns/{campaignId}",
    ],
  },
  {
    code: "ST108",
    reason: "rules of our own, such as `mailspan.emptyFields`, stand beside the published ones",
    operations: ["GET /v1/email-messages/{emailMessageId}/guardian"],
  },
  { code: "ST205", reason: "OPTIONS is refused the same for every path: the API is called from servers" },
  {
    code: "ST108",
    reason: "its oneOf has forms of a refusal that include one another, so a body with path and error matches two",
    operations: ["POST /v1/transactional"],
  },
];
