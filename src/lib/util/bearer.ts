/** Returns the bearer token; undefined for another scheme. */
export const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
