/** Returns the client's address: of IPv6 the half that its network has; "local" without Cloudflare. */
export const addressOf = (request: Request): string => {
  const address = request.headers.get("CF-Connecting-IP") ?? "local";
  return address.includes(":") ? `${address.split(":").slice(0, 4).join(":")}::/64` : address;
};
