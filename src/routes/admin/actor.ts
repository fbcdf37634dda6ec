const LENGTH = 320;

/** Returns the acting operator from `X-Mailspan-Actor`. Only for requests with ADMIN_TOKEN. */
export const actorOf = (request: Request): string | undefined => {
  const given = (request.headers.get("X-Mailspan-Actor") ?? "")
    // Removes controls, and marks that change text direction.
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return given.slice(0, LENGTH).toWellFormed() || undefined;
};
