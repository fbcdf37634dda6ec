import type { Page } from "playwright-core";

/**
 * Complains of what no page of the dashboard may do: break the policy, throw, write an error, ask another host. To be called before the
 * first page is opened.
 *
 * @param origin of the dashboard
 * @param mayFail answers of 500 and above, and requests without an answer, are what the test is about
 */
export const watch = async (
  page: Page,
  origin: string,
  complain: (what: string) => void,
  mayFail = false,
): Promise<void> => {
  page.on("pageerror", (error) => complain(`error: ${error}`));
  page.on("console", (message) => {
    // Chromium writes a line for each refusal; the page shows these itself.
    const expected = mayFail
      ? /Failed to load resource/
      : /Failed to load resource: the server responded with a status of 4\d\d/;
    if (message.type() === "error" && !expected.test(message.text())) complain(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) complain(`asked ${url}`);
  });
  await page.exposeFunction("violated", (what: string) => complain(`policy: ${what}`));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    violated([event.violatedDirective, event.blockedURI, event.sample].join(" ")))`);
};
