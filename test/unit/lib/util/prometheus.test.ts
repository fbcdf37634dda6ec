import { describe, expect, it } from "vitest";
import {
  createCounter,
  createHistogram,
  gauge,
  METRICS_TYPE,
  metricsText,
} from "../../../../src/lib/util/prometheus.ts";

describe("the text form of metrics", () => {
  it("has help, type and samples, escaped where necessary", () => {
    const counter = createCounter("jobs_total", "Jobs \\ done\nso far.", ["queue", "state"]);
    counter.add(["a", "ok"]);
    counter.add(["a", "ok"], 2);
    counter.add(['quote" back\\ line\n', "ok"]);
    expect(metricsText([counter.metric(), gauge("depth", "Depth.", [[{}, 2.5]])])).toBe(
      [
        "# HELP jobs_total Jobs \\\\ done\\nso far.",
        "# TYPE jobs_total counter",
        'jobs_total{queue="a",state="ok"} 3',
        'jobs_total{queue="quote\\" back\\\\ line\\n",state="ok"} 1',
        "# HELP depth Depth.",
        "# TYPE depth gauge",
        "depth 2.5",
        "",
      ].join("\n"),
    );
    expect(METRICS_TYPE).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  it("has a histogram's counts up to each bound, its sum and its count", () => {
    const histogram = createHistogram("wait_seconds", "Wait.", ["lane"], [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe(["urgent"], value);
    expect(metricsText([histogram.metric()]).split("\n").slice(1, -1)).toEqual([
      "# TYPE wait_seconds histogram",
      'wait_seconds_bucket{lane="urgent",le="0.1"} 2',
      'wait_seconds_bucket{lane="urgent",le="1"} 3',
      'wait_seconds_bucket{lane="urgent",le="+Inf"} 4',
      'wait_seconds_sum{lane="urgent"} 7.65',
      'wait_seconds_count{lane="urgent"} 4',
    ]);
  });

  it("has a limit for the number of label sets", () => {
    const counter = createCounter("jobs_total", "Jobs.", ["id"]);
    for (let n = 0; n < 5_000; n++) counter.add([String(n)]);
    counter.add(["0"]);
    expect(counter.metric().samples).toHaveLength(2_000);
    expect(counter.metric().samples[0]?.value).toBe(2);
  });
});
