import type { Contract } from "./operation.ts";
import { testApiKey } from "./operations/api-key.ts";
import { createContact, deleteContact, findContact, updateContact } from "./operations/contacts.ts";
import { listDedicatedSendingIps } from "./operations/dedicated-sending-ips.ts";
import { getEventPattern, getEventPatternByName, listEventPatterns } from "./operations/event-patterns.ts";
import { sendEvent } from "./operations/events.ts";
import { listMailingLists } from "./operations/lists.ts";
import { createProperty, listProperties } from "./operations/properties.ts";
import { getSuppression, removeSuppression } from "./operations/suppression.ts";
import { listTransactional, sendTransactional } from "./operations/transactional.ts";
import { getTransactionalEmail, listTransactionalEmails } from "./operations/transactional-emails.ts";

/** The v1 API: the one place where the bridge and the email service meet. */
export const v1 = {
  apiKey: { test: testApiKey },
  contacts: { create: createContact, update: updateContact, find: findContact, delete: deleteContact },
  contactProperties: { create: createProperty, list: listProperties },
  suppression: { get: getSuppression, remove: removeSuppression },
  lists: { list: listMailingLists },
  events: { send: sendEvent },
  eventPatterns: { list: listEventPatterns, get: getEventPattern, getByName: getEventPatternByName },
  transactional: { send: sendTransactional, list: listTransactional },
  transactionalEmails: { list: listTransactionalEmails, get: getTransactionalEmail },
  dedicatedSendingIps: { list: listDedicatedSendingIps },
} as const satisfies Contract;

export type V1 = typeof v1;
