import type { Team } from "../../team/team.tsx";

/** Reads a list page by page. */
export const readPage =
  ({ v1 }: Team, perPage: number, status: "all" | "published" | "draft" = "all") =>
  async (cursor: string | undefined, signal: AbortSignal) => {
    const asked = { status, cursor, perPage: String(perPage) as never };
    const { data, pagination } = await v1.transactionalEmails.list(asked, { signal });
    return { data, next: pagination.nextCursor };
  };
