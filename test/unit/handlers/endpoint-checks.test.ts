import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { certificateOf, rsa, snsMessage } from "../lib/signature/oracles/oracle.ts";
import { doorTo, NOW } from "../routes/door-to.ts";

describe("endpoint checks", () => {
  const slack = (raw: string) => ({
    "x-slack-request-timestamp": String(NOW / 1000),
    "x-slack-signature": `v0=${createHmac("sha256", "s")
      .update(`v0:${NOW / 1000}:${raw}`)
      .digest("hex")}`,
  });

  test("Slack's challenge is repeated after a valid signature and never journaled", async () => {
    const { send, batches } = doorTo("slack", "s");
    const raw = '{"type":"url_verification","challenge":"3eZbrw1aB","token":"t"}';
    expect(await send(raw, slack(raw))).toMatchObject({ status: 200, text: "3eZbrw1aB", type: "text/plain" });
    expect((await send(raw, slack("{}"))).status).toBe(401);
    expect(batches).toEqual([]);
  });

  test("Slack's events, commands and interactions are read; the answer is empty", async () => {
    const { send, batches } = doorTo("slack", "s");
    const bodies = [
      '{"type":"event_callback","event_id":"Ev1","event_time":1760000000,"event":{"type":"team_join"}}',
      "command=%2Fhelp&trigger_id=1.2&user_id=U1",
      `payload=${encodeURIComponent('{"type":"block_actions","trigger_id":"3.4"}')}`,
    ];
    for (const raw of bodies) expect(await send(raw, slack(raw))).toMatchObject({ status: 200, text: "" });
    expect(batches.flatMap((batch) => batch.map(({ eventId, type }) => [eventId, type]))).toEqual([
      ["Ev1", "team_join"],
      ["1.2", "command./help"],
      ["3.4", "block_actions"],
    ]);
  });

  test("Okta's GET is answered with its challenge, and any other GET is not allowed", async () => {
    const { send, batches } = doorTo("okta", "s3cret");
    const asked = await send("", { "x-okta-verification-challenge": "abc" }, { method: "GET" });
    expect(asked).toMatchObject({ status: 200, text: '{"verification":"abc"}', type: "application/json" });
    const plain = await send("", {}, { method: "GET" });
    expect([plain.status, plain.response.headers.get("Allow")]).toEqual([405, "GET, POST"]);
    expect(
      (await doorTo("okta", "").send("", { "x-okta-verification-challenge": "abc" }, { method: "GET" })).status,
    ).toBe(401);
    expect((await doorTo("github", "s").send("", {}, { method: "GET" })).status).toBe(405);
    expect(batches).toEqual([]);
  });

  test("Braintree's challenge is signed, and no other text", async () => {
    const { send } = doorTo("braintree", "integration_public_key:integration_private_key");
    const ask = (challenge: string) => send("", {}, { method: "GET", path: `?bt_challenge=${challenge}` });
    expect(await ask("20f9f8ed05f77439fe955c977e4c8a53")).toMatchObject({
      status: 200,
      text: "integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4",
    });
    for (const other of ["", "<script>", "PG5vdGlmaWNhdGlvbj4", "ab", "f".repeat(33)])
      expect((await ask(other)).status).toBe(405);
  });

  describe("Amazon SNS", () => {
    const cert = "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-test.pem";
    const visit = "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
    const texts = { [cert]: certificateOf(rsa.publicKey), [visit]: "<ok/>" };
    const arn = snsMessage().TopicArn ?? "";
    const confirmation = (url: string) =>
      JSON.stringify(snsMessage({ Type: "SubscriptionConfirmation", SubscribeURL: url, Token: "t" }, "1"));

    test("a subscription to our topic is confirmed and journaled", async () => {
      const { send, batches, fetched } = doorTo("aws-sns", arn, { texts });
      expect((await send(confirmation(visit))).status).toBe(202);
      expect(fetched).toEqual([cert, visit]);
      expect(batches[0]?.[0]).toMatchObject({
        type: "SubscriptionConfirmation",
        secretPaths: ["Token", "SubscribeURL"],
      });
    });

    test("a subscription that cannot be confirmed, or not at SNS, is not journaled, and SNS retries", async () => {
      const { send, batches, fetched } = doorTo("aws-sns", arn, { texts });
      for (const url of [
        `${visit}gone`,
        "https://sns.eu-central-1.amazonaws.com/gone",
        "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t",
        `${visit}#x`,
        "https://sns.eu-central-1.amazonaws.com/?Action=DeleteTopic&Token=t",
        "https://sns.eu-central-1.amazonaws.com.evil.test/?Action=ConfirmSubscription&Token=t",
        "http://localhost/",
      ]) {
        expect((await send(confirmation(url))).status).toBe(503);
      }
      expect(fetched).toEqual([cert, `${visit}gone`]);
      expect(batches).toEqual([]);
    });

    test("another topic and another host's certificate are refused, and nothing is fetched", async () => {
      const { send, fetched } = doorTo("aws-sns", "arn:aws:sns:eu-central-1:1:other", { texts });
      expect((await send(JSON.stringify(snsMessage()))).status).toBe(401);
      const ours = doorTo("aws-sns", arn, { texts });
      for (const SigningCertURL of [
        "https://evil.test/sns.pem",
        `${cert}?x`,
        `${cert}#x`,
        `${cert}?x=.pem`,
        `${cert}#.pem`,
        cert.replace("https", "http"),
        "https://sns.eu-central-1.amazonaws.com/other.pem",
        "https://sns.eu-central-1.amazonaws.com/x/SimpleNotificationService-test.pem",
        "https://sns.eu-central-1.amazonaws.com/%53impleNotificationService-test.pem",
        "https://sns.eu-central-1.amazonaws.com:444/SimpleNotificationService-test.pem",
        "https://sns.eu-central-1.amazonaws.com.cn/SimpleNotificationService-test.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-test.pem",
        "https://sns.evil.test/a.pem",
        "https://sns.x.amazonaws.com@evil.test/a.pem",
      ]) {
        expect((await ours.send(JSON.stringify(snsMessage({ SigningCertURL })))).status).toBe(401);
      }
      expect([...fetched, ...ours.fetched]).toEqual([]);
    });

    test("a text that is not exactly one certificate is no key", async () => {
      const good = certificateOf(rsa.publicKey);
      const post = async (text: string) =>
        (await doorTo("aws-sns", arn, { texts: { [cert]: text } }).send(JSON.stringify(snsMessage()))).status;
      expect(await post(good)).toBe(202);
      const bare = good.replace(/-----[\w ]+-----/g, "");
      for (const text of [
        good + good,
        `${good}x`,
        `<html>${good}`,
        good.replaceAll("CERTIFICATE", "PUBLIC KEY"),
        bare,
        "",
      ])
        expect(await post(text)).toBe(401);
      expect(await post(`${good}${" ".repeat(100_000)}`)).toBe(503);
    });

    test("a topic in China and one of the government have the addresses of their partition", async () => {
      for (const [topic, host] of [
        ["arn:aws-cn:sns:cn-north-1:123456789012:mail", "sns.cn-north-1.amazonaws.com.cn"],
        ["arn:aws-us-gov:sns:us-gov-west-1:123456789012:mail", "sns.us-gov-west-1.amazonaws.com"],
      ] as const) {
        const SigningCertURL = `https://${host}/SimpleNotificationService-test.pem`;
        const { send } = doorTo("aws-sns", topic, { texts: { [SigningCertURL]: certificateOf(rsa.publicKey) } });
        expect((await send(JSON.stringify(snsMessage({ TopicArn: topic, SigningCertURL })))).status).toBe(202);
      }
    });

    test("the certificate is fetched once; while that fails, SNS retries", async () => {
      const { send, fetched } = doorTo("aws-sns", arn, { texts });
      for (let n = 0; n < 3; n++) expect((await send(JSON.stringify(snsMessage()))).status).toBe(202);
      expect(fetched).toEqual([cert]);
      const down = await doorTo("aws-sns", arn).send(JSON.stringify(snsMessage()));
      expect([down.status, down.response.headers.get("Retry-After")]).toEqual([503, "5"]);
    });
  });
});
