/** Newest hour with finished deliveries per source. `rows`: newest first. */
export const newestHours = <Row extends { source: string; p50: number | null }>(rows: readonly Row[]): Row[] => {
  const newest = new Map<string, Row>();
  for (const row of rows) if (row.p50 !== null && !newest.has(row.source)) newest.set(row.source, row);
  return [...newest.values()].sort((a, b) => a.source.localeCompare(b.source));
};
