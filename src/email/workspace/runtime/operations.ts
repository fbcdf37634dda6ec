import type { Named, OperationName, Request, Response } from "../../../lib/contract/operation.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import type { Context, Outcome } from "../base/context.ts";
import { createContact, deleteContact, findContacts, updateContact } from "../contacts/handlers.ts";
import { listMailingLists } from "../contacts/lists.ts";
import { createContactProperty, listContactProperties } from "../contacts/property-handlers.ts";
import { getTransactionalEmail, listTransactionalEmails } from "../content/transactional-emails.ts";
import { sendEvent } from "../events/handlers.ts";
import { getEventPattern, getEventPatternByName, listEventPatterns } from "../events/patterns.ts";
import { listDedicatedSendingIps } from "../sending/dedicated-sending-ips.ts";
import { getSuppression, removeSuppression } from "../sending/suppression.ts";
import { listTransactional, sendTransactional } from "../sending/transactional.ts";
import { testApiKey } from "../team/api-key.ts";

/** An operation of the v1 API as a function: what it takes and gives is the contract's. */
export type Handler<Name extends OperationName<V1>> = (
  context: Context,
  input: Request<Named<V1, Name>>,
) => Outcome<Response<Named<V1, Name>>>;

/** Every operation of the contract; one that is missing does not compile. */
export const operations: { readonly [Name in OperationName<V1>]: Handler<Name> } = {
  "apiKey.test": testApiKey,
  "contacts.create": createContact,
  "contacts.update": updateContact,
  "contacts.find": findContacts,
  "contacts.delete": deleteContact,
  "contactProperties.create": createContactProperty,
  "contactProperties.list": listContactProperties,
  "suppression.get": getSuppression,
  "suppression.remove": removeSuppression,
  "lists.list": listMailingLists,
  "events.send": sendEvent,
  "eventPatterns.list": listEventPatterns,
  "eventPatterns.get": getEventPattern,
  "eventPatterns.getByName": getEventPatternByName,
  "transactional.send": sendTransactional,
  "transactional.list": listTransactional,
  "transactionalEmails.list": listTransactionalEmails,
  "transactionalEmails.get": getTransactionalEmail,
  "dedicatedSendingIps.list": listDedicatedSendingIps,
};
