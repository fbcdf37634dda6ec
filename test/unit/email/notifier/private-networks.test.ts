import { describe, expect, it } from "vitest";
import type { Answer } from "../../../../src/email/mail/dns/answer.ts";
import { post } from "../../../../src/email/notifier/post.ts";
import { privateNetworkOf } from "../../../../src/email/notifier/private-networks.ts";
import { whyUnreachable } from "../../../../src/email/notifier/unreachable.ts";

describe("an IP address", () => {
  it.each([
    ["127.0.0.1", "this machine"],
    ["127.255.255.254", "this machine"],
    ["0.0.0.0", "this machine"],
    ["::1", "this machine"],
    ["::", "this machine"],
    ["10.0.0.1", "a private network"],
    ["172.16.0.1", "a private network"],
    ["172.31.255.255", "a private network"],
    ["192.168.1.1", "a private network"],
    ["100.64.0.1", "the network of a carrier"],
    ["100.127.255.255", "the network of a carrier"],
    ["169.254.169.254", "the local link, with the metadata of clouds"],
    ["fd00:ec2::254", "a private network"],
    ["fe80::1", "the local link"],
    ["febf::1", "the local link"],
    ["::ffff:10.0.0.1", "a private network"],
    ["::ffff:a9fe:a9fe", "the local link, with the metadata of clouds"],
    ["::7f00:1", "this machine"],
    ["64:ff9b::c0a8:101", "a private network"],
    ["64:ff9b::127.0.0.1", "this machine"],
    ["2002:7f00:1::", "a tunnel"],
    ["224.0.0.1", "for multicast"],
    ["ff02::1", "for multicast"],
    ["255.255.255.255", "reserved"],
  ])("%s is of %s", (address, network) => {
    expect(privateNetworkOf(address)).toBe(network);
  });

  it.each([
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "169.253.1.1",
    "192.169.0.1",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "::ffff:1.1.1.1",
    "64:ff9b::101:101",
    "fbff::1",
    "no address",
  ])("%s is of none", (address) => {
    expect(privateNetworkOf(address)).toBeUndefined();
  });
});

const resolver = (answers: Record<string, Answer>) => async (question: { type: string; host: string }) =>
  answers[`${question.type} ${question.host}`] ?? ({ status: "none", via: [] } as const);
const found = (...values: string[]): Answer => ({ status: "found", values, via: [] });

describe("a host that could not be called", () => {
  it("names the first private address among its public ones, with the way out", async () => {
    const resolve = resolver({
      "A app.example.com": found("1.1.1.1"),
      "AAAA app.example.com": found("::ffff:10.1.2.3"),
    });
    expect(await whyUnreachable(resolve, "app.example.com")).toMatch(
      /^not called: app\.example\.com points to ::ffff:10\.1\.2\.3, which is a private network\. Point it to a public .*WEBHOOKS_ALLOW_PRIVATE=1/,
    );
  });

  it("has no address, or says nothing where its addresses are public or nobody knows", async () => {
    expect(await whyUnreachable(resolver({}), "app.example.com")).toBe(
      "not called: app.example.com has no address in the DNS (no A or AAAA record)",
    );
    expect(
      await whyUnreachable(resolver({ "A app.example.com": found("1.1.1.1") }), "app.example.com"),
    ).toBeUndefined();
    const failed = async () => ({ status: "failed", reason: "x" }) as const;
    expect(await whyUnreachable(failed, "app.example.com")).toBeUndefined();
  });

  it("is asked about only after a failure, and not after a late answer", async () => {
    const asked: string[] = [];
    const call = (fetch: () => Promise<Response>) =>
      post(
        { fetch, now: () => 0, allowPrivate: false, whyUnreachable: async (host) => void asked.push(host) },
        { url: "https://app.example.com./hooks", secrets: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"] },
        { event: 1, id: "msg_1", payload: "{}" },
      );
    expect(await call(async () => new Response("ok"))).toMatchObject({ status: 200 });
    const late = Object.assign(new Error("late"), { name: "TimeoutError" });
    expect(await call(() => Promise.reject(late))).toMatchObject({ error: "no answer within 15 seconds" });
    expect(asked).toEqual([]);
    expect(await call(() => Promise.reject(new Error("refused")))).toMatchObject({ error: "refused" });
    expect(asked).toEqual(["app.example.com"]);
    const internal = new Error("internal error; reference = abcdef0123456789");
    expect(await call(() => Promise.reject(internal))).toMatchObject({
      error: "no connection: the host name has no address in the DNS, or TLS fails",
    });
  });
});
