/** Most characters of a name. */
const LENGTH = 320;

/**
 * The person for whom a program acts, as the header `X-Mailspan-Actor` names them: the dashboard sends it. Only for requests with
 * ADMIN_TOKEN. Undefined where there is none.
 */
export const actorOf = (request: Request): string | undefined => {
  const given = (request.headers.get("X-Mailspan-Actor") ?? "")
    // Controls, and marks that change the direction of the text around them.
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return given.slice(0, LENGTH).toWellFormed() || undefined;
};
