/** The newest row of each source in which calls were done. `rows`: newest first. */
export const newestOfEach = <Row extends { source: string; p50: number | null }>(rows: readonly Row[]): Row[] => {
  const newest = new Map<string, Row>();
  for (const row of rows) if (row.p50 !== null && !newest.has(row.source)) newest.set(row.source, row);
  return [...newest.values()].sort((a, b) => a.source.localeCompare(b.source));
};
