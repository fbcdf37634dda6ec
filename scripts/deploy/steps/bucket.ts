import { yesOrNo } from "../ask.ts";
import { bucketOf } from "../config.ts";
import { DeployError } from "../io.ts";
import type { State, Step } from "../state.ts";
import { createBucket } from "../wrangler.ts";

const LATER = "Uploads of pictures are refused, and everything else works. To add the bucket, run this again.";

export const bucket: Step = {
  title: "Bucket for pictures",
  why: "Pictures of mails are kept in R2. An account needs a payment method for R2, also for the part that is free.",
  async run(state) {
    const { io, workers } = state;
    const name = bucketOf(workers.email);
    if (name === undefined) return io.print(`${workers.email.path} names no bucket. ${LATER}`);
    const text = `Create the bucket ${name}, or use it if it exists?`;
    const wanted = await yesOrNo(io.ask, { variable: "UPLOADS_BUCKET", text, initial: "yes" });
    state.hasBucket = wanted && (await create(state, name));
    if (!state.hasBucket) io.print(`  No bucket. ${LATER}`);
  },
};

/** False if the account has no R2. */
const create = async ({ io, env }: State, name: string): Promise<boolean> => {
  const result = await createBucket(io.run, name, env);
  if (result === "created" || result === "exists") {
    io.print(result === "created" ? `Created the bucket ${name}.` : `The bucket ${name} exists and is used.`);
    return true;
  }
  if (result === "no R2") {
    io.print("This account has no R2 yet: add it in Cloudflare's dashboard, under R2 object storage.");
    return false;
  }
  throw new DeployError(
    `The bucket ${name} could not be created:\n${result.error}`,
    "Fix the error and run this again (an API token needs the permission Workers R2 Storage: Edit), or answer no (UPLOADS_BUCKET=no).",
  );
};
