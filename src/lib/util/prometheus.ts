/** `suffix`: `_bucket`, `_sum` or `_count` of a histogram. */
type Sample = { suffix?: string; labels: Readonly<Record<string, string>>; value: number };
export type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: readonly Sample[];
};

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Labels come from configuration, so only a bug can reach this. */
const MAX_SETS = 2_000;

/**
 * Formats metrics as Prometheus text.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
 */
export const metricsText = (metrics: readonly Metric[]): string =>
  metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ suffix = "", labels, value }) => `${name}${suffix}${labelsText(labels)} ${numberText(value)}`,
      );
      return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines]
        .map((line) => `${line}\n`)
        .join("");
    })
    .join("");

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

const labelsText = (labels: Sample["labels"]): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
};

const numberText = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? "+Inf" : value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);

export const createCounter = (name: string, help: string, labels: readonly string[]) => {
  const values = new Map<string, number>();
  return {
    add: (given: readonly string[], by = 1): void => {
      const key = JSON.stringify(given);
      if (!values.has(key) && values.size >= MAX_SETS) return;
      values.set(key, (values.get(key) ?? 0) + by);
    },
    metric: (): Metric => ({
      name,
      help,
      type: "counter",
      samples: [...values].map(([key, value]) => ({ labels: labeled(labels, key), value })),
    }),
  };
};

export const createHistogram = (name: string, help: string, labels: readonly string[], bounds: readonly number[]) => {
  const values = new Map<string, { counts: number[]; sum: number; count: number }>();
  return {
    observe: (given: readonly string[], value: number): void => {
      const key = JSON.stringify(given);
      const known = values.get(key);
      if (!known && values.size >= MAX_SETS) return;
      const own = known ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
      bounds.forEach((bound, i) => {
        if (value <= bound) own.counts[i] = (own.counts[i] ?? 0) + 1;
      });
      own.sum += value;
      own.count++;
      values.set(key, own);
    },
    metric: (): Metric => ({
      name,
      help,
      type: "histogram",
      samples: [...values].flatMap(([key, { counts, sum, count }]) => {
        const own = labeled(labels, key);
        const upTo = (le: string, value: number) => ({ suffix: "_bucket", labels: { ...own, le }, value });
        return [
          ...bounds.map((bound, i) => upTo(String(bound), counts[i] ?? 0)),
          upTo("+Inf", count),
          { suffix: "_sum", labels: own, value: sum },
          { suffix: "_count", labels: own, value: count },
        ];
      }),
    }),
  };
};

export const gauge = (
  name: string,
  help: string,
  samples: readonly (readonly [Sample["labels"], number])[],
): Metric => ({
  name,
  help,
  type: "gauge",
  samples: samples.map(([labels, value]) => ({ labels, value })),
});

const labeled = (names: readonly string[], key: string): Record<string, string> => {
  const given = JSON.parse(key) as string[];
  return Object.fromEntries(names.map((name, i) => [name, given[i] ?? ""]));
};
