import { describe, expect, it } from "vitest";
import { addressProblem } from "../../../../src/email/notifier/address.ts";

const NO_IP = "must have a host name, not an IP address";
const NO_LOCAL = "must have a public host name, not a name of a local network";
const NO_PORT = "must have the port 443, 2053, 2083, 2087, 2096 or 8443";
const NO_URL = "must be an address such as https://app.example.com/webhooks, of at most 2000 characters";

describe("an address of an outgoing webhook", () => {
  it.each([
    "https://app.example.com/webhooks",
    "https://app.example.com.",
    "https://hooks.example.com:443/a?b=c",
    "https://hooks.example.com:8443/",
    "https://Bücher.example.com/",
    "https://xn--bcher-kva.example.com/",
    "https://internal.example.com/",
    "https://localhost.example.com/",
    "https://10.example.com/",
    "https://hooks.example.co.uk/",
    "https://acme.workers.dev/hooks",
    "https://app.münchen.de/",
  ])("may be called: %s", (address) => {
    expect(addressProblem(address, false)).toBeUndefined();
    expect(addressProblem(address, true)).toBeUndefined();
  });

  it.each([
    // Other forms of addresses of this machine, a private network or a cloud's metadata service.
    ["https://127.0.0.1/", NO_IP],
    ["https://2130706433/", NO_IP],
    ["https://0x7f000001/", NO_IP],
    ["https://0x7f.1/", NO_IP],
    ["https://0177.0.0.1/", NO_IP],
    ["https://127.1/", NO_IP],
    ["https://127.0.0.1./", NO_IP],
    ["https://127.0.0.1:8443/", NO_IP],
    ["https://１２７.0.0.1/", NO_IP],
    ["https://127。0。0。1/", NO_IP],
    ["https://%31%32%37.0.0.1/", NO_IP],
    ["https://0.0.0.0/", NO_IP],
    ["https://0/", NO_IP],
    ["https://10.0.0.1/", NO_IP],
    ["https://172.16.0.1/", NO_IP],
    ["https://192.168.1.1/", NO_IP],
    ["https://100.64.0.1/", NO_IP],
    ["https://169.254.169.254/latest/meta-data", NO_IP],
    ["https://2852039166/", NO_IP],
    ["https://224.0.0.1/", NO_IP],
    ["https://255.255.255.255/", NO_IP],
    ["https://[::1]/", NO_IP],
    ["https://[::]/", NO_IP],
    ["https://[0:0:0:0:0:0:0:1]/", NO_IP],
    ["https://[::ffff:127.0.0.1]/", NO_IP],
    ["https://[::ffff:7f00:1]/", NO_IP],
    ["https://[64:ff9b::7f00:1]/", NO_IP],
    ["https://[fe80::1]/", NO_IP],
    ["https://[fc00::1]/", NO_IP],
    ["https://[fd00:ec2::254]/", NO_IP],
    ["https://[2001:db8::1]/", NO_IP],
    // A public address too: certificates are for names.
    ["https://1.1.1.1/", NO_IP],
    ["https://localhost/", NO_LOCAL],
    ["https://LOCALHOST./", NO_LOCAL],
    ["https://app.localhost/", NO_LOCAL],
    ["https://ⓛocalhost/", NO_LOCAL],
    ["https://printer.local/", NO_LOCAL],
    ["https://metadata.google.internal/", NO_LOCAL],
    ["https://metadata.google.internal./", NO_LOCAL],
    ["https://router.home.arpa/", NO_LOCAL],
    ["https://nas.lan/", NO_LOCAL],
    ["https://wiki.corp/", NO_LOCAL],
    ["https://intranet/", NO_LOCAL],
    ["https://xn--local-.local/", NO_LOCAL],
    ["https://kubernetes.default.svc/", NO_LOCAL],
    ["https://api.prod.svc./", NO_LOCAL],
    ["https://vault.service.consul/", NO_LOCAL],
    ["https://nas.fritz.box.fritzbox/", NO_LOCAL],
    ["https://localhost../", NO_LOCAL],
    ["https://127.0.0.1../", NO_LOCAL],
    ["https://metadata.google.internal../", NO_LOCAL],
    ["https://app.example.com../", NO_LOCAL],
    ["https://.example.com/", NO_LOCAL],
    ["https://app..example.com/", NO_LOCAL],
  ])("is refused: %s", (address, problem) => {
    expect(addressProblem(address, false)).toBe(URL.canParse(address) ? problem : NO_URL);
  });

  it.each([
    ["http://app.example.com/", "must be https"],
    ["https://user@app.example.com/", "must not have a user or a password"],
    ["https://user:password@app.example.com/", "must not have a user or a password"],
    ["https://:password@app.example.com/", "must not have a user or a password"],
    ["https://app.example.com:22/", NO_PORT],
    ["https://app.example.com:6379/", NO_PORT],
    ["https://app.example.com:80/", NO_PORT],
    ["ftp://app.example.com/", NO_URL],
    ["javascript:alert(1)", NO_URL],
    ["data:text/plain,x", NO_URL],
    ["app.example.com/webhooks", NO_URL],
    ["", NO_URL],
    [`https://app.example.com/${"a".repeat(2_000)}`, NO_URL],
  ])("is refused, also in development: %s", (address, problem) => {
    expect(addressProblem(address, false)).toBe(problem);
    expect(addressProblem(address, true)).toBe(problem);
  });

  it.each(["http://127.0.0.1:3000/", "http://localhost:3000/hooks", "https://[::1]:3000/", "http://192.168.1.5/"])(
    "may be private in development only: %s",
    (address) => {
      expect(addressProblem(address, true)).toBeUndefined();
      expect(addressProblem(address, false)).toMatch(/^must have a (public )?host name/);
    },
  );
});
