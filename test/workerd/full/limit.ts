type Limited = SqlStorage & { setMaxPageCountForTest(pages: number): void };

const PAGE = 4_096;
let pages: number | undefined;

/** Limits a database that is opened, as the platform does at 10 GB. The flag `experimental` gives workerd the method. */
export const limit = ({ sql }: Pick<DurableObjectStorage, "sql">): void => {
  if (pages !== undefined) (sql as Limited).setMaxPageCountForTest(pages);
};

/** Leaves a database as many pages as it has, and `free` more: also after it is opened again. */
export const leave = ({ sql }: Pick<DurableObjectStorage, "sql">, free: number): void => {
  pages = sql.databaseSize / PAGE + free;
  limit({ sql });
};

export const unlimited = ({ sql }: Pick<DurableObjectStorage, "sql">): void => {
  pages = undefined;
  (sql as Limited).setMaxPageCountForTest(0x7fffffff);
};
