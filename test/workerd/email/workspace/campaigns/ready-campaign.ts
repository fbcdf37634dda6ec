import { expect } from "vitest";
import { advance, type Team } from "../../bench.ts";

const CONTENT = { subject: "Sale", fromName: "Acme", fromEmail: "news", lmx: "<Paragraph>Spring sale</Paragraph>" };

export const addReady = async (
  team: Team,
  fields: object = {},
  content: object = CONTENT,
): Promise<{ id: string; message: string }> => {
  advance(2_000);
  const { json } = await team.post("/campaigns", { name: "Spring sale", ...fields });
  const { status, text } = await team.post(`/email-messages/${json.emailMessageId}`, content);
  expect(status, text).toBe(200);
  return { id: json.id, message: json.emailMessageId };
};

/** Adds contacts that may get marketing mail: p1@example.com and so on. */
export const addContacts = (team: Team, count: number, from = 1): Promise<void> =>
  team.run(
    `WITH RECURSIVE c(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM c WHERE i + 1 < ?1 + ?2)
     INSERT INTO contacts (id, email, email_key, data, created_at, updated_at)
     SELECT 'con_' || i, 'p' || i || '@example.com', 'p' || i || '@example.com', jsonb_object(
       'firstName', NULL, 'lastName', NULL, 'source', 'API', 'subscribed', json('true'), 'userGroup', '',
       'optInStatus', NULL, 'mailingLists', jsonb('{}'), 'properties', jsonb_object('seats', i % 10)), 1, 1 FROM c`,
    from,
    count,
  );

export const act = async (team: Team, id: string, action: string, body?: object) => {
  advance(100);
  const { status, json } = await team.admin("POST", `/campaigns/${id}/${action}`, body);
  return { status, json };
};
