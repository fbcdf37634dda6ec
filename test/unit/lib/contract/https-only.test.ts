import { Hono } from "hono";
import { expect, test } from "vitest";
import { httpsOnly } from "../../../../src/lib/contract/https-only.ts";

test("an answer over https forbids http for a year, also one that is an error or cannot be changed; over http it says nothing", async () => {
  const app = new Hono();
  app.use(httpsOnly);
  app.get("/fine", () => Response.redirect("https://mail.example.com/elsewhere"));
  app.get("/broken", () => {
    throw new Error("broken");
  });
  app.onError(() => new Response("error", { status: 500 }));
  const headerOf = async (url: string) => (await app.request(url)).headers.get("Strict-Transport-Security");
  for (const path of ["/fine", "/broken", "/missing"]) {
    expect(await headerOf(`https://mail.example.com${path}`)).toBe("max-age=31536000");
    expect(await headerOf(`http://127.0.0.1:8787${path}`)).toBeNull();
  }
});
