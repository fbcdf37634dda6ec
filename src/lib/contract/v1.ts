import type { Contract } from "./operation.ts";
import { testApiKey } from "./operations/api-key.ts";
import { createContact, deleteContact, findContact, updateContact } from "./operations/contacts.ts";
import { sendEvent } from "./operations/events.ts";
import { listTransactional, sendTransactional } from "./operations/transactional.ts";

/** The v1 API: the one place where the bridge and the email service meet. */
export const v1 = {
  apiKey: { test: testApiKey },
  contacts: { create: createContact, update: updateContact, find: findContact, delete: deleteContact },
  events: { send: sendEvent },
  transactional: { send: sendTransactional, list: listTransactional },
} as const satisfies Contract;

export type V1 = typeof v1;
