import { RequestError } from "../../api/client.ts";
import type { Team } from "../../team/team.tsx";
import type { Message, Owner } from "./source.ts";

/** Reads the owner of a message. */
export const readOwner = async (v1: Team["v1"], message: Message): Promise<Owner> => {
  const { transactionalId, campaignId, workflowId } = message;
  if (transactionalId !== undefined) {
    const transactionalEmail = await v1.transactionalEmails.get({ transactionalId });
    return {
      name: transactionalEmail.name,
      draftId: transactionalEmail.draftEmailMessageId,
      publishedId: transactionalEmail.publishedEmailMessageId,
      required: transactionalEmail.publishedEmailMessageId === null ? [] : transactionalEmail.dataVariables,
    };
  }
  if (campaignId !== undefined) return v1.campaigns.get({ campaignId });
  const { name, status, nodes } = await v1.workflows.get({ workflowId: workflowId ?? "" });
  const sends = Object.entries(nodes).find(
    ([, node]) => node.typeName === "SendEmailAction" && node.emailMessageId === message.id,
  );
  return { name, status, nodeId: sends?.[0] };
};

/** Properties by full variable name, undefined without such a contact. */
export const readPerson = async (
  v1: Team["v1"],
  who: string,
): Promise<Record<string, string | number | boolean> | undefined> => {
  const [contact] = await v1.contacts.find(who.includes("@") ? { email: who } : { userId: who }).catch((error) => {
    if (error instanceof RequestError && error.status === 404) return [];
    throw error;
  });
  if (!contact) return undefined;
  return Object.fromEntries(
    Object.entries(contact).flatMap(([name, value]) =>
      ["string", "number", "boolean"].includes(typeof value) ? [[`contact.${name}`, value as string]] : [],
    ),
  );
};
