/** The token of `Authorization: Bearer <token>`; undefined where the header is missing or has another scheme. */
export const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
