import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { commandFor, Refused, teamServiceOf, Unreachable } from "../../../scripts/lib/team-service.ts";

let server: Server | undefined;
afterEach(() => server?.close());

type Answer = { status: number; body: string; headers?: Record<string, string> };

const serve = async (...answers: Answer[]) => {
  const asked: string[] = [];
  server = createServer(({ method, url, headers: { authorization } }, response) => {
    const { status, body, headers } = (answers.length > 1 ? answers.shift() : answers[0]) as Answer;
    asked.push(`${method} ${url} ${authorization}`);
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const vars = { ADMIN_TOKEN: "t", EMAIL_API_KEY: "ms_acme_key" };
const start = (url: string, values: { team?: string } = {}, more: Record<string, string> = {}, said: string[] = []) =>
  teamServiceOf("workflows", { url, ...values }, { ...vars, ...more }, (line) => said.push(line)).admin(
    "POST",
    "/wfl_1/start",
    {},
  );

describe("the email service of a command", () => {
  it("is named in a printed command where .dev.vars alone would ask another one", () => {
    const line = "workflow -- status trial";
    const other = "http://127.0.0.1:18788";
    expect(commandFor("http://127.0.0.1:8788", {}, line)).toBe("npm run workflow -- status trial");
    expect(commandFor(other, { EMAIL_PORT: "18788" }, line)).toBe("npm run workflow -- status trial");
    expect(commandFor(other, {}, line)).toBe(`npm run workflow -- status trial --url ${other}`);
    expect(commandFor(other, { EMAIL_URL: "https://mail.example.com" }, line)).toContain(` --url ${other}`);
    expect(commandFor(other, {}, "campaign")).toBe(`npm run campaign -- --url ${other}`);
  });

  it("gets a file as it is, with its type", async () => {
    let got: unknown[] = [];
    server = createServer(async (request, response) => {
      const { "content-type": type, "content-length": length } = request.headers;
      got = [type, length, Buffer.concat(await request.toArray()).toString()];
      response.end("{}");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await teamServiceOf("imports", { url }, vars).admin("POST", "", new Blob(["email\n"], { type: "text/csv" }));
    expect(got).toEqual(["text/csv", "6", "email\n"]);
  });

  it("is unreachable where it does not run, and where the connection breaks before or within the answer", async () => {
    await expect(start("http://127.0.0.1:1")).rejects.toThrow(Unreachable);
    for (const part of ["", "{"]) {
      server = createServer((_, response) => {
        response.writeHead(200, { "Content-Length": "100" });
        response.write(part);
        setTimeout(() => response.destroy(), 50);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await expect(start(url)).rejects.toThrow(Unreachable);
      server.close();
    }
  });

  it("is asked for the team of the API key, of --team, or the demo team, with the admin token", async () => {
    const { asked, url } = await serve({ status: 200, body: "{}" });
    await start(url);
    await start(url, { team: "other" }, { EMAIL_ADMIN_TOKEN: "e" });
    await start(`${url}/`, {}, { EMAIL_API_KEY: "" });
    expect(asked).toEqual([
      "POST /admin/teams/acme/workflows/wfl_1/start Bearer t",
      "POST /admin/teams/other/workflows/wfl_1/start Bearer e",
      "POST /admin/teams/demo/workflows/wfl_1/start Bearer t",
    ]);
  });

  it.each<[what: string, answer: Answer, message: RegExp]>([
    [
      "a wrong token",
      { status: 401, body: "{}" },
      /refuses the token: it must be the ADMIN_TOKEN of the email service/,
    ],
    ["another server", { status: 404, body: "<html>" }, /answered 404, but not as the email service does/],
    [
      "a refusal",
      { status: 404, body: '{"code":"workflow_not_found","message":"No such workflow."}' },
      /^No such workflow\.$/,
    ],
  ])("ends with what to do at %s", async (_, answer, message) => {
    await expect(start((await serve(answer)).url)).rejects.toThrow(message);
  });

  it("gives the whole body of a refusal", async () => {
    const body = JSON.stringify({ code: "workflow_not_ready", message: "No.", problems: [{ code: "no_trigger" }] });
    const error = await start((await serve({ status: 400, body })).url).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ code: "workflow_not_ready", body: { problems: [{ code: "no_trigger" }] } });
  });

  it("says how to start it where nothing answers, and which secret is missing", async () => {
    const { url } = await serve({ status: 200, body: "{}" });
    server?.close();
    await expect(start(url)).rejects.toThrow(/Nothing answers at .* npm start starts the email service/);
    await expect(start(url, {}, { ADMIN_TOKEN: "" })).rejects.toThrow("set ADMIN_TOKEN in .dev.vars");
    expect(() => teamServiceOf("workflows", { url }, { ADMIN_TOKEN: "t" }).api()).toThrow(
      "set EMAIL_API_KEY in .dev.vars",
    );
    expect(() => teamServiceOf("workflows", { url, team: "other" }, vars).api()).toThrow(
      'EMAIL_API_KEY is a key of the team "acme", and --team says "other"',
    );
  });

  it("waits where the rate limit is used up, and sends the request again", async () => {
    const limited = { status: 429, body: "{}", headers: { "Retry-After": "1" } };
    const { asked, url } = await serve(limited, { status: 200, body: '{"id":"wfl_1"}' });
    expect(await start(url)).toEqual({ id: "wfl_1" });
    expect(asked).toHaveLength(2);
  });
});
