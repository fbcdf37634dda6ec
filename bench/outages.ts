import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { startMailspan } from "../test/system/mailspan.ts";
import { measure, outages } from "../test/system/outages/measure.ts";
import { startFailing } from "../test/system/outages/service.ts";

const OUTAGES = define({
  name: "bench:outages",
  about: `Measures outages of the email service, in local workerd over the loopback network: seconds until the health tells it, requests
meanwhile, seconds from the first answered probe to the first delivery, and calls lost. Fails out of bounds.`,
  examples: [
    ["", "120 calls that wait, about six minutes"],
    ["--calls 10000", "about fifteen minutes"],
    ["--only silence --seconds 120"],
  ],
  options: {
    calls: { value: "n", default: "120", about: "calls that wait, two of each webhook" },
    seconds: { value: "n", default: "20", about: "how long each outage lasts after it was told" },
    only: { value: "name", about: `one of: ${Object.keys(outages).join(", ")}` },
  },
});

await runCommand(OUTAGES, async ({ values: { calls, seconds, only } }) => {
  const webhooks = Math.ceil(wholeNumber("calls", calls, { min: 2 }) / 2);
  const lasts = wholeNumber("seconds", seconds) * 1_000;
  let isGood = true;
  for (const outage of Object.keys(outages).filter((name) => only === undefined || name === only)) {
    const service = await startFailing();
    const mailspan = await startMailspan({ EMAIL_API_URL: service.url });
    try {
      const { told, requests, resumed, lost, doubled, said, ...measured } = await measure(mailspan, service, {
        outage,
        webhooks,
        lasts,
      });
      isGood &&= told <= 15 && resumed <= 1 && lost === 0 && doubled === 0;
      console.log(
        `${outage}, ${measured.calls} calls: told after ${told.toFixed(1)} s, ${requests} requests, first delivery ` +
          `${resumed.toFixed(2)} s after the answered probe, ${lost} lost, ${doubled} doubled\n  ${said}`,
      );
    } finally {
      await mailspan.stop();
      service.stop();
    }
  }
  return isGood;
});
