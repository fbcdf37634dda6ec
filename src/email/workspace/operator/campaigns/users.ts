type CampaignUser = { kind: "segment" | "campaign" | "workflow"; id: string; name: string };

const asks = (filter: string): string =>
  `EXISTS (SELECT 1 FROM json_each(${filter}, '$.conditions') AS condition
     WHERE condition.value->>'target' = 'campaign' AND condition.value->>'id' = ?1)`;

const QUERIES: Readonly<Record<CampaignUser["kind"], string>> = {
  segment: `SELECT id, name FROM segments WHERE ${asks("filter")} ORDER BY n`,
  // A sent campaign no longer needs its filter.
  campaign: `SELECT id, name FROM campaigns WHERE id <> ?1 AND status <> 'Sent'
      AND (filter IS NOT NULL AND ${asks("filter")} OR segment_filter IS NOT NULL AND ${asks("segment_filter")}) ORDER BY n`,
  workflow: `SELECT id, name FROM workflows WHERE deleted_at IS NULL AND EXISTS
      (SELECT 1 FROM json_each(graph, '$.nodes') AS node
        WHERE node.value->>'audienceFilter' IS NOT NULL AND ${asks("node.value->'audienceFilter'")}) ORDER BY n`,
};

/** Returns all filters that use a campaign and prevent its deletion. */
export const usersOfCampaign = (sql: SqlStorage, campaign: string): CampaignUser[] =>
  Object.entries(QUERIES).flatMap(([kind, query]) =>
    sql
      .exec<{ id: string; name: string }>(query, campaign)
      .toArray()
      .map(({ id, name }) => ({ kind: kind as CampaignUser["kind"], id, name })),
  );
