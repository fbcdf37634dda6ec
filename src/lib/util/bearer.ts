/** The token of `Authorization: Bearer <token>`; undefined when the header is missing or of another scheme. */
export const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
